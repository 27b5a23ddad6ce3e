import { type FormEvent, useEffect, useRef, useState } from 'react';
import { MAX_QUANTITY } from '../../../src/model/purchase.ts';
import { Button } from '../../ui/Button.tsx';
import { EmailField } from '../../ui/form/EmailField.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { moneyText } from '../../ui/text/money.ts';
import { CardFields } from './cards/CardFields.tsx';
import type { CheckedCode, CustomerInfo, PaymentConfig } from './paymentsApi.ts';
import { quantityOf } from './purchase.ts';
import { Totals } from './Totals.tsx';
import type { DiscountCode } from './useDiscountCode.ts';
import type { Purchase } from './usePurchase.ts';

interface PurchaseFormProps {
  id: string;
  purchase: Purchase;
  config: PaymentConfig;
  customer: CustomerInfo | null;
  customerSession: string | null;
  balance: number | null;
}

/** The fields of a purchase. */
export function PurchaseForm({ id, purchase, config, customer, customerSession, balance }: PurchaseFormProps) {
  const { quantity, email, save, code, sums, faults, problem, step } = purchase;
  const atWork = step !== 'ready';
  const [usesSaved, setUsesSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // Fields are disabled meanwhile, and cannot take the focus.
    if (!atWork && Object.keys(faults).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [faults, atWork]);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    purchase.pay();
  };
  return (
    <form
      ref={form}
      id={id}
      noValidate
      onSubmit={send}
      className="grid gap-x-8 gap-y-4 md:grid-cols-2 md:grid-rows-[auto_1fr]"
    >
      <fieldset disabled={atWork} className="min-w-0 space-y-4">
        <legend className="sr-only">Order</legend>
        <Field
          label="Number of reports"
          type="number"
          inputMode="numeric"
          min={1}
          max={MAX_QUANTITY}
          step={1}
          required
          value={quantity}
          error={quantityOf(quantity) === null ? faults.quantity : null}
          onChange={(event) => purchase.setQuantity(event.target.value)}
        />
        <CodeField code={code} />
        <EmailField
          label="Billing email"
          autoComplete="email"
          value={email}
          error={faults.email}
          onChange={purchase.setEmail}
        />
      </fieldset>
      <div className="min-w-0 space-y-3 md:row-span-2">
        <CardFields
          config={config}
          customer={customer}
          customerSession={customerSession}
          onHandle={purchase.setHandle}
          onSaved={setUsesSaved}
          disabled={atWork}
          amount={sums?.total ?? 0}
          currency={sums?.currency ?? 'usd'}
          save={save}
        />
        {!usesSaved && (
          <label className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={save}
              disabled={atWork}
              onChange={(event) => purchase.setSave(event.target.checked)}
            />
            Save this card for later purchases
          </label>
        )}
      </div>
      <div className="min-w-0 space-y-3">
        <Totals sums={sums} quantity={quantityOf(quantity) ?? 0} balance={balance} />
        {problem && <Problem text={problem} />}
      </div>
    </form>
  );
}

/** Scrolled into view, wherever the form was scrolled to; a field at fault says it, too, and is shown instead. */
function Problem({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is not a valid effect cleanup.
    if (!box.current?.closest('form')?.querySelector('[aria-invalid=true]'))
      box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={box}>
      <Notice tone="bad">
        <p>{text}</p>
      </Notice>
    </div>
  );
}

function CodeField({ code }: { code: DiscountCode }) {
  return (
    <div>
      <div className="flex items-start gap-2">
        <Field
          label="Discount code (optional)"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={100}
          className="min-w-0 flex-1"
          value={code.typed}
          error={code.problem}
          onChange={(event) => code.type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // Enter applies the code and must not submit the payment.
            event.preventDefault();
            if (!code.busy) void code.check();
          }}
        />
        <Button busy={code.busy} onClick={() => void code.check()} className="mt-6 h-9 pointer-coarse:h-11">
          Apply
        </Button>
      </div>
      {code.promotion && !code.checked && !code.problem && (
        <p className="mt-1 text-sm text-good">Promotion code {code.promotion} will be applied at checkout.</p>
      )}
      {code.checked && (
        <p role="status" className="mt-1 text-sm text-good">
          {takesOff(code.checked)}
        </p>
      )}
    </div>
  );
}

function takesOff({ code, percentOff, amountOff, currency }: CheckedCode): string {
  return percentOff === null
    ? `${code}: ${moneyText(amountOff ?? 0, currency)} off each report`
    : `${code}: ${percentOff}% off`;
}
