import { useMemo } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { count, grouped, titleCase } from '../../../ui/text/wording.ts';
import { addressText, commonOrigin } from './addressText.ts';
import { CauseItem } from './CauseItem.tsx';
import { CATEGORIES, type Cause, causesOf, type FindingsFile, filterFrom, findingsAt, IMPACTS, matches, readFindings } from './findingsFile.ts';
import { Nothing } from './Nothing.tsx';

/** What was found, gathered by cause; which of it is shown stands in the address. */
export function FindingsTab({ job, content }: { job: JobView; content: string }) {
  const file = useMemo(() => readFindings(content), [content]);
  const causes = useMemo(() => (file ? causesOf(file) : []), [file]);
  const costs = useMemo(() => new Map(file?.score?.deductions.map((deduction) => [deduction.checkId, deduction.points])), [file]);
  const origin = useMemo(() => commonOrigin(file?.findings.map((finding) => finding.evidence.url) ?? []), [file]);
  const [search] = useSearchParams();
  if (!file) return <Notice tone="bad" title="Invalid response format" />;
  const filter = filterFrom(search);
  const shown = causes.filter((cause) => matches(cause, filter));
  return (
    <div className="grid gap-4 md:grid-cols-[176px_minmax(0,1fr)] md:gap-6">
      <Filters causes={causes} search={search} />
      <div className="min-w-0 space-y-3">
        {filter.page && <OnePage page={filter.page} search={search} />}
        <Locked job={job} file={file} />
        {shown.length > 0 && <p className="px-1 text-sm text-muted tabular-nums">{countText(shown, filter.page)}</p>}
        {shown.length > 0 ? (
          <ol aria-label="Findings by cause" className="divide-y divide-line rounded-card border border-line bg-card">
            {shown.map((cause) => (
              <CauseItem
                key={cause.check.id}
                job={job}
                cause={cause}
                cost={costs.get(cause.check.id) ?? 0}
                origin={origin}
                page={filter.page}
                open={search.get('cause') === cause.check.id}
              />
            ))}
          </ol>
        ) : (
          <Nothing text={emptyText(file, causes.length > 0)}>
            {causes.length > 0 && (
              <Link to={{ search: `?${without(search, 'category', 'impact', 'page')}` }} className={buttonLook('secondary')}>
                Show all findings
              </Link>
            )}
          </Nothing>
        )}
        <p className="text-sm text-muted">{file.coverage.text}</p>
      </div>
    </div>
  );
}

/** What the numbers of the filters and of the tab count: causes, and their findings. */
function countText(causes: readonly Cause[], page: string | null): string {
  const findings = causes.flatMap((cause) => findingsAt(cause, page));
  return `${count(findings.length, 'finding')} of ${count(causes.length, 'cause')}, by impact`;
}

/** Nothing shown is not always nothing found. */
function emptyText({ preview }: FindingsFile, filtered: boolean): string {
  const kept = preview !== undefined && preview.findings_total > preview.findings_shown;
  if (filtered) return kept ? 'Of this kind nothing is open in the preview.' : 'Nothing of this kind was found.';
  return kept ? 'The findings open to you come with the action items.' : 'Nothing was found.';
}

function OnePage({ page, search }: { page: string; search: URLSearchParams }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-card px-3 py-2">
      <span className="min-w-0 [overflow-wrap:anywhere]">
        Only what was found on <span className="font-mono text-sm">{addressText(page, 60)}</span>
      </span>
      <Link to={{ search: `?${without(search, 'page')}` }} replace className={buttonLook('quiet', 'ml-auto')}>
        Show all pages
      </Link>
    </p>
  );
}

/** The total is always told, and what is kept back is not in the page at all. */
function Locked({ job, file }: { job: JobView; file: FindingsFile }) {
  const { findings_shown: shown, findings_total: total } = file.preview ?? { findings_shown: 0, findings_total: 0 };
  if (total <= shown) return null;
  return (
    <Notice tone="info">
      <p>
        This preview shows {grouped(shown)} of {count(total, 'finding')}: those that the first action items fix.{' '}
        {job.files.includes('seo-audit-report.md') && (
          <>
            The{' '}
            <Link to={{ search: '?tab=report' }} className="underline underline-offset-2">
              report
            </Link>{' '}
            names every fault and where it is.
          </>
        )}
      </p>
    </Notice>
  );
}

function Filters({ causes, search }: { causes: readonly Cause[]; search: URLSearchParams }) {
  const { category, impact, page } = filterFrom(search);
  const inCategory = causes.filter((cause) => matches(cause, { category, impact: null, page }));
  const ofImpact = causes.filter((cause) => matches(cause, { category: null, impact, page }));
  return (
    <nav aria-label="Filter findings" className="flex flex-col gap-3 md:gap-5">
      <FilterGroup name="impact" title="Impact" all={inCategory.length} chosen={impact} search={search}>
        {IMPACTS.map((value) => ({ value, number: inCategory.filter((cause) => cause.impact === value).length }))}
      </FilterGroup>
      <FilterGroup name="category" title="Category" all={ofImpact.length} chosen={category} search={search}>
        {CATEGORIES.map((value) => ({ value, number: ofImpact.filter((cause) => cause.check.category === value).length }))}
      </FilterGroup>
    </nav>
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

function FilterGroup({ name, title, all, chosen, search, children }: FilterGroupProps) {
  const choices = [{ value: null, number: all }, ...children.filter(({ value, number }) => number > 0 || value === chosen)];
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
              {value === null ? `All ${name === 'impact' ? 'impacts' : 'categories'}` : titleCase(value)} <span className="text-xs tabular-nums">{number}</span>
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
