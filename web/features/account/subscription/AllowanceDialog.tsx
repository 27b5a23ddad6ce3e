import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { dayOf } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { useGetSubscriptionQuery } from './subscriptionApi.ts';

/** Shown when a submission exceeds the balance. */
export function AllowanceDialog({
  required,
  available,
  onClose,
}: {
  required: number;
  available: number;
  onClose: () => void;
}) {
  const { data } = useGetSubscriptionQuery();
  return (
    <Dialog
      title="Not enough audits left"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Got it
        </Button>
      }
    >
      <dl className="grid grid-cols-2 gap-3">
        <Figure name="Required" value={required} />
        <Figure name="Available" value={available} />
      </dl>
      <p className="mt-3">
        {data
          ? `The free plan includes ${count(data.usage.limit, 'audit')} per calendar month. Your allowance resets on ${dayOf(data.usage.periodEnd)}.`
          : 'The free plan includes a limited number of audits per calendar month.'}
      </p>
      <p className="mt-2 text-muted">Nothing was submitted, and no audit was used.</p>
    </Dialog>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div className="rounded-control border border-line px-3 py-2">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-semibold text-strong tabular-nums">{value}</dd>
    </div>
  );
}
