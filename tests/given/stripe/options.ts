/** The options of the provider's script, as typed by `@stripe/stripe-js`: its stand-ins refuse all others. */
import type {
  StripeAddressElementOptions,
  StripeElementsOptionsMode,
  StripePaymentElementOptions,
} from '@stripe/stripe-js';

type Names<T> = readonly (T extends unknown ? keyof T : never)[];

const ELEMENTS = [
  ...([
    'mode',
    'amount',
    'currency',
    'setupFutureUsage',
    'appearance',
    'customerSessionClientSecret',
    'locale',
    'fonts',
    'loader',
  ] as const),
] satisfies Names<StripeElementsOptionsMode>;
const PAYMENT = [
  ...([
    'defaultValues',
    'business',
    'paymentMethodOrder',
    'fields',
    'readOnly',
    'terms',
    'wallets',
    'walletOptions',
    'layout',
    'applePay',
  ] as const),
] satisfies Names<StripePaymentElementOptions>;
const ADDRESS = [
  ...([
    'mode',
    'allowedCountries',
    'autocomplete',
    'blockPoBox',
    'contacts',
    'defaultValues',
    'fields',
    'validation',
    'display',
  ] as const),
] satisfies Names<StripeAddressElementOptions>;

/** By target: all elements together, or one of them. */
export const STRIPE_OPTIONS = { elements: ELEMENTS, payment: PAYMENT, address: ADDRESS } as const;
export type StripeOptions = Readonly<Record<keyof typeof STRIPE_OPTIONS, readonly string[]>>;
