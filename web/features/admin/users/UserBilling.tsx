import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { AdminUserView } from '../../../../src/http/contract/admin/users.ts';
import type { Transaction } from '../../../../src/http/contract/billing.ts';
import { nameOfTier } from '../../../../src/model/tiers.ts';
import { adminHistoryPath, adminLedgerPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { MINUS, moneyText } from '../../../ui/text/money.ts';
import { dayOf } from '../../../ui/text/time.ts';
import { count, grouped, titleCase } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { changesPath, monthBefore } from '../past/pastAddress.ts';
import { Fact, Facts } from './Facts.tsx';
import { GrantCreditsDialog } from './GrantCreditsDialog.tsx';
import { ResumePlanDialog } from './ResumePlanDialog.tsx';
import { useListUserHistoryInfiniteQuery } from './usersApi.ts';

/** `now`: current time, in ms. */
export function UserBilling({
  userId,
  billing,
  now = Date.now(),
}: {
  userId: string;
  billing: AdminUserView['billing'];
  now?: number;
}) {
  const [granting, setGranting] = useState(false);
  const [resuming, setResuming] = useState(false);
  const [since] = useState(() => monthBefore(now));
  return (
    <Card
      title="Plan and balance"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <Link to={changesPath('bill', userId, since)} className="text-sm link">
            What changed in the bill
          </Link>
          <Link to={adminHistoryPath(`billing-${userId}`)} className="text-sm link">
            History of the bill
          </Link>
          <Link to={adminLedgerPath(userId)} className="text-sm link">
            Rows in the ledger
          </Link>
          {billing.subscription.holdReason !== null && (
            <Button onClick={() => setResuming(true)}>Resume the plan</Button>
          )}
          <Button onClick={() => setGranting(true)}>Grant credits</Button>
        </div>
      }
    >
      <PlanFacts billing={billing} />
      <h3 className="mt-4 mb-1 text-sm text-muted">History</h3>
      <History userId={userId} />
      {granting && <GrantCreditsDialog userId={userId} onClose={() => setGranting(false)} />}
      {resuming && <ResumePlanDialog userId={userId} onClose={() => setResuming(false)} />}
    </Card>
  );
}

export function PlanFacts({ billing: { balance, subscription, usage } }: { billing: AdminUserView['billing'] }) {
  return (
    <Facts>
      <Fact name="Plan">
        {nameOfTier(balance.plan)}
        {subscription.status !== 'inactive' && ` · ${titleCase(subscription.status)}`}
        {subscription.currentPeriodEnd !== null &&
          `, ${subscription.cancelAtPeriodEnd ? 'ends' : 'renews'} ${dayOf(subscription.currentPeriodEnd)}`}
      </Fact>
      <Fact name="Used">
        {grouped(usage.used)} of {count(usage.limit, 'audit')}
      </Fact>
      <Fact name="Credits">{grouped(balance.credits)}</Fact>
      <Fact name="Funds">{moneyText(balance.funds, balance.currency)}</Fact>
    </Facts>
  );
}

function History({ userId }: { userId: string }) {
  const query = useListUserHistoryInfiniteQuery(userId);
  return (
    <AdminAnswer
      query={query}
      title="Failed to load the history"
      textOf={(status) => `Failed to fetch history: ${status || 'no answer'}`}
    >
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0) return <p className="text-muted">No payments and no credits yet.</p>;
        return (
          <>
            <BillRows userId={userId} rows={rows} />
            {query.hasNextPage && (
              <Button className="mt-2" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Load more
              </Button>
            )}
          </>
        );
      }}
    </AdminAnswer>
  );
}

/** Link to the bill's history at an event's time. */
function eventPath(userId: string, at: string): string {
  const until = new Date(Date.parse(at) + 1).toISOString();
  return `${adminHistoryPath(`billing-${userId}`)}&${new URLSearchParams({ from: at, to: until })}`;
}

export function BillRows({ userId, rows }: { userId: string; rows: readonly Transaction[] }) {
  return (
    <ul aria-label="Billing history" className="divide-y divide-line border-t border-line">
      {rows.map((row) => (
        <Row key={row.id} userId={userId} row={row} />
      ))}
    </ul>
  );
}

function Row({ userId, row }: { userId: string; row: Transaction }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 py-2">
      <span className="min-w-0 flex-1 basis-40">
        <Link to={eventPath(userId, row.created_at)} className="text-strong underline-offset-2 hover:underline">
          {row.description ?? titleCase(row.type)}
        </Link>
        <span className="block text-sm text-muted wrap-anywhere">
          {dayOf(row.created_at)}
          {row.reason !== null && ` · ${row.reason}`}
        </span>
      </span>
      <span className="tabular-nums">{amountText(row)}</span>
    </li>
  );
}

/** Money, or a number of credits; empty when the row involves neither. */
function amountText({ amount, currency, stripe_payment_id: payment, metadata }: Transaction): string {
  if (currency === null) return amount === 0 ? '' : `${amount < 0 ? MINUS : ''}${count(Math.abs(amount), 'credit')}`;
  return amount === 0 && payment === null && metadata.amount_dollars === undefined ? '' : moneyText(amount, currency);
}
