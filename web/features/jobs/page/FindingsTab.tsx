import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { CausesQuery } from '../../../../src/http/contract/findings.ts';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { CATEGORY_ORDER, IMPACTS } from '../../../../src/model/findings.ts';
import { NOT_JUDGED_TEXTS } from '../../../../src/model/scores.ts';
import { buttonClasses } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { count, grouped, titleCase } from '../../../ui/text/wording.ts';
import { AuditPart } from './AuditPart.tsx';
import { addressText, commonOrigin } from './addressText.ts';
import { CauseItem } from './CauseItem.tsx';
import { Nothing } from './Nothing.tsx';
import { type Causes, rowsOf, useListCausesQuery } from './reportApi.ts';

const WEIGHTS = [...IMPACTS, 'hint'] as const;

/** The findings, grouped by issue; the filters are kept in the address. */
export function FindingsTab({ job }: { job: JobView }) {
  const [search] = useSearchParams();
  const filter = filterFrom(search);
  // The previous data stays until the new filter's data arrives.
  const query = useListCausesQuery({ ...rowsOf(job), ...filter });
  return (
    <AuditPart query={query}>
      {(found) => <FoundCauses job={job} found={found} filter={filter} search={search} busy={query.isFetching} />}
    </AuditPart>
  );
}

function filterFrom(search: URLSearchParams): CausesQuery {
  const category = CATEGORY_ORDER.find((each) => each === search.get('category'));
  const impact = WEIGHTS.find((each) => each === search.get('impact'));
  const page = search.get('page');
  return { ...(category ? { category } : {}), ...(impact ? { impact } : {}), ...(page ? { page } : {}) };
}

interface FoundCausesProps {
  job: JobView;
  found: Causes;
  filter: CausesQuery;
  search: URLSearchParams;
  busy: boolean;
}

function FoundCauses({ job, found, filter, search, busy }: FoundCausesProps) {
  const { causes, counts, findings, coverage, preview } = found;
  const origin = useMemo(() => commonOrigin(causes.map(({ first }) => first.url)), [causes]);
  const filtered = Object.keys(filter).length > 0;
  return (
    <div className="grid gap-4 md:grid-cols-[176px_minmax(0,1fr)] md:gap-6 print:block">
      <nav aria-label="Filter findings" className="flex flex-col gap-3 md:gap-5 print:hidden">
        <FilterGroup
          name="impact"
          title="Impact"
          all={counts.impact.all}
          chosen={filter.impact ?? null}
          search={search}
        >
          {WEIGHTS.map((value) => ({ value, number: counts.impact[value] }))}
        </FilterGroup>
        <FilterGroup
          name="category"
          title="Category"
          all={counts.category.all}
          chosen={filter.category ?? null}
          search={search}
        >
          {CATEGORY_ORDER.map((value) => ({ value, number: counts.category[value] }))}
        </FilterGroup>
      </nav>
      <div className="min-w-0 space-y-3" aria-busy={busy}>
        {filter.page && <OnePage page={filter.page} search={search} />}
        <Locked job={job} preview={preview} />
        {causes.length > 0 ? (
          <ol aria-label="Findings by issue" className="divide-y divide-line panel">
            {causes.map((cause) => (
              <CauseItem
                key={cause.checkId}
                job={job}
                cause={cause}
                origin={origin}
                page={filter.page ?? null}
                open={search.get('cause') === cause.checkId}
              />
            ))}
          </ol>
        ) : (
          <Nothing text={job.not_judged && !filtered ? NOT_JUDGED_TEXTS[job.not_judged] : emptyText(preview, filtered)}>
            {filtered && (
              <Link
                to={{ search: `?${without(search, 'category', 'impact', 'page')}` }}
                className={buttonClasses('secondary')}
              >
                Show all findings
              </Link>
            )}
          </Nothing>
        )}
        <div className="space-y-1 px-1 text-sm text-muted">
          {/* The counts of the filters and the tab: issues, and their findings. */}
          <p role="status" className={causes.length > 0 ? 'tabular-nums' : 'sr-only'}>
            {causes.length > 0
              ? `${count(findings, 'finding')} of ${count(causes.length, 'issue')}, most important first`
              : 'No findings'}
          </p>
          <p>{coverage}</p>
        </div>
      </div>
    </div>
  );
}

/** An empty list does not always mean that nothing was found. */
function emptyText(preview: Causes['preview'], filtered: boolean): string {
  const kept = preview !== null && preview.total > preview.shown;
  if (filtered) return kept ? 'Nothing of this kind is included in the preview.' : 'Nothing of this kind was found.';
  return kept ? 'The findings open to you come with the action items.' : 'Nothing was found.';
}

function OnePage({ page, search }: { page: string; search: URLSearchParams }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-card px-3 py-2">
      <span className="min-w-0 wrap-anywhere">
        Only what was found on <span className="font-mono text-sm">{addressText(page, 60)}</span>
      </span>
      <Link to={{ search: `?${without(search, 'page')}` }} replace className={buttonClasses('quiet', 'ml-auto')}>
        Show all pages
      </Link>
    </p>
  );
}

/** The total is always shown; withheld findings are not in the page at all. */
function Locked({ job, preview }: { job: JobView; preview: Causes['preview'] }) {
  if (preview === null || preview.total <= preview.shown) return null;
  return (
    <Notice tone="info">
      <p>
        This preview shows {grouped(preview.shown)} of {count(preview.total, 'finding')}: those that the first action
        items fix.{' '}
        {job.files.includes('seo-audit-report.md') && (
          <>
            The{' '}
            <Link to={{ search: '?tab=report' }} className="underline underline-offset-2">
              report
            </Link>{' '}
            names every issue and where it is.
          </>
        )}
      </p>
    </Notice>
  );
}

interface FilterGroupProps {
  name: string;
  title: string;
  all: number;
  chosen: string | null;
  search: URLSearchParams;
  children: readonly { readonly value: string; readonly number: number }[];
}

const choiceText = (name: string, value: string | null): string => {
  if (value === null) return `All ${name === 'impact' ? 'impacts' : 'categories'}`;
  return value === 'hint' ? 'Optional' : titleCase(value);
};

function FilterGroup({ name, title, all, chosen, search, children }: FilterGroupProps) {
  const choices = [
    { value: null, number: all },
    ...children.filter(({ value, number }) => number > 0 || value === chosen),
  ];
  return (
    <div>
      <p aria-hidden="true" className="mb-1 px-2 text-xs text-muted max-md:hidden">
        {title}
      </p>
      <ul aria-label={title} className="flex flex-wrap gap-1 md:flex-col">
        {choices.map(({ value, number }) => (
          <li key={value}>
            <Link
              to={{ search: `?${value === null ? without(search, name) : withValue(search, name, value)}` }}
              replace
              aria-current={chosen === value ? 'true' : undefined}
              className={`flex min-h-8 items-center justify-between gap-2 rounded-control px-2 text-sm pointer-coarse:min-h-11 ${chosen === value ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset'}`}
            >
              {choiceText(name, value)} <span className="text-xs tabular-nums">{number}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function without(search: URLSearchParams, ...names: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of names) next.delete(name);
  return next;
}

function withValue(search: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.set(name, value);
  return next;
}
