/** What the purchase knows of the fields for card, name and address, whoever draws them: the provider in frames of its own, or this app for the sandbox. */
import type { CheckoutSession, CustomerInfo } from '../paymentsApi.ts';

/** `processing`: the money is on its way. Refused: the text is for the buyer, and another card may do. */
export type Confirmed = { readonly outcome: 'paid' | 'processing' } | { readonly outcome: 'refused'; readonly text: string };

export interface CardFace {
  /** What is wrong with what was filled in; null: it can be paid with. */
  readonly check: () => Promise<string | null>;
  /** Charges the card. Never throws. */
  readonly confirm: (session: CheckoutSession, billingEmail: string) => Promise<Confirmed>;
}

export interface CardFieldsProps {
  /** What the provider knows of the buyer already. */
  customer: CustomerInfo | null;
  /** Secret by which the fields read the buyer's saved cards; null: there are none to offer. */
  customerSession: string | null;
  /** A new card is kept for the next purchase. */
  save: boolean;
  /** The fields are there; null: not any more. */
  onFace: (face: CardFace | null) => void;
  /** Whether a saved card is chosen. */
  onSaved: (chosen: boolean) => void;
  /** While a payment is under way nothing is changed. */
  disabled: boolean;
}

export const INCOMPLETE = 'Please complete all required billing fields';
/** The provider gave no reason. */
export const REFUSED = 'The payment didn’t go through. Please try another card.';
export const LOAD_FAILED = 'Failed to load payment system. Please try again.';
