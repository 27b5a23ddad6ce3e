import { ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../src/http/contract/jobs.ts';
import type { PagesQuery, PagesResponse } from '../../../../src/http/contract/pages.ts';
import { Button } from '../../../ui/Button.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { jobPath } from '../../../ui/paths.ts';
import { Status } from '../../../ui/text/Status.tsx';
import { count, grouped } from '../../../ui/text/wording.ts';
import { AuditPart } from './AuditPart.tsx';
import { commonOrigin } from './addressText.ts';
import { Nothing } from './Nothing.tsx';
import { OutsideLink } from './OutsideLink.tsx';
import { rowsOf, useListPagesInfiniteQuery } from './reportApi.ts';
import { TO_ROWS } from './toRows.ts';

const STEP = 100;
const COLUMNS = 'url,status,problem,indexable,title,words,findings,highImpact';

type Filter = NonNullable<PagesQuery['show']>;
type Order = NonNullable<PagesQuery['order']>;
type Page = PagesResponse['data']['pages'][number];

const NAMES: Record<Filter, string> = {
  all: 'All',
  findings: 'With findings',
  problems: 'Errors',
  closed: 'Not indexable',
};
const FILTERS = Object.keys(NAMES) as Filter[];

/** Sortable columns, each with the order of its first click. */
const HEADS = [
  { sort: 'url', title: 'Page', first: 'asc', className: 'px-4' },
  { sort: 'status', title: 'Status', first: 'desc', className: 'px-2' },
  { sort: 'words', title: 'Words', first: 'desc', className: 'px-2 text-right max-sm:hidden' },
  { sort: 'findings', title: 'Findings', first: 'desc', className: 'pr-4 pl-2 text-right' },
] as const satisfies readonly { sort: PagesQuery['sort']; title: string; first: Order; className: string }[];
type Head = (typeof HEADS)[number];

interface Shown {
  readonly show: Filter;
  readonly sort: Head['sort'];
  readonly order: Order;
}

function shownFrom(search: URLSearchParams): Shown {
  const { sort, first } = HEADS.find((head) => head.sort === search.get('sort')) ?? HEADS[3];
  const asked = search.get('order');
  return {
    show: FILTERS.find((each) => each === search.get('show')) ?? 'all',
    sort,
    order: asked === 'asc' || asked === 'desc' ? asked : first,
  };
}

/** The address of this list; defaults are omitted. */
function pathTo(job: JobView, { show, sort, order }: Shown): string {
  const usual = HEADS.find((head) => head.sort === sort)?.first;
  return jobPath(job.id, {
    tab: 'pages',
    ...(show === 'all' ? {} : { show }),
    ...(sort === 'findings' ? {} : { sort }),
    ...(order === usual ? {} : { order }),
  });
}

/** All fetched pages, those with most to do first. */
export function PagesTab({ job }: { job: JobView }) {
  const [search] = useSearchParams();
  const shown = shownFrom(search);
  const query = useListPagesInfiniteQuery({ ...rowsOf(job), ...shown, columns: COLUMNS, limit: STEP });
  return (
    <AuditPart query={query}>
      {({ pages }) => (
        <PageList
          job={job}
          lists={pages}
          shown={shown}
          busy={query.isFetching}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </AuditPart>
  );
}

interface PageListProps {
  job: JobView;
  lists: readonly PagesResponse[];
  shown: Shown;
  busy: boolean;
  onMore: () => void;
}

function PageList({ job, lists, shown, busy, onMore }: PageListProps) {
  const pages = useMemo(() => lists.flatMap(({ data }) => data.pages), [lists]);
  const origin = useMemo(() => commonOrigin(pages.map(({ url = '' }) => url)), [pages]);
  const { counts, total } = lists[0]?.data ?? { counts: { all: 0, findings: 0, problems: 0, closed: 0 }, total: 0 };
  const left = total - pages.length;
  const list = useRef<HTMLElement>(null);
  useKeptFocus(list);
  return (
    <div className="space-y-3" aria-busy={busy}>
      <nav aria-label="Filter pages">
        <ul className="flex flex-wrap gap-1">
          {FILTERS.map((each) => (
            <li key={each}>
              <Link
                to={pathTo(job, { ...shown, show: each })}
                replace
                aria-current={each === shown.show ? 'true' : undefined}
                className={`flex min-h-8 items-center gap-1.5 rounded-control px-2 text-sm pointer-coarse:min-h-11 ${each === shown.show ? 'bg-accent-soft font-medium text-accent' : 'text-normal hover:bg-inset'}`}
              >
                {NAMES[each]} <span className="text-xs tabular-nums">{grouped(counts[each])}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Status>{left > 0 ? `${grouped(pages.length)} of ${count(total, 'page')}` : count(total, 'page')}</Status>
      {pages.length === 0 ? (
        <Nothing text="No page of this kind." />
      ) : (
        <section ref={list} aria-label="Pages" className="overflow-x-auto panel">
          <table className="w-full text-left">
            <thead className="text-sm text-muted">
              <tr>
                {HEADS.map((head) => (
                  <HeadCell key={head.sort} job={job} head={head} shown={shown} />
                ))}
              </tr>
            </thead>
            <tbody>
              {pages.map((page, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list has each place once, and perhaps one address twice.
                <Row key={index} at={index} job={job} page={page} origin={origin} />
              ))}
            </tbody>
          </table>
          {left > 0 && (
            <div className="border-t border-line p-2 text-center">
              <Button variant="quiet" busy={busy} onClick={onMore}>
                Show {Math.min(STEP, left)} more of {grouped(left)}
              </Button>
            </div>
          )}
        </section>
      )}
    </div>
  );
}

function HeadCell({ job, head, shown }: { job: JobView; head: Head; shown: Shown }) {
  const chosen = shown.sort === head.sort;
  const Arrow = shown.order === 'asc' ? ArrowUp : ArrowDown;
  const order = chosen ? (shown.order === 'asc' ? 'desc' : 'asc') : head.first;
  return (
    <th
      aria-sort={chosen ? (shown.order === 'asc' ? 'ascending' : 'descending') : undefined}
      className={`py-2 font-normal ${head.className}`}
    >
      <Link
        to={pathTo(job, { ...shown, sort: head.sort, order })}
        replace
        className="inline-flex items-center gap-1 underline-offset-2 hover:underline"
      >
        {head.title}
        {chosen && <Arrow aria-hidden="true" size={12} />}
      </Link>
    </th>
  );
}

function Row({ at, job, page, origin }: { at: number; job: JobView; page: Page; origin: string | null }) {
  const { url = '', status = null, findings = 0, highImpact = 0, words = null } = page;
  const bad = status === null || status >= 400;
  return (
    <tr data-row={at} className="border-t border-line align-top">
      <td className="px-4 py-2">
        {page.title && <span className="block text-strong wrap-anywhere">{page.title}</span>}
        <OutsideLink url={url} length={60} origin={origin} />
        {page.indexable === false && <span className="block text-sm text-muted">Search engines may not show it</span>}
      </td>
      <td className={`px-2 py-2 text-sm tabular-nums ${bad ? 'text-bad' : 'text-muted'}`}>
        {status ?? (page.problem || 'no response')}
      </td>
      <td className="px-2 py-2 text-right text-sm text-muted tabular-nums max-sm:hidden">
        {words === null ? '' : grouped(words)}
      </td>
      <td className="py-2 pr-4 pl-2 text-right text-sm tabular-nums">
        {findings > 0 ? (
          <Link {...TO_ROWS} to={jobPath(job.id, { tab: 'findings', page: url })} className="link">
            {grouped(findings)}{' '}
            <span className="sr-only">
              {findings === 1 ? 'finding' : 'findings'} on {url}
            </span>
          </Link>
        ) : (
          <span className="text-muted">0</span>
        )}
        {highImpact > 0 && <span className="block text-xs text-bad">{highImpact} high</span>}
      </td>
    </tr>
  );
}
