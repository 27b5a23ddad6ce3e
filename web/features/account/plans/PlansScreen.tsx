import { clsx } from 'clsx';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { PlanView } from '../../../../src/http/contract/subscriptions.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { QueryState } from '../../../ui/QueryState.tsx';
import { Loading, Spinner } from '../../../ui/Spinner.tsx';
import { SubscriptionPanel } from '../subscription/SubscriptionPanel.tsx';
import { type SubscriptionStatus, useGetSubscriptionQuery } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { CancelDialog, CancelSubscription } from './CancelSubscription.tsx';
import { ChangePlanDialog } from './ChangePlanDialog.tsx';
import { PaymentIssue } from './PaymentIssue.tsx';
import { PlanDetails } from './PlanDetails.tsx';
import { BillingPortal } from './PortalButton.tsx';
import { PricingTable } from './PricingTable.tsx';
import { isLive } from './planText.ts';
import { ScheduledChange } from './ScheduledChange.tsx';
import { SyncIssue } from './SyncIssue.tsx';
import { type Confirmation, useConfirmation } from './useConfirmation.ts';

const MESSAGE_MS = 3_000;

interface PlansScreenProps {
  isAdmin: boolean;
  /** The user returned from the checkout. */
  landed: boolean;
  promotionCode: string | null;
  /** Shown below the heading. */
  note: ReactNode;
}

/** The plans, and everything to do with the user's own. */
export function PlansScreen({ isAdmin, landed, promotionCode, note }: PlansScreenProps) {
  const query = useGetSubscriptionQuery(undefined, { refetchOnFocus: true });
  const { data } = query;
  const confirmation = useConfirmation(landed, data ? isLive(data.subscription) : false);
  return (
    <>
      <h1 className="text-2xl">{data && isLive(data.subscription) ? 'Change Your Plan' : 'Choose Your Plan'}</h1>
      {note}
      <QueryState
        query={query}
        title="Failed to fetch subscription status"
        text="Failed to fetch subscription"
        loading={<Loading label="Loading your subscription" />}
      >
        {(status) => (
          <OwnPlan status={status} confirmation={confirmation} isAdmin={isAdmin} promotionCode={promotionCode} />
        )}
      </QueryState>
    </>
  );
}

interface OwnPlanProps extends Pick<PlansScreenProps, 'isAdmin' | 'promotionCode'> {
  status: SubscriptionStatus;
  confirmation: Confirmation | null;
}

function OwnPlan({ status, confirmation, isAdmin, promotionCode }: OwnPlanProps) {
  const [asked, setAsked] = useState<PlanView | 'cancel' | null>(null);
  const [done, setDone] = useDone();
  const [hasActed, setHasActed] = useState(false);
  const acted = useRef(false);
  const notice = useRef<HTMLDivElement>(null);
  const { subscription } = status;
  const live = isLive(subscription);
  const canCancel = live || subscription.holdReason !== null;
  const ask = (what: PlanView | 'cancel'): void => {
    setDone(null);
    acted.current = false;
    setAsked(what);
  };
  const onDone = (text: string): void => {
    setDone(text);
    setHasActed(true);
    acted.current = true;
  };
  // The button that was pressed is mostly gone or disabled.
  const returnTo = (): HTMLElement | null => (acted.current ? notice.current : null);
  const dialog = { onClose: () => setAsked(null), onDone, returnTo };
  return (
    <>
      {/* Always rendered, so that screen readers announce what is added to it. */}
      <div role="status" className="-mt-4 flex flex-col *:mt-4">
        {confirmation && !hasActed && <Landing confirmation={confirmation} plan={tierName(subscription.tier)} />}
        <Done box={notice} text={done} />
      </div>
      <SyncIssue subscription={subscription} />
      <PaymentIssue {...status} />
      <ScheduledChange subscription={subscription} onDone={onDone} />
      <PricingTable
        subscription={subscription}
        promotionCode={promotionCode}
        disabled={confirmation === 'confirming'}
        onChange={(plan) => ask(plan.key === 'free' ? 'cancel' : plan)}
      />
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        <SubscriptionPanel isAdmin={isAdmin}>
          <PlanDetails {...status} />
        </SubscriptionPanel>
        {subscription.tier !== 'free' && <BillingPortal />}
        {canCancel && (
          <CancelSubscription
            name={tierName(subscription.tier)}
            scheduled={subscription.cancelAtPeriodEnd}
            onAsk={() => ask('cancel')}
          />
        )}
      </div>
      {canCancel && asked === 'cancel' && <CancelDialog status={status} {...dialog} />}
      {/* A change that the bank had to confirm may complete on its own, and then there is nothing left to ask. */}
      {live && asked !== null && asked !== 'cancel' && asked.key !== subscription.tier && (
        <ChangePlanDialog plan={asked} subscription={subscription} {...dialog} />
      )}
    </>
  );
}

/** A brief confirmation; the page itself shows the result. */
function useDone() {
  const [done, setDone] = useState<string | null>(null);
  useEffect(() => {
    if (done === null) return;
    const timer = setTimeout(() => setDone(null), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [done]);
  return [done, setDone] as const;
}

/**
 * Scrolls into view, since the page may be scrolled far down, and takes focus, since the button that had it is mostly
 * gone. Focus stays here when the text goes.
 */
function Done({ box, text }: { box: RefObject<HTMLDivElement | null>; text: string | null }) {
  useEffect(() => {
    if (text === null) return;
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [box, text]);
  return (
    <div ref={box} tabIndex={-1} className={clsx('scroll-mt-20 outline-none', text === null && 'mt-0!')}>
      {text !== null && <Notice tone="good" title={text} />}
    </div>
  );
}

/** Returning from the checkout proves nothing: only the provider's confirmation counts. */
function Landing({ confirmation, plan }: { confirmation: Confirmation; plan: string }) {
  if (confirmation === 'confirmed') return <Notice tone="good" title={`You’re on ${plan} now`} />;
  return (
    <Notice tone="info" title="Your payment is being confirmed">
      {confirmation === 'confirming' ? (
        <p className="flex items-center gap-2">
          <Spinner small /> This usually takes a few seconds.
        </p>
      ) : (
        <p>
          The payment provider hasn’t confirmed it yet. Your plan updates here as soon as it has: no need to pay again.
        </p>
      )}
    </Notice>
  );
}
