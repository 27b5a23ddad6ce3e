import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { useCancelMutation } from './plansApi.ts';
import { Detail } from './ScheduledChange.tsx';

const FAILED = 'Failed to cancel subscription. Please try again.';

interface CancelSubscriptionProps {
  name: string;
  /** Whether it already ends with the period; it can then still be ended at once. */
  scheduled: boolean;
  onAsk: () => void;
}

export function CancelSubscription({ name, scheduled, onAsk }: CancelSubscriptionProps) {
  return (
    <Card title="Cancel Subscription">
      <p className="mb-3">
        {scheduled ? `You can also end ${name} now.` : 'Cancel now or at the end of the period.'} You keep your reports.
      </p>
      <Button variant="danger" className="-ml-2" onClick={onAsk}>
        {scheduled ? 'End it now…' : 'Cancel subscription…'}
      </Button>
    </Card>
  );
}

interface CancelDialogProps {
  status: SubscriptionStatus;
  onClose: () => void;
  onDone: (text: string) => void;
  returnTo: () => HTMLElement | null;
}

export function CancelDialog({ status: { subscription, usage }, onClose, onDone, returnTo }: CancelDialogProps) {
  const scheduled = subscription.cancelAtPeriodEnd;
  const [atOnce, setAtOnce] = useState(false);
  const immediately = atOnce || scheduled;
  const [cancel, { isLoading, error }] = useCancelMutation();
  const name = tierName(subscription.tier);
  const end = subscription.currentPeriodEnd ? dayOf(subscription.currentPeriodEnd) : 'the end of the period';
  const left = Math.max(0, usage.limit - usage.used);
  const lost =
    left > 0
      ? `You lose the ${count(left, 'domain analysis', 'domain analyses')} left in this period, and nothing`
      : 'Nothing';
  const ends = `${name} ends today. ${lost} is refunded.`;
  const confirm = async (): Promise<void> => {
    const { data } = await cancel({ immediately });
    if (!data) return;
    onDone(
      immediately
        ? `${name} has ended. You’re on Free now.`
        : `${name} ends on ${dayOf(data.data.currentPeriodEnd)}. You can reactivate it until then.`,
    );
    onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={scheduled ? `End ${name} now?` : `Cancel ${name}?`}
      cancel={`Keep ${name}`}
      submit={immediately ? `End ${name} now` : `Cancel ${name}`}
      busy={isLoading}
      problem={
        error && (
          <>
            <p>{FAILED}</p>
            <Detail error={error} />
          </>
        )
      }
      onSubmit={confirm}
      onClose={onClose}
      returnTo={returnTo}
    >
      {scheduled ? (
        <p>
          {ends} Otherwise it ends on {end}.
        </p>
      ) : (
        <fieldset className="space-y-2">
          <legend className="mb-2 font-medium text-strong">When should it end?</legend>
          <Choice checked={!atOnce} onChoose={() => setAtOnce(false)} label="At the end of the period">
            You keep {name} until {end}. From then on, your account is on Free, and audits are previews.
          </Choice>
          <Choice checked={atOnce} onChoose={() => setAtOnce(true)} label="At once">
            {ends}
          </Choice>
        </fieldset>
      )}
      <p className="mt-3 text-muted">
        Reports you can see in full stay that way. You also keep your funds and credits.
      </p>
    </FormDialog>
  );
}

function Choice({
  checked,
  onChoose,
  label,
  children,
}: {
  checked: boolean;
  onChoose: () => void;
  label: string;
  children: ReactNode;
}) {
  return (
    <label className="flex gap-2 rounded-control border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft">
      <input
        type="radio"
        name="when"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={onChoose}
      />
      <span>
        <span className="font-medium text-strong">{label}</span>
        <span className="block">{children}</span>
      </span>
    </label>
  );
}
