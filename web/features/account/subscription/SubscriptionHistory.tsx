import { useState } from 'react';
import type { Transaction } from '../../../../src/http/contract/billing.ts';
import { textOf } from '../../../api/failure.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { HISTORY_PAGE, useGetHistoryQuery, useLazyGetHistoryQuery } from '../accountApi.ts';
import { amountText, statusText } from './historyText.ts';

export function SubscriptionHistory() {
  const { data, error, isFetching, refetch } = useGetHistoryQuery(null);
  return (
    <Card title="Subscription history">
      {data ? (
        // With a new first line the pages behind it begin elsewhere.
        <Transactions key={data.transactions[0]?.id} first={data.transactions} cursor={data.pagination.cursor} />
      ) : error ? (
        <ErrorPanel
          title="Failed to load subscription history"
          text={textOf(error, 'Failed to fetch subscription history')}
          retryLabel="Try Again"
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <div role="status" className="space-y-3">
          <span className="sr-only">Loading the subscription history</span>
          <Skeleton className="h-5 w-full" />
          <Skeleton className="h-5 w-2/3" />
        </div>
      )}
    </Card>
  );
}

function Transactions({ first, cursor: firstCursor }: { first: readonly Transaction[]; cursor: string | null }) {
  const [more, setMore] = useState<readonly Transaction[]>([]);
  const [cursor, setCursor] = useState(firstCursor);
  const [load, { isFetching, error }] = useLazyGetHistoryQuery();
  const all = [...first, ...more];
  // A page that came full may have another behind it.
  const full = all.length > 0 && all.length % HISTORY_PAGE === 0 && cursor !== null;
  const loadMore = async (): Promise<void> => {
    const { data } = await load(cursor);
    if (!data) return;
    setMore([...more, ...data.transactions]);
    setCursor(data.pagination.cursor);
  };
  if (all.length === 0) return <p className="text-muted">No payments yet. Payments and plan changes will appear here.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {all.map((transaction) => (
          <li key={transaction.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <span className="min-w-0 flex-1">
              <span className="text-strong">{transaction.description ?? transaction.reason ?? transaction.type}</span>
              <span className="block text-sm text-muted">{dayOf(transaction.created_at)}</span>
            </span>
            <Badge tone="plain">{statusText(transaction.status)}</Badge>
            <span className="tabular-nums">{amountText(transaction)}</span>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {textOf(error, 'Failed to fetch subscription history')}
        </p>
      )}
      {full && (
        <Button busy={isFetching} onClick={() => void loadMore()} className="mt-2">
          Load More
        </Button>
      )}
    </>
  );
}
