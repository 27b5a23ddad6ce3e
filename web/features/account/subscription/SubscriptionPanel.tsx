import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Badge } from '../../../ui/Badge.tsx';
import { Card } from '../../../ui/Card.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { count, titleCase } from '../../../ui/text/wording.ts';
import { type SubscriptionStatus, useGetSubscriptionQuery } from './subscriptionApi.ts';
import { tierName, usageTone } from './tiers.ts';

/** `children`: more content, replacing the status. */
export function SubscriptionPanel({ isAdmin, children }: { isAdmin: boolean; children?: ReactNode }) {
  const query = useGetSubscriptionQuery();
  const subscription = query.data?.subscription;
  const free = subscription?.tier === 'free';
  return (
    <Card
      title="Subscription"
      aside={
        subscription && (
          <Badge tone={free ? 'plain' : 'good'}>{free && isAdmin ? 'Admin' : tierName(subscription.tier)}</Badge>
        )
      }
    >
      <QueryState
        query={query}
        title="Failed to fetch subscription status"
        text="Failed to fetch subscription"
        loading={<RowsSkeleton label="Loading the subscription" rows={3} row="h-4" />}
      >
        {(data) => (
          <>
            {isAdmin ? (
              <p className="text-muted">Administrators have unlimited audits and full access.</p>
            ) : (
              <Usage data={data} />
            )}
            {children ?? (!free && <p className="mt-2 text-sm text-muted">{titleCase(data.subscription.status)}</p>)}
          </>
        )}
      </QueryState>
    </Card>
  );
}

const FILLS = { good: 'text-good', attention: 'text-attention', bad: 'text-bad' };

/** What pays once the period's allowance is used up. */
const PAYS: Partial<Record<NonNullable<SubscriptionStatus['balance']['paysNext']>, string>> = {
  credits: 'are paid from your credits',
  funds: 'are paid from your funds',
  free_allowance: 'are previews of the Free plan',
};

function leftText({ usage, balance: { paysNext } }: SubscriptionStatus): string {
  const left = Math.max(0, usage.limit - usage.used);
  const pays = paysNext && PAYS[paysNext];
  if (left > 0) return `${count(left, 'audit')} left until ${dayOf(usage.periodEnd)}.`;
  return pays
    ? `All used. Until ${dayOf(usage.periodEnd)}, audits ${pays}.`
    : `No audits left. Your allowance resets on ${dayOf(usage.periodEnd)}.`;
}

function Usage({ data }: { data: SubscriptionStatus }) {
  const { usage, subscription } = data;
  return (
    <>
      <p>
        <span className="text-xl font-semibold text-strong tabular-nums">
          {usage.used} of {usage.limit}
        </span>{' '}
        <span className="text-muted">audits used</span>
      </p>
      <progress
        max={Math.max(1, usage.limit)}
        value={Math.min(usage.used, usage.limit)}
        aria-label="Audits used"
        className={clsx('mt-2', FILLS[usageTone(usage.used, usage.limit)])}
      />
      <p className="mt-2 text-sm text-muted">
        {leftText(data)}
        {subscription.tier === 'free' &&
          !subscription.hasFullAccess &&
          ` Each shows its top ${subscription.features.actionItemsLimit} action items.`}
      </p>
    </>
  );
}
