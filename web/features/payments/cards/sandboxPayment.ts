/**
 * Charges a card at the payment sandbox: from the browser, with the publishable key and the payment's client secret,
 * like the provider's script.
 */
import type { CheckoutSession, PaymentConfig } from '../paymentsApi.ts';
import type { BillingAddress } from './billingAddress.ts';
import { type Confirmed, REFUSED } from './cardHandle.ts';

export interface SandboxCardData {
  readonly number: string;
  /** MM/YY */
  readonly expires: string;
  readonly cvc: string;
}

/** A saved card, or a new one with its owner's name and address. */
export type ChosenCard =
  | { readonly savedId: string }
  | (SandboxCardData & { readonly address: BillingAddress; readonly save: boolean });

/** The fields of a payment intent used here. */
interface Intent {
  readonly status?: string;
  readonly next_action?: { readonly redirect_to_url?: { readonly url?: string } } | null;
  readonly last_payment_error?: { readonly message?: string } | null;
}
interface Answer extends Intent {
  readonly error?: { readonly message?: string; readonly code?: string };
}

/** A refusal that is about one field of a new card names it. */
export type SandboxOutcome = Confirmed & { readonly field?: keyof SandboxCardData };

/** What the provider's codes are about. */
const FIELDS: Readonly<Record<string, keyof SandboxCardData>> = {
  incorrect_number: 'number',
  invalid_expiry_month: 'expires',
  invalid_expiry_year: 'expires',
  expired_card: 'expires',
  invalid_cvc: 'cvc',
  incorrect_cvc: 'cvc',
};

const UNREACHABLE: Confirmed = { outcome: 'refused', text: 'The payment sandbox didn’t answer. Please try again.' };
const POLL_MS = 1_000;

export interface SandboxPayment {
  readonly config: PaymentConfig;
  readonly session: CheckoutSession;
  readonly card: ChosenCard;
  readonly billingEmail: string;
  /** Called with the address where the bank asks the card's owner to confirm; null when that is over. */
  readonly onChallenge: (url: string | null) => void;
  /** Cancels waiting for the owner. */
  readonly signal: AbortSignal;
}

/** Parses `12/34` and `1234`. */
export function expiryOf(text: string): { readonly month: string; readonly year: string } | null {
  const [, month, year] = /^\s*(\d{1,2})\s*\/?\s*(\d{2})\s*$/.exec(text) ?? [];
  return month && year ? { month, year: `20${year}` } : null;
}

/** Never throws; a refused card is a result. */
export async function paySandbox(payment: SandboxPayment): Promise<SandboxOutcome> {
  const first = await ask(payment, '/confirm', { method: 'POST', body: formOf(payment) });
  // The response was lost, or this attempt came after another: it may have been paid.
  if (!first || first.error?.code === 'payment_intent_unexpected_state') return await statusNow(payment);
  if (first.error) return { ...refused(first.error.message), ...fieldOf(payment, first.error.code) };
  const url = first.next_action?.redirect_to_url?.url;
  if (first.status !== 'requires_action' || !url) return outcomeOf(first);
  payment.onChallenge(url);
  const answered = await afterChallenge(payment);
  payment.onChallenge(null);
  return answered;
}

/** A saved card has no fields. */
function fieldOf({ card }: SandboxPayment, code = ''): { readonly field?: keyof SandboxCardData } {
  const field = FIELDS[code];
  return field && !('savedId' in card) ? { field } : {};
}

async function statusNow(payment: SandboxPayment): Promise<Confirmed> {
  const intent = await read(payment);
  return !intent || intent.error || intent.status?.startsWith('requires_') ? UNREACHABLE : outcomeOf(intent);
}

const read = (payment: SandboxPayment): Promise<Answer | null> =>
  ask(payment, `?client_secret=${encodeURIComponent(payment.session.clientSecret)}`, {});

const refused = (text: string | undefined): Confirmed => ({ outcome: 'refused', text: text || REFUSED });

function outcomeOf({ status, last_payment_error }: Intent): Confirmed {
  if (status === 'succeeded') return { outcome: 'paid' };
  if (status === 'processing') return { outcome: 'processing' };
  return refused(last_payment_error?.message);
}

/** The owner confirms on the bank's page, in another tab. */
async function afterChallenge(payment: SandboxPayment): Promise<Confirmed> {
  for (;;) {
    await pause(payment.signal);
    // Also after cancellation, as the owner may have confirmed just before.
    const intent = await read(payment);
    if (intent && intent.status !== 'requires_action')
      return intent.error ? refused(intent.error.message) : outcomeOf(intent);
    if (payment.signal.aborted) return refused('The authentication was canceled. The card was not charged.');
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, POLL_MS);
    signal.addEventListener('abort', end);
  });
}

async function ask({ config, session }: SandboxPayment, rest: string, init: RequestInit): Promise<Answer | null> {
  try {
    const response = await fetch(
      `${config.sandbox_url}/v1/payment_intents/${encodeURIComponent(session.paymentIntentId)}${rest}`,
      {
        ...init,
        headers: { Authorization: `Bearer ${config.publishable_key}` },
      },
    );
    return (await response.json()) as Answer;
  } catch {
    return null;
  }
}

function formOf({ session, card, billingEmail }: SandboxPayment): URLSearchParams {
  if ('savedId' in card)
    return new URLSearchParams({ client_secret: session.clientSecret, payment_method: card.savedId });
  const { address, save } = card;
  const expires = expiryOf(card.expires);
  const form = new URLSearchParams({
    client_secret: session.clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number.replaceAll(/[\s-]/g, ''),
    'payment_method_data[card][exp_month]': expires?.month ?? '',
    'payment_method_data[card][exp_year]': expires?.year ?? '',
    'payment_method_data[card][cvc]': card.cvc.trim(),
    'payment_method_data[billing_details][name]': address.name.trim(),
    'payment_method_data[billing_details][email]': billingEmail,
    'payment_method_data[billing_details][address][country]': 'US',
  });
  for (const field of ['line1', 'line2', 'city', 'state', 'postal_code'] as const) {
    const value = address[field].trim();
    if (value) form.set(`payment_method_data[billing_details][address][${field}]`, value);
  }
  if (save) form.set('payment_method_data[allow_redisplay]', 'always');
  return form;
}
