import { X } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { ACTION_STATUSES } from '../../../../src/model/actions.ts';
import { CATEGORIES, DIFFICULTIES, IMPACTS } from '../../../../src/model/findings.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { titleCase } from '../../../ui/text/wording.ts';
import type { Stats } from '../progress.ts';
import { statusName } from '../work.ts';
import { countOf, type Filters, NO_FILTERS } from './filters.ts';

interface FilterSidebarProps {
  id: string;
  filters: Filters;
  stats: Stats;
  onChange: (change: Partial<Filters>) => void;
  searchField: Ref<HTMLInputElement>;
  /** Facts of a shared audit. */
  children?: ReactNode;
}

type Choices = readonly (readonly [value: string, label: string])[];
const named = (values: readonly string[]): Choices => values.map((value) => [value, titleCase(value)]);

const CATEGORY_CHOICES: Choices = CATEGORIES.map((value) => [value, categoryName(value)]);
const IMPACT_CHOICES = named(IMPACTS);
const DIFFICULTY_CHOICES = named(DIFFICULTIES);
const STATUS_CHOICES: Choices = ACTION_STATUSES.map((status) => [status, statusName(status)]);
const TIMES: Choices = [
  ['15', '15 minutes'],
  ['30', '30 minutes'],
  ['60', '1 hour'],
  ['120', '2 hours'],
  ['240', 'Half a day'],
];

/** The task filters, and the overall progress. */
export function FilterSidebar({ id, filters, stats, onChange, searchField, children }: FilterSidebarProps) {
  const list = (name: 'categories' | 'impacts' | 'statuses' | 'difficulties') => (value: string) =>
    onChange({ [name]: value ? value.split(',') : [] });
  const [cleared, setCleared] = useState(0);
  const time = filters.timeAvailable === null ? '' : String(filters.timeAvailable);
  return (
    <aside id={id} aria-label="Filters and overview" className="h-fit space-y-4 panel p-4 print:hidden">
      {children}
      <div className="grid gap-3 sm:max-lg:grid-cols-3">
        {/* Remounted when cleared, which also drops typed text that is not in the address yet. */}
        <SearchField
          key={cleared}
          value={filters.search}
          field={searchField}
          onSearch={(search) => onChange({ search })}
        />
        <Choice
          label="Category"
          any="All categories"
          values={filters.categories}
          choices={CATEGORY_CHOICES}
          onChange={list('categories')}
        />
        <Choice
          label="Impact"
          any="Any impact"
          values={filters.impacts}
          choices={IMPACT_CHOICES}
          onChange={list('impacts')}
        />
        <Choice
          label="Status"
          any="Any status"
          values={filters.statuses}
          choices={STATUS_CHOICES}
          onChange={list('statuses')}
        />
        <Choice
          label="Difficulty"
          any="Any difficulty"
          values={filters.difficulties}
          choices={DIFFICULTY_CHOICES}
          onChange={list('difficulties')}
        />
        <Choice
          label="Time available"
          any="Any time"
          values={time ? [time] : []}
          choices={TIMES}
          onChange={(value) => onChange({ timeAvailable: value ? Number(value) : null })}
        />
      </div>
      <Button
        className="w-full sm:max-lg:w-auto"
        inactive={countOf(filters) === 0}
        onClick={() => {
          setCleared(cleared + 1);
          onChange(NO_FILTERS);
        }}
      >
        <X aria-hidden="true" size={14} />
        Clear All Filters
      </Button>
      <Overview stats={stats} />
    </aside>
  );
}

interface ChoiceProps {
  label: string;
  any: string;
  values: readonly string[];
  choices: Choices;
  onChange: (value: string) => void;
}

/** One of the choices, or any. An address may hold several, or one that is not in the list. */
function Choice({ label, any, values, choices, onChange }: ChoiceProps) {
  const value = values.join(',');
  const all: Choices = [['', any], ...choices];
  const shown = all.some(([choice]) => choice === value)
    ? all
    : [...all, [value, values.map(titleCase).join(', ')] as const];
  return <SelectField label={label} value={value} choices={shown} onChange={onChange} />;
}

const TYPING_MS = 200;

/** The address is updated with a delay after typing. */
function SearchField({
  value,
  field,
  onSearch,
}: {
  value: string;
  field: Ref<HTMLInputElement>;
  onSearch: (search: string) => void;
}) {
  const [draft, setDraft] = useState(value);
  const sent = useRef(value);
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  }, [onSearch]);
  useEffect(() => {
    // Changed by Clear or by going back, not by typing here.
    if (value !== sent.current) setDraft(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (draft === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = draft;
      search.current(draft);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <Field
      label="Search tasks"
      type="search"
      placeholder="Part of a title"
      maxLength={200}
      className="sm:max-lg:col-span-full"
      ref={field}
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
    />
  );
}

function Overview({ stats }: { stats: Stats }) {
  const id = useId();
  const counts: readonly (readonly [string, number])[] = [
    ['Total', stats.totalActions],
    ['In Progress', stats.inProgressActions],
    ['Completed', stats.completedActions],
    ['Todo', stats.totalActions - stats.inProgressActions - stats.completedActions],
  ];
  return (
    <section aria-labelledby={id} className="border-t border-line pt-4">
      <h2 id={id} className="text-sm font-medium text-muted">
        Overview
      </h2>
      <dl className="mt-2 space-y-1">
        {counts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt>{name}</dt>
            <dd className="font-medium text-strong tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <progress aria-labelledby={`${id}-done`} max={100} value={stats.completionPercentage} className="mt-3" />
      <p id={`${id}-done`} className="mt-1 text-sm text-muted tabular-nums">
        {stats.completedActions} of {stats.totalActions} tasks completed
      </p>
    </section>
  );
}
