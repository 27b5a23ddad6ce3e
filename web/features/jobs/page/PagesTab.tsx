import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import { Button } from '../../../ui/Button.tsx';
import { jobPath } from '../../../ui/paths.ts';
import { grouped } from '../../../ui/text/wording.ts';
import { commonOrigin } from './addressText.ts';
import { Nothing } from './Nothing.tsx';
import { OutsideLink } from './OutsideLink.tsx';
import { byFindings, PAGE_FILTERS, type PageFilter, type PageRow, pageMatches, readPages } from './pagesCsv.ts';
import { TO_ROWS } from './toRows.ts';

const STEP = 100;
const NAMES: Record<PageFilter, string> = { all: 'All', findings: 'With findings', problems: 'Not reachable', closed: 'Closed to search' };

/** Every address that was asked for, those with most to do first. */
export function PagesTab({ job, content }: { job: JobView; content: string }) {
  const pages = useMemo(() => byFindings(readPages(content)), [content]);
  const origin = useMemo(() => commonOrigin(pages.map((page) => page.url)), [pages]);
  const [search] = useSearchParams();
  const [shown, setShown] = useState(STEP);
  const filter = PAGE_FILTERS.find((each) => each === search.get('show')) ?? 'all';
  const rows = pages.filter((page) => pageMatches(page, filter));
  return (
    <div className="space-y-3">
      <nav aria-label="Filter pages">
        <ul className="flex flex-wrap gap-1">
          {PAGE_FILTERS.map((each) => (
            <li key={each}>
              <Link
                to={jobPath(job.id, { tab: 'pages', ...(each === 'all' ? {} : { show: each }) })}
                replace
                aria-current={each === filter ? 'true' : undefined}
                className={`flex min-h-8 items-center gap-1.5 rounded-control px-2 text-sm pointer-coarse:min-h-11 ${each === filter ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset'}`}
              >
                {NAMES[each]} <span className="text-xs tabular-nums">{pages.filter((page) => pageMatches(page, each)).length}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {rows.length === 0 ? (
        <Nothing text="No page of this kind." />
      ) : (
        <section aria-label="Pages" className="overflow-x-auto rounded-card border border-line bg-card">
          <table className="w-full text-left">
            <thead className="text-sm text-muted">
              <tr>
                <th className="px-4 py-2 font-normal">Page</th>
                <th className="px-2 py-2 font-normal">Answer</th>
                <th className="px-2 py-2 text-right font-normal max-sm:hidden">Words</th>
                <th className="py-2 pr-4 pl-2 text-right font-normal">Findings</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((page) => (
                <Row key={page.url} job={job} page={page} origin={origin} />
              ))}
            </tbody>
          </table>
          {rows.length > shown && (
            <div className="border-t border-line p-2 text-center">
              <Button look="quiet" onClick={() => setShown(shown + STEP)}>
                Show {Math.min(STEP, rows.length - shown)} more of {rows.length - shown}
              </Button>
            </div>
          )}
        </section>
      )}
    </div>
  );
}

function Row({ job, page, origin }: { job: JobView; page: PageRow; origin: string | null }) {
  const bad = page.status === null || page.status >= 400;
  return (
    <tr className="border-t border-line align-top">
      <td className="px-4 py-2">
        {page.title && <span className="block text-strong [overflow-wrap:anywhere]">{page.title}</span>}
        <OutsideLink url={page.url} length={60} origin={origin} />
        {page.indexable === false && <span className="block text-sm text-muted">Search engines may not show it</span>}
      </td>
      <td className={`px-2 py-2 text-sm tabular-nums ${bad ? 'text-bad' : 'text-muted'}`}>{page.status ?? (page.problem || 'no answer')}</td>
      <td className="px-2 py-2 text-right text-sm text-muted tabular-nums max-sm:hidden">{page.words === null ? '' : grouped(page.words)}</td>
      <td className="py-2 pr-4 pl-2 text-right text-sm tabular-nums">
        {page.findings > 0 ? (
          <Link {...TO_ROWS} to={jobPath(job.id, { tab: 'findings', page: page.url })} className="text-accent underline underline-offset-2">
            {page.findings} <span className="sr-only">findings on {page.url}</span>
          </Link>
        ) : (
          <span className="text-muted">0</span>
        )}
        {page.highImpact > 0 && <span className="block text-xs text-bad">{page.highImpact} high</span>}
      </td>
    </tr>
  );
}
