import { nameOfTier } from '../../../../src/model/tiers.ts';
import { asFailure } from '../../../api/failure.ts';

/** Why there is no new key or webhook: the server's words, but for a plan that has none, where they do not say what to do. */
export function refusalText(error: unknown, fallback: string): string {
  const { code, message } = asFailure(error);
  if (code === 'FEATURE_ACCESS_DENIED') return `New keys and webhooks are part of the ${nameOfTier('tier4')} plan.`;
  return message || fallback;
}
