import { nameOfTier } from '../../../../src/model/tiers.ts';
import { asFailure } from '../../../api/failure.ts';

/** Why no key or webhook could be created: the server's message, except for a plan without the feature, where it does not say what to do. */
export function refusalText(error: unknown, fallback: string): string {
  const { code, message } = asFailure(error);
  if (code === 'FEATURE_ACCESS_DENIED') return `New keys and webhooks are part of the ${nameOfTier('tier4')} plan.`;
  return message || fallback;
}
