/**
 * Interface to the card, name and address fields, whoever renders them: the provider in iframes, or this app for the
 * sandbox.
 */
import type { CheckoutSession, CustomerInfo } from '../paymentsApi.ts';

/** `processing`: the payment is in progress. Refused: the text is for the buyer, and another card may work. */
export type Confirmed =
  | { readonly outcome: 'paid' | 'processing' }
  | { readonly outcome: 'refused'; readonly text: string };

export interface CardHandle {
  /** What is wrong with the input; null when it can be used to pay. */
  readonly check: () => Promise<string | null>;
  /** Charges the card. Never throws. */
  readonly confirm: (session: CheckoutSession, billingEmail: string) => Promise<Confirmed>;
}

export interface CardFieldsProps {
  /** The buyer's details from the provider. */
  customer: CustomerInfo | null;
  /** Client secret for reading the buyer's saved cards; null when there are none to offer. */
  customerSession: string | null;
  /** Save a new card for the next purchase. */
  save: boolean;
  /** Called when the fields are ready, with null when they are no longer. */
  onHandle: (handle: CardHandle | null) => void;
  /** Whether a saved card is chosen. */
  onSaved: (chosen: boolean) => void;
  /** No changes while a payment is in progress. */
  disabled: boolean;
}

/** Announced once for the whole form. */
export const INCOMPLETE = 'Please complete all required billing fields';
/** Below each of these fields. */
export const MISSING = 'Required';
/** For a refusal without a reason. */
export const REFUSED = 'The payment didn’t go through. Please try another card.';
export const LOAD_FAILED = 'Failed to load payment system. Please try again.';
