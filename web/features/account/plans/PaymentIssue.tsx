import { Notice } from '../../../ui/Notice.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { PortalButton } from './PortalButton.tsx';

/** A payment failed: how long everything stays as it is, and what to do. */
export function PaymentIssue({ subscription: { tier, status, graceEndsAt }, balance }: SubscriptionStatus) {
  if (status !== 'past_due' && status !== 'unpaid') return null;
  const name = tierName(tier);
  // Whether the grace period is over: the plan in effect is then no longer the paid one.
  const isOver = balance.plan === 'free';
  return (
    <Notice
      tone={isOver ? 'bad' : 'attention'}
      title={isOver ? `${name} is on hold: your payment failed` : 'Your last payment failed'}
    >
      <p>
        {isOver
          ? `New audits are on the Free plan until the open invoice is paid.`
          : `${name} stays as it is${graceEndsAt ? ` until ${dayOf(graceEndsAt)}` : ' for a few days'}. After that, new audits are on the Free plan.`}{' '}
        Update your card or pay the open invoice in the billing portal.
      </p>
      <PortalButton label="Update payment method" />
    </Notice>
  );
}
