import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import type { HistoryPage } from '../../../../src/http/contract/admin/history.ts';
import { textOf } from '../../../api/failure.ts';
import { sessionEnded } from '../../../api/sessionEnded.ts';
import { adminHistoryPath, adminUserPath } from '../../../ui/adminPaths.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { hasPast } from '../past/pastAddress.ts';
import { useRequested } from '../useRequested.ts';
import { downloadHistory } from './downloadHistory.ts';
import { HistoryFilters } from './HistoryFilters.tsx';
import { type HistoryRequest, useLastEventQuery, useListHistoryInfiniteQuery } from './historyApi.ts';
import { Timeline } from './Timeline.tsx';

/**
 * Polled with a small request while the page is visible: streams have no realtime channel, and viewing one does not
 * justify adding one.
 */
const TAIL = { pollingInterval: 5_000, skipPollingIfUnfocused: true } as const;

const FILTERS = ['types', 'actor', 'from', 'to'] as const;

/** A stream's events. */
export function StreamHistory({ stream }: { stream: string }) {
  const [address, setAddress] = useSearchParams();
  const { hash } = useLocation();
  const marked = /^#\d{1,15}$/.test(hash) ? Number(hash.slice(1)) : null;
  // Links within the loaded events only scroll; the initial anchor decides what is fetched.
  const [around] = useState(marked);
  const asked: HistoryRequest = {
    stream,
    around,
    order: address.get('order') === 'oldest' ? 'oldest' : 'newest',
    ...Object.fromEntries(FILTERS.map((name) => [name, address.get(name) ?? ''])),
  };
  const query = useListHistoryInfiniteQuery(asked);
  const [chosen, choose] = useRequested(asked, ({ types, actor, from, to, order }) => {
    const next = new URLSearchParams({ stream });
    for (const [name, value] of Object.entries({ types, actor, from, to, order }))
      if (value && value !== 'newest') next.set(name, value);
    setAddress(next, { replace: true });
  });
  return (
    <AdminAnswer
      query={query}
      title="Failed to load the history"
      textOf={(status) =>
        status === 404 ? 'There is no such stream.' : textOf(query.error, 'The server sent an unexpected response.')
      }
    >
      {({ pages }) => {
        const [page] = pages;
        if (!page) return null;
        return (
          <div className="space-y-4">
            <Head page={page} asked={asked} />
            {page.last !== null && (
              <Card title="Events" aside={<Extent pages={pages} />}>
                <HistoryFilters
                  types={page.types}
                  asked={chosen}
                  onChange={(filters) => choose({ ...chosen, ...filters })}
                />
                <Pages query={query} pages={pages} asked={asked} marked={marked} />
              </Card>
            )}
          </div>
        );
      }}
    </AdminAnswer>
  );
}

const FORMATS = ['json', 'csv'] as const;
type Format = (typeof FORMATS)[number];

function Head({ page, asked }: { page: HistoryPage; asked: HistoryRequest }) {
  const { kind, stream, owner, status, deletion, first } = page;
  const dispatch = useDispatch();
  const [failed, setFailed] = useState(false);
  const [saving, setSaving] = useState<Format | null>(null);
  const save = async (format: Format): Promise<void> => {
    setSaving(format);
    setFailed(!(await downloadHistory(asked, format, () => void dispatch(sessionEnded()))));
    setSaving(null);
  };
  const by = deletion && `${deletion.title} on ${exactTime(deletion.at, 'seconds')}, by ${deletion.by}.`;
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-xl sm:text-2xl">History: {kind}</h1>
          <p className="font-mono text-sm text-muted wrap-anywhere">{stream}</p>
          {owner && (
            <p className="text-sm">
              Owner: <Owner owner={owner} />. Your view is logged.
            </p>
          )}
        </div>
        {status === 'found' && (
          <div className="flex flex-wrap gap-2">
            {hasPast(stream) && (
              <Link to={adminHistoryPath(stream, '')} className={buttonClasses('secondary')}>
                Snapshots
              </Link>
            )}
            {FORMATS.map((format) => (
              <Button key={format} busy={saving === format} onClick={() => void save(format)}>
                <Download aria-hidden="true" size={14} />
                {format.toUpperCase()}
              </Button>
            ))}
          </div>
        )}
      </header>
      {failed && <Notice tone="bad" title="The file could not be fetched. Please try again." />}
      {status === 'deleted' && (
        <Notice tone="attention" title="Permanently deleted">
          <p>{by ?? 'Its name doesn’t tell who deleted it.'}</p>
        </Notice>
      )}
      {status === 'found' && first !== null && first > 0 && (
        <Notice tone="attention" title={`The first ${count(first, 'event')} were erased`}>
          <p>The rest starts with: {by}</p>
        </Notice>
      )}
    </>
  );
}

/** A deleted account has no page. */
function Owner({ owner: { id, email } }: { owner: NonNullable<HistoryPage['owner']> }) {
  if (email === null) return 'a deleted account';
  return (
    <Link to={adminUserPath(id)} className="link">
      {email}
    </Link>
  );
}

function Extent({ pages }: { pages: readonly HistoryPage[] }) {
  const last = Math.max(...pages.map((page) => page.last ?? 0));
  const first = pages[0]?.first ?? 0;
  return <p className="text-sm text-muted tabular-nums">{count(last - first + 1, 'event')}</p>;
}

type Query = ReturnType<typeof useListHistoryInfiniteQuery>;

function Pages({
  query,
  pages,
  asked,
  marked,
}: {
  query: Query;
  pages: readonly HistoryPage[];
  asked: HistoryRequest;
  marked: number | null;
}) {
  const { isFetching, isError, fetchNextPage, fetchPreviousPage } = query;
  const tail = useLastEventQuery(asked.stream, TAIL);
  const newestFirst = asked.order === 'newest';
  const [top, end] = [pages[0], pages.at(-1)];
  const newest = newestFirst ? top : end;
  const more = newestFirst ? (end?.older ?? null) !== null : (end?.newer ?? null) !== null;
  const before = newestFirst ? (top?.newer ?? null) !== null : (top?.older ?? null) !== null;
  const isAtEnd = newest !== undefined && newest.newer === null;
  const hasNews = isAtEnd && (tail.data ?? 0) > (newest.last ?? 0);
  useEffect(() => {
    // After an error only the button retries, as automatic retries would never stop.
    if (hasNews && !isFetching && !isError) void (newestFirst ? fetchPreviousPage() : fetchNextPage());
  }, [hasNews, isFetching, isError, newestFirst, fetchPreviousPage, fetchNextPage]);
  const events = pages.flatMap((page) => page.events);
  return (
    <div className="mt-3">
      {before && (
        <Earlier busy={query.isFetchingPreviousPage} onClick={() => void fetchPreviousPage()}>
          {newestFirst ? 'Show newer events' : 'Show older events'}
        </Earlier>
      )}
      <p role="status" className="sr-only">
        {count(events.length, 'event')} shown
      </p>
      {events.length === 0 && !more && <p className="py-4 text-center text-muted">No events match.</p>}
      <Timeline
        stream={asked.stream}
        events={events}
        hasStates={top?.has_states ?? false}
        marked={marked}
        onEnd={() => {
          if (more && !isFetching) void fetchNextPage();
        }}
      />
      {more && (
        <Earlier busy={query.isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {newestFirst ? 'Show older events' : 'Show newer events'}
        </Earlier>
      )}
    </div>
  );
}

function Earlier({ busy, onClick, children }: { busy: boolean; onClick: () => void; children: string }) {
  return (
    <div className="py-2 text-center">
      <Button variant="quiet" busy={busy} onClick={onClick}>
        {children}
      </Button>
    </div>
  );
}
