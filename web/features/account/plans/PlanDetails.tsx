import { Badge } from '../../../ui/Badge.tsx';
import type { Tone } from '../../../ui/Notice.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { balanceText, renewalText, statusWord } from './planText.ts';

const TONES: Partial<Record<SubscriptionStatus['subscription']['status'], Tone>> = {
  active: 'good',
  trialing: 'info',
  past_due: 'attention',
  unpaid: 'bad',
};

interface PlanDetailsProps {
  subscription: SubscriptionStatus['subscription'];
  /** Where the page does not show it elsewhere. */
  balance?: SubscriptionStatus['balance'];
}

/** The subscription in words: its state, what comes next, and the rest of the balance. */
export function PlanDetails({ subscription, balance }: PlanDetailsProps) {
  const { tier, status, pendingTier, pendingAt, graceEndsAt } = subscription;
  const text = balance && balanceText(balance);
  return (
    <div className="mt-3 space-y-1">
      {(tier !== 'free' || status === 'canceled') && (
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={TONES[status] ?? 'plain'}>{statusWord(status)}</Badge>
          {renewalText(subscription)}
        </p>
      )}
      {pendingTier && pendingAt && <p>{`Changes to ${tierName(pendingTier)} on ${dayOf(pendingAt)}`}</p>}
      {status === 'past_due' && graceEndsAt && <p>{`Everything stays as it is until ${dayOf(graceEndsAt)}`}</p>}
      {text && <p className="text-sm text-muted">{text}</p>}
    </div>
  );
}
