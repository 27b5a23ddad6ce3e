import { useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { JobView } from '../../../../../src/http/contract/jobs.ts';
import type { LinkSort, LinksQuery, LinksResponse, NoRecord } from '../../../../../src/http/contract/links.ts';
import { LINK_POSITIONS } from '../../../../../src/model/findings.ts';
import { useKeptFocus } from '../../../../ui/focus/keptFocus.ts';
import { Grid } from '../../../../ui/grid/Grid.tsx';
import { GridSkeleton } from '../../../../ui/grid/GridSkeleton.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { count, grouped } from '../../../../ui/text/wording.ts';
import type { AskToSpend } from '../../useRunAgain.tsx';
import { AuditPart } from '../AuditPart.tsx';
import { commonOrigin } from '../addressText.ts';
import { Nothing } from '../Nothing.tsx';
import { rowsOf, useListLinksInfiniteQuery } from '../reportApi.ts';
import { type Facet, facetOf } from './FacetChips.tsx';
import { EXTERNAL_NAMES, firstOrderOf, linkColumnsOf, NOFOLLOW_NAMES, POSITION_NAMES } from './linkColumns.tsx';
import { Narrowed } from './Narrowed.tsx';
import { NewAudit, RecordedSince } from './NewAudit.tsx';
import { STATUS_NAMES } from './pageWords.ts';
import { TableFrame } from './TableFrame.tsx';
import { changed, given, oneOf } from './tableAddress.ts';

const STEP = 100;
const STATUSES = Object.keys(STATUS_NAMES) as (keyof typeof STATUS_NAMES)[];
const SORTS: readonly LinkSort[] = ['from', 'to', 'anchor', 'position', 'status'];
const YES_NO = ['yes', 'no'] as const;

const NARROWED = [
  { name: 'from', text: 'Links on', without: 'Links on any page' },
  { name: 'to', text: 'Links to', without: 'Links to any page' },
] as const;

type Asked = Omit<LinksQuery, 'limit' | 'cursor'>;

function askedIn(search: URLSearchParams): Asked {
  const sort = oneOf(search, 'sort', SORTS);
  return given({
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
    position: oneOf(search, 'position', LINK_POSITIONS),
    status: oneOf(search, 'status', STATUSES),
    external: oneOf(search, 'external', YES_NO),
    nofollow: oneOf(search, 'nofollow', YES_NO),
    search: search.get('search') ?? '',
    sort,
    order: sort && (oneOf(search, 'order', ['asc', 'desc']) ?? firstOrderOf(sort)),
  });
}

/** All links between pages and to other sites. */
export function LinksTab({ job, Ask }: { job: JobView; Ask: AskToSpend }) {
  const [search] = useSearchParams();
  const query = useListLinksInfiniteQuery({ ...rowsOf(job), ...askedIn(search), limit: STEP });
  return (
    <AuditPart query={query} loading={<GridSkeleton label="Loading the links" />}>
      {({ pages }) => {
        const why = pages[0]?.data.noRecord;
        return why ? (
          <WithoutRecord job={job} Ask={Ask} why={why} />
        ) : (
          <LinkTable job={job} lists={pages} busy={query.isFetching} onMore={() => void query.fetchNextPage()} />
        );
      }}
    </AuditPart>
  );
}

function WithoutRecord({ job, Ask, why }: { job: JobView; Ask: AskToSpend; why: NoRecord }) {
  if (why === 'earlier_version') return <RecordedSince job={job} Ask={Ask} what="the links of a site" />;
  if (why === 'removed')
    return (
      <NewAudit job={job} Ask={Ask}>
        The links of this audit were removed: newer audits of this site have theirs.
      </NewAudit>
    );
  return (
    <Nothing
      text={
        why === 'preview' ? 'Links appear together with the tasks.' : 'This site is too large for its links to be kept.'
      }
    />
  );
}

interface LinkTableProps {
  job: JobView;
  lists: readonly LinksResponse[];
  busy: boolean;
  onMore: () => void;
}

function LinkTable({ job, lists, busy, onMore }: LinkTableProps) {
  const [search] = useSearchParams();
  const links = useMemo(() => lists.flatMap(({ data }) => data.links), [lists]);
  const origin = useMemo(() => commonOrigin(links.map(({ from }) => from)), [links]);
  const columns = useMemo(() => linkColumnsOf(job.id, origin), [job.id, origin]);
  const region = useRef<HTMLElement>(null);
  useKeptFocus(region);
  const data = lists[0]?.data;
  if (!data) return null;
  const { total, kept, found, preview } = data;
  const left = total - links.length;
  const { sort, order } = askedIn(search);
  return (
    <TableFrame
      name="Links"
      placeholder="URL or anchor"
      facets={facetsOf(data)}
      filters={['from', 'to']}
      number={left > 0 ? `${grouped(links.length)} of ${count(total, 'link')}` : count(total, 'link')}
      busy={busy}
      notice={
        <>
          <Narrowed search={search} ends={NARROWED} />
          {preview && (
            <Notice tone="info">
              <p>This preview has the links on pages with unlocked findings.</p>
            </Notice>
          )}
          {!preview && kept < found && (
            <Notice tone="info">
              <p>
                Of {count(found, 'link')}, the first {grouped(kept)} are kept.
              </p>
            </Notice>
          )}
        </>
      }
    >
      {(full) =>
        links.length === 0 ? (
          <Nothing text="No links match these filters." />
        ) : (
          <Grid
            label="Links"
            columns={columns}
            rows={links}
            total={total}
            sorted={sort && order ? { by: sort, order } : null}
            sortTo={(column, next) =>
              changed(search, { sort: column, order: next === firstOrderOf(column as LinkSort) ? null : next })
            }
            region={region}
            className={full ? 'min-h-0 flex-1' : 'max-h-[80vh]'}
            more={{ left, step: STEP, busy, onMore }}
          />
        )
      }
    </TableFrame>
  );
}

function facetsOf({ facets }: LinksResponse['data']): readonly Facet[] {
  const numbers = (counts: readonly { readonly value: string; readonly links: number }[]) =>
    counts.map(({ value, links }) => ({ value, number: links }));
  return [
    facetOf('external', 'Target', EXTERNAL_NAMES, numbers(facets.external)),
    facetOf('position', 'Position', POSITION_NAMES, numbers(facets.position)),
    facetOf('status', 'Status', STATUS_NAMES, numbers(facets.status)),
    facetOf('nofollow', 'Rel', NOFOLLOW_NAMES, numbers(facets.nofollow)),
  ];
}
