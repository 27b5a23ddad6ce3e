/**
 * A purchase step by step. Any failure returns to the form with all input intact; a paid purchase is never charged
 * again.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import { asFailure } from '../../api/failure.ts';
import { moneyText } from '../../ui/text/money.ts';
import type { CardHandle } from './cards/cardHandle.ts';
import {
  type CheckoutSession,
  type ReportPrice,
  useCreateCheckoutMutation,
  useLeavePurchaseMutation,
  useVerifyPaymentMutation,
  type VerifiedPayment,
} from './paymentsApi.ts';
import {
  BAD_EMAIL,
  BAD_QUANTITY,
  failureText,
  isEmail,
  isUnpaid,
  NOT_READY,
  quantityOf,
  type ShownSums,
  type Step,
  sumsOf,
} from './purchase.ts';
import { type DiscountCode, useDiscountCode } from './useDiscountCode.ts';

interface PurchaseStart {
  readonly quantity: number;
  /** Email for the receipt, unless another one is entered. */
  readonly email: string;
  /** Null: not loaded (yet). */
  readonly price: ReportPrice | null;
  readonly fetchPrice: () => Promise<ReportPrice | null>;
  /** Id of a payment that the provider's page returned with, or null. Only our server knows whether it was paid. */
  readonly returned: string | null;
  /** Called with the cents credited. */
  readonly onBought: (funds: number) => void;
}

export interface Purchase {
  readonly step: Step;
  /** The card was charged: from now on only the result is queried. */
  readonly paid: boolean;
  readonly quantity: string;
  readonly setQuantity: (text: string) => void;
  readonly email: string;
  readonly setEmail: (text: string) => void;
  readonly save: boolean;
  readonly setSave: (save: boolean) => void;
  readonly code: DiscountCode;
  /** Null when the quantity is invalid. */
  readonly sums: ShownSums | null;
  /** What stopped the last attempt in the form itself; the code shows its own problem. */
  readonly faults: { readonly quantity?: string; readonly email?: string; readonly code?: true };
  /** Why the last attempt stopped. */
  readonly problem: string | null;
  readonly result: VerifiedPayment | null;
  readonly setHandle: (handle: CardHandle | null) => void;
  readonly pay: () => void;
  /** Checks again whether the purchase has been credited. */
  readonly verifyAgain: () => void;
}

/** A payment intent and what it is for; retrying with another card reuses it. */
interface Begun {
  readonly what: string;
  readonly session: CheckoutSession;
  readonly discountCode: string | null;
}

/** A submitted payment, of which only the result is queried. */
interface Sent {
  readonly paymentIntentId: string;
  readonly discountCode: string | null;
  /** The card fields reported it as paid. */
  readonly confirmed: boolean;
}

/** Runs one step at a time, however often the button is clicked. */
function useSteps(first: Step) {
  const [step, setStep] = useState<Step>(first);
  const [problem, setProblem] = useState<string | null>(null);
  const atWork = useRef(false);
  const run = async (work: () => Promise<Step>): Promise<void> => {
    if (atWork.current) return;
    atWork.current = true;
    setProblem(null);
    const next = await work().catch((): Step => {
      // The provider's fields crashed. Retrying reuses the same payment, so nothing is charged twice.
      setProblem(NOT_READY);
      return 'ready';
    });
    atWork.current = false;
    setStep(next);
  };
  return { step, setStep, problem, setProblem, run };
}

/** The current card fields, also for a step that started before they were ready. */
function useHandle() {
  const handle = useRef<CardHandle | null>(null);
  const setHandle = useCallback((next: CardHandle | null): void => {
    handle.current = next;
  }, []);
  return [handle, setHandle] as const;
}

/** Gives up a payment that was begun and not submitted when the dialog closes: its discount code is free again. */
function useLeaving(unpaid: string | null): void {
  const [leave] = useLeavePurchaseMutation();
  const latest = useRef(unpaid);
  useEffect(() => {
    latest.current = unpaid;
  });
  useEffect(
    () => () => {
      if (latest.current !== null) void leave({ paymentIntentId: latest.current });
    },
    [leave],
  );
}

export function usePurchase({ price, fetchPrice, onBought, ...start }: PurchaseStart): Purchase {
  const [quantity, setQuantity] = useState(String(start.quantity));
  const [typedEmail, setEmail] = useState<string | null>(null);
  const email = typedEmail ?? start.email;
  const [save, setSave] = useState(true);
  const code = useDiscountCode();
  const { step, setStep, problem, setProblem, run } = useSteps(start.returned === null ? 'ready' : 'verifying');
  const [faults, setFaults] = useState<Purchase['faults']>({});
  const [sent, setSent] = useState<Sent | null>(
    start.returned === null ? null : { paymentIntentId: start.returned, discountCode: null, confirmed: false },
  );
  const [result, setResult] = useState<VerifiedPayment | null>(null);
  const [begun, setBegun] = useState<Begun | null>(null);
  const [create] = useCreateCheckoutMutation();
  const [verify] = useVerifyPaymentMutation();
  const [handle, setHandle] = useHandle();
  useLeaving(sent === null ? (begun?.session.paymentIntentId ?? null) : null);

  const number = quantityOf(quantity);
  const whatOf = (of: number, discount: string | null): string => JSON.stringify([of, discount, email.trim(), save]);
  const reckoned = number === null ? null : sumsOf(number, price, code.checked);
  const agreed = number !== null && begun?.what === whatOf(number, code.checked?.code ?? null) ? begun.session : null;
  const sums = reckoned && agreed ? { ...reckoned, total: agreed.amount, funds: agreed.funds } : reckoned;

  /** Null when it stops here; the screen then shows why. */
  const begin = async (of: number): Promise<Begun | null> => {
    setStep('checking');
    if (!handle.current) return stop(NOT_READY);
    const faulty = await handle.current.check();
    if (faulty) return stop(faulty);
    const checked = await code.check();
    if (checked === null) return stop(null, { code: true });
    const discount = checked === 'none' ? null : checked;
    const discountCode = discount?.code ?? null;
    const what = whatOf(of, discountCode);
    if (begun?.what === what) return begun;
    setStep('creating');
    const known = price ?? (await fetchPrice());
    if (!known) return stop('Failed to initialize payment');
    const body = { priceId: known.id, quantity: of, discountCode, savePaymentMethod: save, billingEmail: email.trim() };
    const { data: session, error } = await create(body);
    if (!session) {
      const text = failureText(error, 'Failed to create payment intent', 'Failed to initialize payment');
      if (asFailure(error).code !== 'DISCOUNT_INVALID') return stop(text);
      code.refuse(text);
      return stop(null, { code: true });
    }
    const now = { what, session, discountCode };
    setBegun(now);
    const { amount, currency } = session;
    // The buyer must have seen the amount before it is charged.
    if (amount === sumsOf(of, known, discount).total && (price !== null || amount === sums?.total)) return now;
    return stop(`The total is ${moneyText(amount, currency)}. Please check it, then pay.`);
  };
  const stop = (text: string | null, found: Purchase['faults'] = {}): null => {
    setProblem(text);
    setFaults(found);
    return null;
  };

  const settle = async ({ paymentIntentId, discountCode, confirmed }: Sent): Promise<Step> => {
    setStep('verifying');
    const { data, error } = await verify({ paymentIntentId, discountCode });
    if (data) {
      setResult(data);
      onBought(data.already_processed ? 0 : data.funds_added);
      return 'done';
    }
    setProblem(
      failureText(
        error,
        'Failed to verify payment and add credits',
        'Payment succeeded but credit addition failed. Please contact support.',
      ),
    );
    if (confirmed || !isUnpaid(asFailure(error))) return 'unsettled';
    setSent(null);
    return 'ready';
  };

  const buy = async (of: number): Promise<Step> => {
    const payment = await begin(of);
    if (!payment || !handle.current) return 'ready';
    setStep('confirming');
    const confirmed = await handle.current.confirm(payment.session, email.trim());
    if (confirmed.outcome === 'refused') {
      setProblem(confirmed.text);
      return 'ready';
    }
    const { session, discountCode } = payment;
    const now = { paymentIntentId: session.paymentIntentId, discountCode, confirmed: true };
    setSent(now);
    return settle(now);
  };
  const pay = (): void => {
    const wrong = {
      ...(number === null ? { quantity: BAD_QUANTITY } : {}),
      ...(isEmail(email) ? {} : { email: BAD_EMAIL }),
    };
    stop(null, wrong);
    if (number !== null && !wrong.email) void run(() => buy(number));
  };
  const verifyAgain = (): void => {
    if (sent) void run(() => settle(sent));
  };
  const atOnce = useRef(verifyAgain);
  useEffect(() => atOnce.current(), []);
  return {
    step,
    paid: sent !== null,
    quantity,
    setQuantity,
    email,
    setEmail,
    save,
    setSave,
    code,
    sums,
    faults,
    problem,
    result,
    setHandle,
    pay,
    verifyAgain,
  };
}
