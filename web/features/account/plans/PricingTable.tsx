import { useEffect, useRef } from 'react';
import type { PlanView } from '../../../../src/http/contract/subscriptions.ts';
import { asFailure, textOf } from '../../../api/failure.ts';
import { forgetPromotionCode } from '../../../api/promotionCode.ts';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { paths } from '../../../ui/paths.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { PlanColumn } from './PlanColumn.tsx';
import { useCheckOutMutation, useGetPlansQuery } from './plansApi.ts';
import { isLive, refusalText } from './planText.ts';

const PROBLEM = {
  answered: 'Failed to create checkout session',
  unanswered: 'Failed to process subscription request. Please try again.',
};

interface PricingTableProps {
  subscription: SubscriptionStatus['subscription'];
  /** From the tab's address; null if none. */
  promotionCode: string | null;
  /** While the payment is being confirmed. */
  disabled: boolean;
  /** Called to change the plan of a live subscription. */
  onChange: (plan: PlanView) => void;
}

export function PricingTable({ subscription, promotionCode, disabled, onChange }: PricingTableProps) {
  const { data: plans, error, isFetching, refetch } = useGetPlansQuery();
  const [checkOut, { originalArgs, isLoading, isSuccess, error: refusal, reset }] = useCheckOutMutation();
  useEffect(() => {
    // The browser's back button may restore the page as it was left.
    const shownAgain = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) reset();
    };
    window.addEventListener('pageshow', shownAgain);
    return () => window.removeEventListener('pageshow', shownAgain);
  }, [reset]);
  const refusalBox = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the plan that was chosen may be far below.
    if (refusal) refusalBox.current?.scrollIntoView({ block: 'nearest' });
  }, [refusal]);
  const choose = async (plan: PlanView): Promise<void> => {
    if (isLive(subscription)) return onChange(plan);
    if (plan.key === 'free') return;
    const [successUrl, cancelUrl] = [
      `${location.origin}${paths.subscriptionSuccess}?session_id={CHECKOUT_SESSION_ID}`,
      `${location.origin}${paths.plans}`,
    ];
    const { data: url, error: refused } = await checkOut({
      tier: plan.key,
      successUrl,
      cancelUrl,
      ...(promotionCode ? { promotionCode } : {}),
    });
    if (refused && isInvalidCode(refused)) forgetPromotionCode();
    if (url !== undefined) location.assign(url);
  };
  // Also after success: this page stays until the checkout has loaded.
  const leaving = isLoading || isSuccess;
  if (!plans) {
    if (!error) return <Loading />;
    return (
      <ErrorPanel
        title="Unable to load pricing information at this time"
        text={textOf(error, 'Failed to load pricing information')}
        retryLabel="Try Again"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <section aria-labelledby="plans">
      <h2 id="plans" className="sr-only">
        Plans
      </h2>
      {refusal && (
        <div ref={refusalBox} className="mb-4 scroll-mt-20">
          <Notice tone="bad">
            <p>{refusalText(refusal, PROBLEM)}</p>
            {isInvalidCode(refusal) && (
              <p>{originalArgs?.promotionCode} was removed. Choose again to go on without it.</p>
            )}
          </Notice>
        </div>
      )}
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5 lg:gap-3">
        {plans.map((plan) => (
          <PlanColumn
            key={plan.key}
            plan={plan}
            subscription={subscription}
            busy={leaving && originalArgs?.tier === plan.key}
            disabled={disabled || (leaving && originalArgs?.tier !== plan.key)}
            onChoose={() => void choose(plan)}
          />
        ))}
      </ul>
      <p className="mt-3 text-sm text-muted">
        Billed monthly. Upgrades apply now, prorated. Downgrades apply at renewal, without a refund.
      </p>
    </section>
  );
}

const isInvalidCode = (refusal: unknown): boolean => asFailure(refusal).code === 'DISCOUNT_INVALID';

const COLUMNS = ['free', 'tier1', 'tier2', 'tier3', 'tier4'];

function Loading() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2 lg:grid-cols-5 lg:gap-3">
      <span className="sr-only">Loading the plans</span>
      {COLUMNS.map((column) => (
        <Skeleton key={column} className="h-80" />
      ))}
    </div>
  );
}
