import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { tierName } from '../subscription/tiers.ts';
import { useReactivateMutation } from './plansApi.ts';
import { isLive, refusalText } from './planText.ts';

const FAILED = 'Failed to reactivate subscription. Please try again.';

/** A cancellation or downgrade scheduled for the end of the period, and how to undo it. */
export function ScheduledChange({
  subscription,
  onDone,
}: Pick<SubscriptionStatus, 'subscription'> & { onDone: (text: string) => void }) {
  const [reactivate, { isLoading, error }] = useReactivateMutation();
  const { tier, cancelAtPeriodEnd, currentPeriodEnd, pendingTier, pendingAt } = subscription;
  if (!isLive(subscription) || (!cancelAtPeriodEnd && pendingTier === null)) return null;
  const name = tierName(tier);
  const undo = async (): Promise<void> => {
    const { error: refusal } = await reactivate();
    if (!refusal)
      onDone(cancelAtPeriodEnd ? `${name} continues; your cancellation was withdrawn.` : `You stay on ${name}.`);
  };
  const end = currentPeriodEnd ? dayOf(currentPeriodEnd) : 'the end of the period';
  const title = cancelAtPeriodEnd
    ? 'Cancellation scheduled'
    : `Changes to ${tierName(pendingTier ?? tier)} on ${pendingAt ? dayOf(pendingAt) : end}`;
  return (
    <Card title={title}>
      <p className="mb-3">
        {cancelAtPeriodEnd
          ? `${name} ends on ${end}. Until then, everything stays as it is.`
          : `Until then, you keep everything in ${name}.`}
      </p>
      {error && (
        <Notice tone="bad" className="mb-3">
          <p>{FAILED}</p>
          <Detail error={error} />
        </Notice>
      )}
      <Button variant="primary" busy={isLoading} onClick={() => void undo()}>
        {cancelAtPeriodEnd ? 'Reactivate' : `Keep ${name}`}
      </Button>
    </Card>
  );
}

/** The server's message, where there is one. */
export function Detail({ error }: { error: unknown }) {
  const text = refusalText(error, { answered: '', unanswered: '' });
  return text !== '' && <p>{text}</p>;
}
