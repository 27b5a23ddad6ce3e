import { clsx } from 'clsx';
import { Keyboard, Search } from 'lucide-react';
import { type ReactNode, type Ref, Suspense, useEffect, useId, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { CATEGORY_ORDER } from '../../../../src/model/findings.ts';
import { Button } from '../../../ui/Button.tsx';
import { INPUT_CLASSES } from '../../../ui/form/Field.tsx';
import { lazily } from '../../../ui/lazily.ts';
import { titleCase } from '../../../ui/text/wording.ts';
import type { Causes } from '../page/reportApi.ts';
import { ALL_SORTS, changed, type FindingsAddress, GROUPS, PLACES, SORTS, WEIGHTS } from './address.ts';
import { KEYS } from './useIssueKeys.ts';

const KeysDialog = lazily(() => import('../../../ui/overlay/KeysDialog.tsx'), 'KeysDialog');

interface FindingsToolbarProps {
  address: FindingsAddress;
  counts: Causes['counts'];
  searchField: Ref<HTMLInputElement>;
}

/** Search, order, groups and filters above the list. */
export function FindingsToolbar({ address, counts, searchField }: FindingsToolbarProps) {
  const [search, setSearch] = useSearchParams();
  const { filter, sort, group, groups } = address;
  const [keys, setKeys] = useState(false);
  const set = (values: Readonly<Record<string, string | null>>): void =>
    setSearch(changed(search, values), { replace: true });
  return (
    <div className="space-y-2 print:hidden">
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          ref={searchField}
          label={groups ? 'Search these groups' : 'Search issues'}
          value={filter.search ?? ''}
          onSearch={(words) => set({ search: words || null })}
        />
        {groups === null && (
          <Choice
            label="Sort"
            value={sort}
            choices={ALL_SORTS.map((each) => [each, SORTS[each][0]])}
            onChange={(value) => set({ sort: value === 'impact' ? null : value })}
          />
        )}
        <Choice
          label="Group"
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
        <Button variant="quiet" className="ml-auto max-sm:hidden" onClick={() => setKeys(true)}>
          <Keyboard aria-hidden="true" size={14} />
          Keyboard
        </Button>
      </div>
      <nav aria-label="Filter findings" className="flex flex-wrap gap-x-6 gap-y-1">
        <Chips name="impact" title="Impact" all={counts.impact.all} chosen={filter.impact ?? null} search={search}>
          {WEIGHTS.map((value) => ({ value, number: counts.impact[value] }))}
        </Chips>
        <Chips
          name="category"
          title="Category"
          all={counts.category.all}
          chosen={filter.category ?? null}
          search={search}
        >
          {CATEGORY_ORDER.map((value) => ({ value, number: counts.category[value] }))}
        </Chips>
      </nav>
      {keys && (
        <Suspense fallback={null}>
          <KeysDialog rows={KEYS} onClose={() => setKeys(false)} />
        </Suspense>
      )}
    </div>
  );
}

const PAUSE_MS = 250;

interface SearchBoxProps {
  label: string;
  value: string;
  onSearch: (words: string) => void;
  ref: Ref<HTMLInputElement>;
}

/** Searches while it is typed in, after each pause. */
function SearchBox({ label, value, onSearch, ref }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [sent, setSent] = useState(value);
  // Another search was chosen; the one that was sent from here leaves the field alone, which may have been typed in.
  if (value !== known) {
    setKnown(value);
    if (value !== sent) {
      setText(value);
      setSent(value);
    }
  }
  const send = (words: string): void => {
    setSent(words);
    onSearch(words);
  };
  const search = useRef(send);
  useEffect(() => {
    search.current = send;
  });
  const words = text.trim();
  useEffect(() => {
    if (words === value) return;
    const timer = setTimeout(() => search.current(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words, value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not every browser knows the element.
    <form
      role="search"
      className="relative w-full sm:w-64"
      onSubmit={(event) => {
        event.preventDefault();
        send(words);
      }}
    >
      <Search aria-hidden="true" size={14} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-muted" />
      <input
        ref={ref}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className={clsx(INPUT_CLASSES, 'h-8 pl-8 pointer-coarse:h-11')}
      />
    </form>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, text: string])[];
  onChange: (value: string) => void;
}

/** A native select with its name beside it. */
function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <span className="flex items-center gap-1.5 max-sm:flex-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className={clsx(INPUT_CLASSES, 'h-8 w-auto px-2 max-sm:min-w-0 max-sm:flex-1 pointer-coarse:h-11')}
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
  name: 'impact' | 'category';
  title: string;
  all: number;
  chosen: string | null;
  search: URLSearchParams;
  children: readonly { readonly value: string; readonly number: number }[];
}

const chipText = (name: string, value: string | null): ReactNode => {
  if (value === null) return `All ${name === 'impact' ? 'impacts' : 'categories'}`;
  return value === 'hint' ? 'Optional' : titleCase(value);
};

function Chips({ name, title, all, chosen, search, children }: ChipsProps) {
  const choices = [
    { value: null, number: all },
    ...children.filter(({ value, number }) => number > 0 || value === chosen),
  ];
  const list = useRef<HTMLUListElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chosen one comes into view, wherever it was chosen.
  useEffect(() => {
    const chip = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (list.current && chip) list.current.scrollLeft = chip.offsetLeft - list.current.offsetLeft;
  }, [chosen]);
  return (
    <ul ref={list} aria-label={title} className="flex gap-0.5 max-sm:w-full max-sm:overflow-x-auto sm:flex-wrap">
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
