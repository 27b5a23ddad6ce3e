import { Notice } from '../../../ui/Notice.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { PortalButton } from './PortalButton.tsx';

/** What the plan bought is on hold, though the plan itself goes on. */
function OnHold({ name, reason }: { name: string; reason: 'disputed' | 'refunded' }) {
  return (
    <Notice
      tone="bad"
      title={`${name} is on hold: its payment ${reason === 'disputed' ? 'is disputed' : 'was refunded'}`}
    >
      <p>
        What this period bought is paused. Free audits, credits and funds work as always, and you can cancel at any
        time. {name} goes on {reason === 'disputed' ? 'when the dispute is decided in our favor, or ' : ''}with the next
        paid period.
      </p>
      <PortalButton label="Open billing portal" />
    </Notice>
  );
}

/** A payment failed: how long everything stays as it is, and what to do. */
export function PaymentIssue({ subscription: { tier, status, graceEndsAt, holdReason }, balance }: SubscriptionStatus) {
  const name = tierName(tier);
  if (holdReason !== null) return <OnHold name={name} reason={holdReason} />;
  if (status !== 'past_due' && status !== 'unpaid') return null;
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
