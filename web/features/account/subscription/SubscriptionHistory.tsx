import { useState } from 'react';
import type { Transaction } from '../../../../src/http/contract/billing.ts';
import { textOf } from '../../../api/failure.ts';
import { useRefetchOnChange } from '../../../api/live.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { titleCase } from '../../../ui/text/wording.ts';
import { HISTORY_PAGE, useGetHistoryQuery, useLazyGetHistoryQuery } from '../accountApi.ts';
import { amountText, statusText } from './historyText.ts';
import { useGetSubscriptionQuery } from './subscriptionApi.ts';

export function SubscriptionHistory() {
  const history = useGetHistoryQuery(null);
  const { data: bill } = useGetSubscriptionQuery();
  // When the socket reports a changed bill, its history has changed too.
  useRefetchOnChange(bill, history);
  return (
    <Card title="Subscription history">
      <QueryState
        query={history}
        title="Failed to load subscription history"
        text="Failed to fetch subscription history"
        retryLabel="Try Again"
        loading={<RowsSkeleton label="Loading the subscription history" rows={2} row="h-5" />}
      >
        {({ transactions, pagination }) => <Transactions newest={transactions} cursor={pagination.cursor} />}
      </QueryState>
    </Card>
  );
}

interface Shown {
  readonly newest: readonly Transaction[];
  readonly rows: readonly Transaction[];
  readonly cursor: string | null;
  /** Whether the last page was full, so that there may be another. */
  readonly full: boolean;
}

const shownFirst = (newest: readonly Transaction[], cursor: string | null): Shown => ({
  newest,
  rows: newest,
  cursor,
  full: newest.length === HISTORY_PAGE,
});

/** Prepends new rows to the loaded ones; starts over when the two do not overlap. */
function joined(held: Shown, newest: readonly Transaction[], cursor: string | null): Shown {
  const meets = newest.findIndex(({ id }) => id === held.rows[0]?.id);
  if (meets < 0) return shownFirst(newest, cursor);
  return { ...held, newest, rows: [...newest.slice(0, meets), ...held.rows] };
}

function Transactions({ newest, cursor }: { newest: readonly Transaction[]; cursor: string | null }) {
  const [held, setHeld] = useState(() => shownFirst(newest, cursor));
  const [load, { isFetching, error }] = useLazyGetHistoryQuery();
  const shown = held.newest === newest ? held : joined(held, newest, cursor);
  if (shown !== held) setHeld(shown);
  const loadMore = async (): Promise<void> => {
    const { data } = await load(shown.cursor);
    if (!data) return;
    const { transactions, pagination } = data;
    setHeld((now) => ({
      ...now,
      rows: [...now.rows, ...transactions],
      cursor: pagination.cursor,
      full: transactions.length === HISTORY_PAGE,
    }));
  };
  if (shown.rows.length === 0)
    return <p className="text-muted">No payments yet. Payments and plan changes will appear here.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.rows.map((transaction) => (
          <Row key={transaction.id} transaction={transaction} />
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {textOf(error, 'Failed to fetch subscription history')}
        </p>
      )}
      {shown.full && shown.cursor !== null && (
        <Button busy={isFetching} onClick={() => void loadMore()} className="mt-2">
          Load More
        </Button>
      )}
    </>
  );
}

function Row({ transaction }: { transaction: Transaction }) {
  const { description, reason, type, created_at, status } = transaction;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="min-w-0 flex-1 basis-40">
        <span className="text-strong">{description ?? reason ?? titleCase(type)}</span>
        <span className="block text-sm text-muted">
          {dayOf(created_at)}
          {description !== null && reason !== null && ` · ${reason}`}
        </span>
      </span>
      {/* Where they do not fit beside the text, both move below it. */}
      <span className="ml-auto flex shrink-0 items-center gap-x-3">
        <Badge tone="plain">{statusText(status)}</Badge>
        <span className="tabular-nums">{amountText(transaction)}</span>
      </span>
    </li>
  );
}
