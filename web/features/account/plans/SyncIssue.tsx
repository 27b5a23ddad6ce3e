import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { SubscriptionStatus } from '../subscription/subscriptionApi.ts';
import { useSyncMutation } from './plansApi.ts';
import { refusalText } from './planText.ts';

/** Warns that this view of the subscription may be out of date. */
export function SyncIssue({ subscription: { syncError, syncWarning } }: Pick<SubscriptionStatus, 'subscription'>) {
  const [sync, { isLoading, error }] = useSyncMutation();
  const issue = syncError ?? syncWarning;
  if (issue === null) return null;
  return (
    <Notice tone="attention" title="Sync Issue Detected">
      <p>{issue.endsWith('.') ? issue : `${issue}.`} Your access is not affected.</p>
      {error && (
        <p role="alert">
          {refusalText(error, {
            answered: 'Failed to sync with Stripe',
            unanswered: 'Failed to sync subscription data',
          })}
        </p>
      )}
      <Button busy={isLoading} onClick={() => void sync()}>
        Sync now
      </Button>
    </Notice>
  );
}
