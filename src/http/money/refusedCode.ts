import { DomainError } from '../../domain/decider.ts';
import type { HttpDeps } from '../deps/deps.ts';

/** For the errors of a checkout: counts a refused discount code, and throws the error again. */
export const countRefusedCode =
  ({ deps, caller }: { readonly deps: Pick<HttpDeps, 'tallies'>; readonly caller: { readonly userId: string } }) =>
  (error: unknown): never => {
    if (error instanceof DomainError && error.code === 'DISCOUNT_INVALID')
      deps.tallies.note({ type: 'CodesTried', userId: caller.userId, outcome: 'invalid', codes: [] });
    throw error;
  };
