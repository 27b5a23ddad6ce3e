import { useRef } from 'react';
import type { ActivityView } from '../../../../src/http/contract/security.ts';
import { Card } from '../../../ui/Card.tsx';
import { useKeptFocus } from '../../../ui/focus/keptFocus.ts';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';
import { Rest, rowsIn } from '../../../ui/table/Rest.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { useListActivityInfiniteQuery } from './activityApi.ts';

/** Account activity, newest first. */
export function Activity() {
  const query = useListActivityInfiniteQuery(undefined, { refetchOnMountOrArgChange: true });
  const card = useRef<HTMLElement>(null);
  useKeptFocus(card);
  return (
    <Card ref={card} title="Activity">
      <QueryState
        query={query}
        title="Failed to load your activity"
        loading={<RowsSkeleton label="Loading your activity" rows={2} />}
        empty={(list) => rowsIn(list).length === 0 && <p className="text-muted">Nothing yet.</p>}
      >
        {(list) => (
          <ul aria-label="Activity" className="divide-y divide-line">
            {rowsIn(list).map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no state, and two may say the same.
              <Row key={at} at={at} row={row} />
            ))}
          </ul>
        )}
      </QueryState>
      <Rest query={query} />
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
      <span className="min-w-0 wrap-anywhere">
        <span className="text-strong">{title}</span>
        {summary !== '' && <span className="block text-sm text-muted">{summary}</span>}
      </span>
      <time dateTime={at} className="text-sm text-muted">
        {exactTime(at)}
      </time>
    </li>
  );
}
