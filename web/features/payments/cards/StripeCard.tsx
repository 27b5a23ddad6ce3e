import { AddressElement, Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type {
  PaymentIntent,
  Stripe,
  StripeAddressElementOptions,
  StripeElements,
  StripeElementsOptions,
  StripePaymentElementChangeEvent,
  StripePaymentElementOptions,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useMemo, useState } from 'react';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import type { CheckoutSession, CustomerInfo, PaymentConfig } from '../paymentsApi.ts';
import { useAppearance } from './appearance.ts';
import { type CardFieldsProps, type Confirmed, INCOMPLETE, LOAD_FAILED, REFUSED } from './cardHandle.ts';
import { FieldsSkeleton } from './FieldsSkeleton.tsx';

interface StripeCardProps extends CardFieldsProps {
  config: PaymentConfig;
  /** The amount to charge, as far as known. */
  amount: number;
  currency: string;
}

/** The provider's own fields, in iframes: card numbers never reach this app. Its script is loaded only here. */
export function StripeCard({ config, amount, currency, customerSession, ...fields }: StripeCardProps) {
  const { save } = fields;
  const [tries, setTries] = useState(0);
  const [stripe, setStripe] = useState<Stripe | 'failed' | null>(null);
  const appearance = useAppearance();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another load.
  useEffect(() => {
    let wanted = true;
    setStripe(null);
    loadStripe(config.publishable_key).then(
      (loaded) => wanted && setStripe(loaded ?? 'failed'),
      () => wanted && setStripe('failed'),
    );
    return () => {
      wanted = false;
    };
  }, [config.publishable_key, tries]);
  const options = useMemo<StripeElementsOptions>(
    () => ({
      mode: 'payment',
      amount,
      currency,
      setupFutureUsage: save ? 'on_session' : null,
      appearance,
      ...(customerSession === null ? {} : { customerSessionClientSecret: customerSession }),
    }),
    [amount, currency, save, appearance, customerSession],
  );
  if (stripe === 'failed')
    return (
      <ErrorPanel
        title={LOAD_FAILED}
        text="We couldn’t reach the card processor."
        onRetry={() => setTries(tries + 1)}
      />
    );
  if (!stripe) return <FieldsSkeleton />;
  return (
    <Elements stripe={stripe} options={options}>
      <Fields {...fields} />
    </Elements>
  );
}

const CARD_OPTIONS: StripePaymentElementOptions = {
  layout: 'tabs',
  // The email is entered once, for the receipt.
  fields: { billingDetails: { email: 'never' } },
};

function Fields({ customer, save, onHandle, onSaved, disabled }: Omit<CardFieldsProps, 'customerSession'>) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState<readonly string[]>([]);
  const [saved, setSaved] = useState(false);
  const [failed, setFailed] = useState(false);
  const addressOptions = useMemo(() => addressOptionsOf(customer), [customer]);
  const shown = ready.includes('payment') && (saved || ready.includes('address')) && !failed;
  useEffect(() => {
    onHandle(stripe && elements && shown ? handleOf(stripe, elements, { saved, save }) : null);
    return () => onHandle(null);
  }, [stripe, elements, shown, saved, save, onHandle]);
  const here = (name: string) => () => setReady((others) => (others.includes(name) ? others : [...others, name]));
  const choose = ({ value }: StripePaymentElementChangeEvent): void => {
    const isSaved = value.payment_method !== undefined;
    setSaved(isSaved);
    onSaved(isSaved);
    // The address fields are removed with it, and have to load again for another card.
    if (isSaved) setReady((others) => others.filter((name) => name !== 'address'));
  };
  if (failed) return <p role="alert">{LOAD_FAILED}</p>;
  return (
    <div className="space-y-3" inert={disabled}>
      {!shown && <FieldsSkeleton />}
      <PaymentElement
        options={CARD_OPTIONS}
        onReady={here('payment')}
        onChange={choose}
        onLoadError={() => setFailed(true)}
      />
      {/* A saved card has its own address. */}
      {!saved && (
        <AddressElement options={addressOptions} onReady={here('address')} onLoadError={() => setFailed(true)} />
      )}
    </div>
  );
}

/** The owner agreed to have the card offered again. */
const REDISPLAY = { allow_redisplay: 'always' } as const;

function addressOptionsOf(customer: CustomerInfo | null): StripeAddressElementOptions {
  const known = customer?.address;
  return {
    mode: 'billing',
    allowedCountries: ['US'],
    blockPoBox: true,
    fields: { phone: 'never' },
    defaultValues: {
      name: customer?.name ?? null,
      ...(known?.country === 'US' ? { address: { ...known, country: 'US' } } : {}),
    },
  };
}

function handleOf(
  stripe: Stripe,
  elements: StripeElements,
  { saved, save }: { readonly saved: boolean; readonly save: boolean },
) {
  const check = async (): Promise<string | null> => {
    const address = saved ? null : await elements.getElement('address')?.getValue();
    if (!saved && !address?.complete) {
      // Submitting marks the missing fields, whatever the result for the card.
      await elements.submit();
      return INCOMPLETE;
    }
    const { error } = await elements.submit();
    return error ? (error.message ?? INCOMPLETE) : null;
  };
  const confirm = async (session: CheckoutSession, email: string): Promise<Confirmed> => {
    try {
      // The elements must have the exact amount that is confirmed, and after a change they must be submitted again.
      await elements.update({ amount: session.amount });
      const submitted = await elements.submit();
      if (submitted.error) return { outcome: 'refused', text: submitted.error.message ?? REFUSED };
      const { error, paymentIntent } = await stripe.confirmPayment({
        elements,
        clientSecret: session.clientSecret,
        confirmParams: {
          return_url: location.origin + location.pathname,
          payment_method_data: { billing_details: { email }, ...(save ? REDISPLAY : {}) },
        },
        redirect: 'if_required',
      });
      // An attempt whose response was lost may have been paid: the payment's own status decides.
      return outcomeOf(paymentIntent ?? error?.payment_intent, error?.message);
    } catch {
      const { paymentIntent } = await stripe
        .retrievePaymentIntent(session.clientSecret)
        .catch(() => ({ paymentIntent: undefined }));
      return outcomeOf(paymentIntent, undefined);
    }
  };
  return { check, confirm };
}

function outcomeOf(intent: Pick<PaymentIntent, 'status'> | undefined, reason: string | undefined): Confirmed {
  if (intent?.status === 'succeeded') return { outcome: 'paid' };
  if (intent?.status === 'processing') return { outcome: 'processing' };
  return { outcome: 'refused', text: reason ?? REFUSED };
}
