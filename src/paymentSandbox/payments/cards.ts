/** Test cards and their behavior. Stripe's numbers behave as at Stripe; one additional number is ours. */

export type Decline = { readonly code: string; readonly decline_code?: string; readonly message: string };

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});

const DECLINES = {
  generic: declined('generic_decline'),
  insufficientFunds: declined('insufficient_funds', 'Your card has insufficient funds.'),
  lost: declined('lost_card'),
  stolen: declined('stolen_card'),
  expired: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  wrongCvc: {
    code: 'incorrect_cvc',
    decline_code: 'incorrect_cvc',
    message: "Your card's security code is incorrect.",
  },
  processing: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
} as const satisfies Record<string, Decline>;

export const UNPROVEN: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

export type Behaviour = {
  readonly number: string;
  readonly brand: 'amex' | 'mastercard' | 'visa';
  /** Its behavior in words, for the hosted pages. */
  readonly does: string;
  /** Declined already when it is saved. */
  readonly refusedAtOnce?: boolean;
  readonly decline?: Decline;
  readonly challenge?: 'always' | 'until_proven';
  readonly disputed?: boolean;
  /** The payment is processing for a while. */
  readonly slow?: boolean;
  /** Its test payment method's name at Stripe. */
  readonly token?: string;
};

const refused = (number: string, does: string, decline: Decline, token?: string): Behaviour => ({
  number,
  brand: 'visa',
  does,
  decline,
  refusedAtOnce: true,
  ...(token === undefined ? {} : { token }),
});

export const CARDS: readonly Behaviour[] = [
  { number: '4242424242424242', brand: 'visa', does: 'Succeeds', token: 'pm_card_visa' },
  { number: '5555555555554444', brand: 'mastercard', does: 'Succeeds', token: 'pm_card_mastercard' },
  { number: '378282246310005', brand: 'amex', does: 'Succeeds', token: 'pm_card_amex' },
  refused('4000000000000002', 'Is declined', DECLINES.generic, 'pm_card_visa_chargeDeclined'),
  refused(
    '4000000000009995',
    'Has insufficient funds',
    DECLINES.insufficientFunds,
    'pm_card_visa_chargeDeclinedInsufficientFunds',
  ),
  refused('4000000000009987', 'Was lost', DECLINES.lost, 'pm_card_visa_chargeDeclinedLostCard'),
  refused('4000000000009979', 'Was stolen', DECLINES.stolen, 'pm_card_visa_chargeDeclinedStolenCard'),
  refused('4000000000000069', 'Has expired', DECLINES.expired, 'pm_card_chargeDeclinedExpiredCard'),
  refused('4000000000000127', 'Has a wrong security code', DECLINES.wrongCvc, 'pm_card_chargeDeclinedIncorrectCvc'),
  refused('4000000000000119', 'Cannot be processed', DECLINES.processing, 'pm_card_chargeDeclinedProcessingError'),
  {
    number: '4000000000000341',
    brand: 'visa',
    does: 'Can be saved, but is declined when charged',
    decline: DECLINES.generic,
    token: 'pm_card_chargeCustomerFail',
  },
  {
    number: '4000000000003220',
    brand: 'visa',
    does: 'Asks for 3-D Secure each time',
    challenge: 'always',
    token: 'pm_card_threeDSecure2Required',
  },
  {
    number: '4000002760003184',
    brand: 'visa',
    does: 'Asks for 3-D Secure each time, renewals included',
    challenge: 'always',
    token: 'pm_card_authenticationRequired',
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    does: 'Asks for 3-D Secure once',
    challenge: 'until_proven',
    token: 'pm_card_authenticationRequiredOnSetup',
  },
  {
    number: '4000008260003178',
    brand: 'visa',
    does: 'Asks for 3-D Secure, then has insufficient funds',
    challenge: 'until_proven',
    decline: DECLINES.insufficientFunds,
    token: 'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
  },
  {
    number: '4000000000000259',
    brand: 'visa',
    does: 'Succeeds, and is disputed',
    disputed: true,
    token: 'pm_card_createDispute',
  },
  // Not one of Stripe's: none of their cards has processing payments.
  { number: '4000000000001000', brand: 'visa', does: 'Is processed for half a minute, then succeeds', slow: true },
];

export const byNumber = (number: string): Behaviour | undefined =>
  CARDS.find((card) => card.number === number.replaceAll(/[\s-]/g, ''));
export const byToken = (token: string): Behaviour | undefined => CARDS.find((card) => card.token === token);

/** Whether the check digit is valid. */
export function isCardNumber(number: string): boolean {
  const digits = number.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
