import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { moneyText } from '../../ui/text/money.ts';
import { count } from '../../ui/text/wording.ts';
import { LOAD_FAILED } from './cards/cardHandle.ts';
import { FieldsSkeleton } from './cards/FieldsSkeleton.tsx';
import { PurchaseForm } from './PurchaseForm.tsx';
import {
  useGetCustomerQuery,
  useGetCustomerSessionQuery,
  useGetPaymentConfigQuery,
  useGetReportPriceQuery,
  type VerifiedPayment,
} from './paymentsApi.ts';
import { missingReports, type Step } from './purchase.ts';
import { type Purchase, usePurchase } from './usePurchase.ts';

export interface PurchaseDialogProps {
  /**
   * What was refused: the number of audits it needed, the number available, and for an unlock the number of items it
   * would have shown.
   */
  refusal: { readonly required: number; readonly available: number; readonly unlocks: number | null } | null;
  /** Funds in cents; null when unknown. */
  balance: number | null;
  accountEmail: string;
  /** Id of a payment that the provider's page returned with; null if none. */
  returned: string | null;
  /** Called with the cents added; 0 when they were credited before. */
  onBought: (funds: number) => void;
  onClose: () => void;
}

/** Buying reports: loads the data, then shows the form, charges the card and shows the result. */
export function PurchaseDialog({ refusal, balance, accountEmail, returned, onBought, onClose }: PurchaseDialogProps) {
  const form = useId();
  const config = useGetPaymentConfigQuery();
  const price = useGetReportPriceQuery();
  const customer = useGetCustomerQuery();
  const session = useGetCustomerSessionQuery();
  // The new balance is computed from the one before this purchase.
  const [before, setBefore] = useState(balance);
  if (before === null && balance !== null) setBefore(balance);
  const purchase = usePurchase({
    quantity: refusal ? missingReports(refusal.required, refusal.available) : 1,
    email: customer.data?.email ?? accountEmail,
    price: price.data ?? null,
    fetchPrice: async () => (await price.refetch()).data ?? null,
    returned,
    onBought,
  });
  const { step, paid, problem, result } = purchase;
  // The form works without a price, but loading customer data later would change fields while they are in use.
  const ready = customer.isLoading || session.isLoading ? undefined : config.data;
  return (
    <Dialog
      fills
      large={!paid}
      held={step === 'confirming' || step === 'verifying'}
      title={step === 'done' ? 'Payment complete' : titleOf(refusal)}
      onClose={onClose}
      footer={(ready || paid) && <Buttons purchase={purchase} form={form} onClose={onClose} />}
    >
      {step === 'done' && result ? (
        <Bought result={result} refusal={refusal} />
      ) : paid ? (
        <Paid problem={problem} />
      ) : (
        <>
          <Refusal refusal={refusal} />
          {ready ? (
            <PurchaseForm
              id={form}
              purchase={purchase}
              config={ready}
              customer={customer.data ?? null}
              customerSession={session.data ?? null}
              balance={before}
            />
          ) : config.error ? (
            <ErrorPanel
              title={LOAD_FAILED}
              text="Nothing was charged."
              retryLabel="Try Again"
              busy={config.isFetching}
              onRetry={() => void config.refetch()}
            />
          ) : (
            <FieldsSkeleton />
          )}
        </>
      )}
    </Dialog>
  );
}

function titleOf(refusal: PurchaseDialogProps['refusal']): string {
  if (!refusal) return 'Buy reports';
  return refusal.unlocks === null ? 'Not enough audits left' : 'Unlock this audit';
}

const WORKING: Partial<Record<Step, string>> = {
  checking: 'Checking…',
  creating: 'Preparing payment…',
  confirming: 'Confirming payment…',
};

function Buttons({
  purchase: { step, paid, sums, verifyAgain },
  form,
  onClose,
}: {
  purchase: Purchase;
  form: string;
  onClose: () => void;
}) {
  if (step === 'done') {
    return (
      // A different button from the one that paid, so that the second half of a double click does not press it.
      <Button key="done" variant="primary" onClick={onClose}>
        Done
      </Button>
    );
  }
  if (paid) {
    return (
      <>
        {step === 'unsettled' && <Button onClick={onClose}>Close</Button>}
        <Button key="again" variant="primary" busy={step === 'verifying'} onClick={verifyAgain}>
          {step === 'verifying' ? 'Adding your funds…' : 'Check again'}
        </Button>
      </>
    );
  }
  const atWork = step !== 'ready';
  return (
    <>
      {(step === 'ready' || step === 'checking') && <Button onClick={onClose}>Cancel</Button>}
      <Button key="pay" variant="primary" type="submit" form={form} busy={atWork}>
        {WORKING[step] ?? (sums ? `Pay ${moneyText(sums.total, sums.currency)}` : 'Pay')}
      </Button>
    </>
  );
}

function Refusal({ refusal }: Pick<PurchaseDialogProps, 'refusal'>) {
  if (!refusal) return null;
  if (refusal.unlocks !== null) {
    return (
      <p className="mb-4">
        Free audits can’t unlock a preview. Buy one report to see all {count(refusal.unlocks, 'action')}.
      </p>
    );
  }
  return (
    <div className="mb-4">
      <dl className="grid grid-cols-2 gap-3">
        <Figure name="Required">{refusal.required}</Figure>
        <Figure name="Available">{refusal.available}</Figure>
      </dl>
      <p className="mt-2 text-sm text-muted">Nothing was submitted or charged. Your entries are kept.</p>
    </div>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="rounded-control border border-line px-3 py-2">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="text-xl font-semibold text-strong tabular-nums">{children}</dd>
    </div>
  );
}

/** The form is gone, so that the payment cannot be repeated. */
function Paid({ problem }: { problem: string | null }) {
  if (problem === null) return <FieldsSkeleton label="Adding your funds" />;
  return (
    <Notice tone="attention" title="Please don’t pay again.">
      <p role="alert">{problem}</p>
    </Notice>
  );
}

/** The server's message. */
function Bought({ result, refusal }: { result: VerifiedPayment } & Pick<PurchaseDialogProps, 'refusal'>) {
  const box = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone.
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="space-y-3 outline-none">
      <Notice tone="good">
        <p role="status">{result.message}</p>
      </Notice>
      <dl className="grid grid-cols-2 gap-3">
        <Figure name="Added">{result.funds_added_formatted}</Figure>
        <Figure name="Balance">{result.current_balance_formatted}</Figure>
      </dl>
      {refusal && (
        <p className="text-muted">
          {refusal.unlocks === null ? 'You can continue where you left off.' : 'You can unlock the audit now.'}
        </p>
      )}
    </div>
  );
}
