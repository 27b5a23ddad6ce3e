import { clsx } from 'clsx';
import { Check, Mail } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import type { PlanView } from '../../../../src/http/contract/subscriptions.ts';
import { isUpgrade } from '../../../../src/model/tiers.ts';
import { selectStatus } from '../../../api/system.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import {
  actionItemsText,
  analysesText,
  featureText,
  isLive,
  onRequestText,
  priceText,
  requestLink,
} from './planText.ts';

type Subscription = SubscriptionStatus['subscription'];

interface PlanColumnProps {
  plan: PlanView;
  subscription: Subscription;
  /** Its checkout is being opened. */
  busy: boolean;
  /** No plan can be chosen now. */
  disabled: boolean;
  onChoose: () => void;
}

/** One plan: its price, what it includes, and its one button. Rows are aligned across columns. */
export function PlanColumn({ plan, subscription, busy, disabled, onChoose }: PlanColumnProps) {
  const choice = choiceOf(plan, subscription);
  return (
    <li
      className={clsx(
        'row-span-4 grid grid-cols-[minmax(0,1fr)] grid-rows-subgrid gap-y-4 rounded-card border bg-card p-4',
        plan.highlighted ? 'border-accent ring-1 ring-accent' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-2 gap-y-1">
        <h3 className="text-lg">{plan.name}</h3>
        {plan.highlighted && <Badge tone="info">Most Popular</Badge>}
      </div>
      <p>
        <span className="text-2xl font-semibold text-strong tabular-nums">{priceText(plan)}</span>{' '}
        <span className="text-muted">a {plan.interval}</span>
      </p>
      <ul className="space-y-1.5">
        <Included>{analysesText(plan)}</Included>
        <Included>{actionItemsText(plan)}</Included>
        {plan.features.map((feature) => (
          <Feature key={feature} feature={feature} plan={plan} />
        ))}
      </ul>
      <Button
        variant={plan.highlighted && choice.isOpen ? 'primary' : 'secondary'}
        className="w-full self-end py-1 whitespace-normal!"
        busy={busy}
        disabled={disabled || !choice.isOpen}
        onClick={onChoose}
      >
        {choice.label}
      </Button>
    </li>
  );
}

/** What must be asked for says so, and leads to the support. */
function Feature({ feature, plan }: { feature: string; plan: PlanView }) {
  const email = useSelector(selectStatus)?.support_email;
  // A server of an earlier version does not say.
  if (!plan.on_request?.includes(feature)) return <Included>{featureText(feature)}</Included>;
  return (
    <li className="flex gap-2">
      <Mail aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-muted" />
      <span>
        {featureText(feature)}{' '}
        {email ? (
          <a
            href={requestLink(email, feature, plan)}
            aria-label={`${featureText(feature)}: ${onRequestText(feature)}`}
            className="text-sm whitespace-nowrap link"
          >
            {onRequestText(feature)}
          </a>
        ) : (
          <span className="text-sm text-muted">{onRequestText(feature)}</span>
        )}
      </span>
    </li>
  );
}

function Included({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2">
      <Check aria-hidden="true" size={16} className="mt-0.5 shrink-0 text-good" />
      <span>{children}</span>
    </li>
  );
}

function choiceOf(
  { key, name }: PlanView,
  subscription: Subscription,
): { readonly label: string; readonly isOpen: boolean } {
  const { tier, cancelAtPeriodEnd, currentPeriodEnd, pendingTier, pendingAt } = subscription;
  const current = isLive(subscription) ? tier : 'free';
  if (key === current) return { label: 'Current plan', isOpen: false };
  if (current === 'free') return { label: `Choose ${name}`, isOpen: true };
  const startsAt = key === 'free' && cancelAtPeriodEnd ? currentPeriodEnd : key === pendingTier ? pendingAt : null;
  if (startsAt) return { label: `Starts ${dayOf(startsAt)}`, isOpen: false };
  return { label: `${isUpgrade(current, key) ? 'Upgrade' : 'Downgrade'} to ${name}`, isOpen: true };
}
