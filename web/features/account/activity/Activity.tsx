import { useRef } from 'react';
import type { ActivityView } from '../../../../src/http/contract/security.ts';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { useListActivityInfiniteQuery } from './activityApi.ts';

/** Account activity, newest first. */
export function Activity() {
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useListActivityInfiniteQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const card = useRef<HTMLElement>(null);
  useKeptFocus(card);
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <Card ref={card} title="Activity">
      {error !== undefined && (
        <ErrorPanel
          title="Failed to load your activity"
          text={textOf(error, 'The server sent an unexpected response.')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && error === undefined && <ActivitySkeleton />}
      {data && rows.length === 0 && <p className="text-muted">Nothing yet.</p>}
      {rows.length > 0 && (
        <ul aria-label="Activity" className="divide-y divide-line">
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state, and two may say the same.
            <Row key={at} at={at} row={row} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="quiet" busy={isFetchingNextPage} onClick={() => void fetchNextPage()} className="mt-2">
          Load more
        </Button>
      )}
    </Card>
  );
}

const BY: Readonly<Record<NonNullable<ActivityView['by']>, string>> = {
  you: '',
  api_key: 'by an API key of yours',
  admin: 'by an admin',
  operator: 'by the operator of this installation',
};

function Row({ at: place, row: { title, detail, at, by } }: { at: number; row: ActivityView }) {
  // Some titles name who did it.
  const actor = by === null || title.endsWith(BY[by]) ? '' : BY[by];
  const summary = [actor, detail ?? ''].filter((text) => text !== '').join(' · ');
  return (
    <li data-row={place} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="text-strong">{title}</span>
        {summary !== '' && <span className="block text-sm text-muted">{summary}</span>}
      </span>
      <time dateTime={at} className="text-sm text-muted">
        {exactTime(at)}
      </time>
    </li>
  );
}

function ActivitySkeleton() {
  return (
    <div role="status" className="space-y-2">
      <span className="sr-only">Loading your activity</span>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-full" />
    </div>
  );
}
