import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { buttonClasses } from '../../../../ui/Button.tsx';
import { INPUT_CLASSES } from '../../../../ui/form/Field.tsx';
import { grouped } from '../../../../ui/text/wording.ts';
import { changed } from './tableAddress.ts';

export interface Facet {
  /** As the address has it. */
  readonly name: string;
  readonly title: string;
  readonly values: readonly { readonly value: string; readonly label: string; readonly number: number }[];
  /** A menu, however few values there are. */
  readonly menu?: boolean;
  /** Behind "More filters", unless it is in use. */
  readonly folded?: boolean;
}

/** More of them are a menu. */
const MOST_CHIPS = 8;

/** The values of a facet in the order of their names; without those that no row has, unless one is chosen. */
export function facetOf(
  name: string,
  title: string,
  names: Readonly<Record<string, string>>,
  counts: readonly { readonly value: string; readonly number: number }[],
): Facet {
  const numbers = new Map(counts.map(({ value, number }) => [value, number]));
  return {
    name,
    title,
    values: Object.entries(names).map(([value, label]) => ({ value, label, number: numbers.get(value) ?? 0 })),
  };
}

/** Filters with the number of rows that each of their values leaves. */
export function FacetChips({ label, facets }: { label: string; facets: readonly Facet[] }) {
  const [search] = useSearchParams();
  const [unfolded, setUnfolded] = useState(false);
  const shown = facets.filter(({ name, folded }) => unfolded || !folded || search.has(name));
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-x-5 gap-y-1.5">
      {shown.map((facet) => {
        const chosen = search.get(facet.name);
        const values = facet.values.filter(({ value, number }) => number > 0 || value === chosen);
        if (values.length === 0 && chosen === null) return null;
        return facet.menu || values.length > MOST_CHIPS ? (
          <FacetMenu key={facet.name} facet={{ ...facet, values }} chosen={chosen} />
        ) : (
          <Chips key={facet.name} facet={{ ...facet, values }} chosen={chosen} search={search} />
        );
      })}
      {facets.some(({ folded }) => folded) && (
        <button
          type="button"
          aria-expanded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
          className={buttonClasses('quiet', '-ml-2 text-sm')}
        >
          {unfolded ? 'Fewer filters' : 'More filters'}
        </button>
      )}
    </nav>
  );
}

function Chips({ facet, chosen, search }: { facet: Facet; chosen: string | null; search: URLSearchParams }) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-y-1">
      <span aria-hidden="true" className="mr-1.5 text-xs text-muted">
        {facet.title}
      </span>
      <ul aria-label={facet.title} className="flex min-w-0 flex-wrap items-center gap-1">
        {facet.values.map(({ value, label, number }) => {
          const isChosen = value === chosen;
          return (
            <li key={value}>
              <Link
                to={changed(search, { [facet.name]: isChosen ? null : value })}
                replace
                aria-current={isChosen ? 'true' : undefined}
                className={clsx(
                  'flex min-h-8 items-center gap-1.5 rounded-control border px-2 text-sm pointer-coarse:min-h-11',
                  isChosen
                    ? 'border-accent bg-accent-soft font-medium text-accent'
                    : 'border-line bg-card text-normal hover:bg-inset',
                )}
              >
                {label} <span className="text-xs text-muted tabular-nums">{grouped(number)}</span>
                {isChosen && <X aria-hidden="true" size={12} />}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function FacetMenu({ facet, chosen }: { facet: Facet; chosen: string | null }) {
  const id = useId();
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const known = facet.values.some(({ value }) => value === chosen);
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <label htmlFor={id} className="text-xs text-muted">
        {facet.title}
      </label>
      <select
        id={id}
        value={chosen ?? ''}
        onChange={({ target }) => navigate(changed(search, { [facet.name]: target.value }), { replace: true })}
        className={clsx(INPUT_CLASSES, 'h-8 w-auto max-w-56 px-2 text-sm pointer-coarse:h-11')}
      >
        <option value="">All</option>
        {chosen !== null && !known && <option value={chosen}>{chosen}</option>}
        {facet.values.map(({ value, label, number }) => (
          <option key={value} value={value}>
            {label} ({grouped(number)})
          </option>
        ))}
      </select>
    </div>
  );
}
