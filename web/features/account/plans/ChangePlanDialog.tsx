import type { PlanView, UpgradeCostResponse } from '../../../../src/http/contract/subscriptions.ts';
import { isUpgrade } from '../../../../src/model/tiers.ts';
import { asFailure } from '../../../api/failure.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { moneyText } from '../../../ui/text/money.ts';
import { dayOf } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { PortalButton } from './PortalButton.tsx';
import { useChangePlanMutation, useGetUpgradeCostQuery } from './plansApi.ts';
import { analysesText, monthlyText, refusalText } from './planText.ts';

const PROBLEM = {
  answered: 'Failed to update subscription',
  unanswered: 'Failed to process subscription change. Please try again.',
};

interface ChangePlanDialogProps {
  plan: PlanView;
  subscription: SubscriptionStatus['subscription'];
  onClose: () => void;
  onDone: (text: string) => void;
  returnTo: () => HTMLElement | null;
}

interface Cost {
  data?: UpgradeCostResponse['data'] | undefined;
  isFetching: boolean;
}

/** Without the sum if the payment provider does not say it. */
function chargeText({ data, isFetching }: Cost): string {
  if (isFetching) return 'Your card is charged today (calculating the amount …) for';
  return data
    ? `Your card is charged ${moneyText(data.amount, data.currency)} today: the price of`
    : 'Your card is charged today for';
}

/** How many audits the rest of the period has, where a late upgrade does not add all of the new plan's. */
function limitText({ data }: Cost, plan: PlanView, end: string): string | null {
  if (!data || data.limit >= plan.domainsPerMonth) return null;
  const left = Math.max(0, data.limit - data.used);
  return `You pay for part of this period, so it has ${count(data.limit, 'domain analysis', 'domain analyses')} in all, ${left} of them left. All ${plan.domainsPerMonth} are yours from ${end} on.`;
}

/** A change from one paid plan to another: the cost, the date, and what happens to what was already paid. */
export function ChangePlanDialog({ plan, subscription, onClose, onDone, returnTo }: ChangePlanDialogProps) {
  const [change, { isLoading, error }] = useChangePlanMutation();
  const { tier: currentTier, currentPeriodEnd } = subscription;
  const up = isUpgrade(currentTier, plan.key);
  const cost = useGetUpgradeCostQuery(plan.key, { skip: !up });
  const [current, end] = [tierName(currentTier), currentPeriodEnd ? dayOf(currentPeriodEnd) : 'the end of the period'];
  const limit = limitText(cost, plan, end);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await change({ newTier: plan.key, currentTier, isUpgrade: up });
    if (refusal) return;
    onDone(up ? `You’re on ${plan.name} now.` : `${current} changes to ${plan.name} on ${end}.`);
    onClose();
  };
  const title = `${up ? 'Upgrade' : 'Downgrade'} to ${plan.name}`;
  return (
    <FormDialog
      asks
      title={`${title}?`}
      cancel={`Keep ${current}`}
      submit={title}
      busy={isLoading}
      problem={
        error && (
          <>
            <p>{refusalText(error, PROBLEM)}</p>
            {asFailure(error).code === 'PAYMENT_FAILED' && <PortalButton label="Open billing portal" />}
          </>
        )
      }
      onSubmit={confirm}
      onClose={onClose}
      returnTo={returnTo}
    >
      <p>
        <span className="text-xl font-semibold text-strong">{monthlyText(plan)}</span> for {analysesText(plan)}.
      </p>
      <p className="mt-2">
        {up
          ? `It starts at once. ${chargeText(cost)} the rest of the period until ${end}, less a prorated credit for what you have paid for ${current}.`
          : `You keep ${current} until ${end}. ${plan.name} starts then, with the next renewal. Nothing is refunded.`}
      </p>
      {up && limit !== null && <p className="mt-2">{limit}</p>}
      {(subscription.cancelAtPeriodEnd || subscription.pendingTier !== null) && (
        <p className="mt-2">
          {subscription.cancelAtPeriodEnd
            ? 'Your scheduled cancellation'
            : `The scheduled change to ${tierName(subscription.pendingTier ?? currentTier)}`}{' '}
          is withdrawn.
        </p>
      )}
    </FormDialog>
  );
}
