import type { DataOf } from '../../domain/stored/eventOf.ts';
import type { HttpDeps } from '../deps/deps.ts';

type Reason = DataOf<'SubmissionsRefused'>['reason'];
const REASONS: readonly Reason[] = ['INSUFFICIENT_CREDITS', 'EMAIL_NOT_CONFIRMED', 'INVALID_URL'];

/** For the errors of a submission: counts the refusals, and throws the error again. */
export const countRefusal =
  ({ deps, caller }: { readonly deps: Pick<HttpDeps, 'tallies'>; readonly caller: { readonly userId: string } }) =>
  (error: unknown): never => {
    const { code } = error as { readonly code?: unknown };
    const reason = REASONS.find((one) => one === code);
    if (reason) deps.tallies.note({ type: 'SubmissionsRefused', userId: caller.userId, reason });
    throw error;
  };
