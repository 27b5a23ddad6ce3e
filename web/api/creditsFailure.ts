/** In a file of its own because only submitting needs it. */
import type { ApiFailure } from './failure.ts';

const CREDIT_TEXTS = [
  'Insufficient credits',
  'FEATURE_ACCESS_DENIED',
  'Purchase credits to continue',
  'Feature access denied',
];

export function isCreditsFailure(failure: ApiFailure): boolean {
  return (
    failure.status === 402 ||
    failure.code === 'INSUFFICIENT_CREDITS' ||
    CREDIT_TEXTS.some((text) => failure.message.includes(text) || failure.code === text)
  );
}
