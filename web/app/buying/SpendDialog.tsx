import { useState } from 'react';
import { useGetSubscriptionQuery } from '../../features/account/subscription/subscriptionApi.ts';
import { useGetReportPriceQuery } from '../../features/payments/paymentsApi.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { type Charge, chargeOf } from './charge.ts';

interface SpendDialogProps {
  title: string;
  /** Text of the button that charges. */
  confirm: string;
  busy?: boolean;
  problem?: string | null;
  /** Called with what it takes, such as '$50.00 of your funds'. */
  onConfirm: (takes: string) => void;
  onClose: () => void;
  returnTo?: () => HTMLElement | null;
}

/** Before an audit is paid for: what it takes, and what is left afterwards. */
export function SpendDialog({
  title,
  confirm,
  busy = false,
  problem = null,
  onConfirm,
  onClose,
  ...rest
}: SpendDialogProps) {
  const bill = useGetSubscriptionQuery();
  const price = useGetReportPriceQuery(undefined, { skip: bill.data?.balance.paysNext !== 'funds' });
  const latest = bill.data && chargeOf(bill.data, price.data);
  // The balance changes as soon as it is charged.
  const [agreed, setAgreed] = useState<Charge | null>(null);
  const charge = (busy && agreed) || latest;
  const failed = bill.data ? price : bill;
  const spend = (): void => {
    if (!charge) return;
    setAgreed(charge);
    onConfirm(charge.takes);
  };
  return (
    <FormDialog
      asks
      title={title}
      cancel="Not now"
      submit={confirm}
      busy={busy}
      disabled={!charge}
      problem={problem}
      onSubmit={spend}
      onClose={onClose}
      {...rest}
    >
      <QueryState
        query={{ ...failed, data: charge ?? undefined }}
        title="Couldn’t load what it costs"
        text="Nothing was charged."
        loading={<Loading label="Loading what it costs" />}
      >
        {({ takes, after }) => (
          <p>
            Uses <strong className="font-semibold text-strong">{takes}</strong>. {after}
          </p>
        )}
      </QueryState>
    </FormDialog>
  );
}
