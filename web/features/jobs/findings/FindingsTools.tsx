import { clsx } from 'clsx';
import { Keyboard } from 'lucide-react';
import { Suspense, useEffect, useId, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { CATEGORY_ORDER } from '../../../../src/model/findings.ts';
import { Button } from '../../../ui/Button.tsx';
import { INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { LiveSearch } from '../../../ui/form/LiveSearch.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { categoryName } from '../../../ui/text/categoryName.ts';
import { titleCase } from '../../../ui/text/wording.ts';
import { type Causes, rowsOf, useListCausesQuery } from '../page/reportApi.ts';
import {
  ALL_SORTS,
  addressOf,
  changed,
  type FindingsAddress,
  GROUPS,
  issuesAsked,
  PLACES,
  SORTS,
  WEIGHTS,
} from './address.ts';
import { KEYS } from './useIssueKeys.ts';

const KeysDialog = lazily(() => import('../../../ui/overlay/KeysDialog.tsx'), 'KeysDialog');

const SEARCH_ID = 'search-issues';

/** For the key that searches. */
export const focusSearch = (): void => document.getElementById(SEARCH_ID)?.focus();

/** Search, filters, order, and groups beside the tabs; where there is no room, the filters are chips below them. */
export function FindingsTools({ job }: { job: JobView }) {
  const [search, setSearch] = useSearchParams();
  const address = addressOf(search);
  const { filter, sort, group, groups } = address;
  const { data } = useListCausesQuery({ ...rowsOf(job), ...issuesAsked(address) });
  const set = (values: Readonly<Record<string, string | null>>): void =>
    setSearch(changed(search, values), { replace: true });
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full xl:min-w-0 xl:flex-nowrap xl:gap-1.5 print:hidden">
      <LiveSearch
        id={SEARCH_ID}
        className="w-full sm:w-64 xl:w-28 xl:shrink-0 xl:[&_input]:pr-2 xl:[&_span]:hidden"
        label={groups ? 'Search these groups' : 'Search issues'}
        placeholder="Search"
        value={filter.search ?? ''}
        onSearch={(words) => set({ search: words || null })}
      />
      {(['impact', 'category'] as const).map((name) => (
        <Choice
          key={name}
          className="max-xl:hidden"
          width={name === 'impact' ? 'xl:w-25' : 'xl:w-30'}
          label={titleCase(name)}
          value={filter[name] ?? ''}
          choices={choicesOf(name, data?.counts ?? null, filter[name] ?? null).map(({ value, number }) => [
            value ?? '',
            value === null ? chipText(name, value) : `${chipText(name, value)} (${number})`,
          ])}
          onChange={(value) => set({ [name]: value || null })}
        />
      ))}
      {groups === null && (
        <Choice
          label="Sort"
          width="xl:w-23"
          value={sort}
          choices={ALL_SORTS.map((each) => [each, SORTS[each][0]])}
          onChange={(value) => set({ sort: value === 'impact' ? null : value })}
        />
      )}
      <Choice
        label="Group"
        width="xl:w-24"
        value={group}
        choices={Object.entries(GROUPS)}
        onChange={(value) =>
          set({
            ...Object.fromEntries(PLACES.map((place) => [place, null])),
            group: value === 'issue' ? null : value,
            cause: null,
          })
        }
      />
    </div>
  );
}

/** What the keys do, on request. */
export function KeysButton() {
  const [open, setOpen] = useState(false);
  return (
    <div className="max-sm:hidden print:hidden">
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <Keyboard aria-hidden="true" size={14} />
        Keyboard
      </Button>
      {open && (
        <Suspense fallback={null}>
          <KeysDialog rows={KEYS} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

type Counts = Causes['counts'];

/** The filters as chips, above the list. */
export function FindingsFilters({ address: { filter }, counts }: { address: FindingsAddress; counts: Counts }) {
  const [search] = useSearchParams();
  return (
    <nav aria-label="Filter findings" className="flex flex-wrap gap-x-6 gap-y-1 xl:hidden print:hidden">
      {(['impact', 'category'] as const).map((name) => (
        <Chips key={name} name={name} counts={counts} chosen={filter[name] ?? null} search={search} />
      ))}
    </nav>
  );
}

type FilterName = 'impact' | 'category';

/** All, and each value that some issue has. Before the counts are there, those that are chosen. */
function choicesOf(name: FilterName, counts: Counts | null, chosen: string | null) {
  const numbers: Readonly<Record<string, number>> = counts?.[name] ?? {};
  const values = (name === 'impact' ? WEIGHTS : CATEGORY_ORDER).map((value) => ({
    value,
    number: numbers[value] ?? 0,
  }));
  return [
    { value: null, number: numbers.all ?? 0 },
    ...values.filter(({ value, number }) => number > 0 || value === chosen),
  ];
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
  className?: string;
  /** Beside the tabs. */
  width: string;
}

/** A native select; its name stands beside it where there is room. */
function Choice({ label, value, choices, onChange, className, width }: ChoiceProps) {
  const id = useId();
  return (
    <span className={clsx('flex items-center gap-1.5 max-sm:flex-1 xl:min-w-0', className)}>
      <label htmlFor={id} className="text-sm text-muted xl:sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={clsx(
          INPUT_CLASSES,
          width,
          'h-8 w-auto px-2 xl:min-w-0 xl:px-1.5 xl:text-sm max-sm:min-w-0 max-sm:flex-1 pointer-coarse:h-11',
        )}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

interface ChipsProps {
  name: FilterName;
  counts: Counts;
  chosen: string | null;
  search: URLSearchParams;
}

const chipText = (name: string, value: string | null): string => {
  if (value === null) return `All ${name === 'impact' ? 'impacts' : 'categories'}`;
  return value === 'hint' ? 'Optional' : categoryName(value);
};

function Chips({ name, counts, chosen, search }: ChipsProps) {
  const choices = choicesOf(name, counts, chosen);
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one comes into view, wherever it was chosen.
  useEffect(() => {
    const chip = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && chip) list.current.scrollLeft = chip.offsetLeft - list.current.offsetLeft;
  }, [chosen]);
  return (
    <ul
      ref={list}
      aria-label={titleCase(name)}
      className="flex gap-0.5 max-sm:w-full max-sm:overflow-x-auto sm:flex-wrap"
    >
      {choices.map(({ value, number }) => (
        <li key={value}>
          <Link
            to={{ search: `?${changed(search, { [name]: value })}` }}
            replace
            aria-current={chosen === value ? 'true' : undefined}
            className={clsx(
              'flex min-h-8 items-center gap-1.5 rounded-control px-2 text-sm whitespace-nowrap pointer-coarse:min-h-11',
              chosen === value ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset',
            )}
          >
            {chipText(name, value)} <span className="text-xs tabular-nums">{number}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
