/** For answers that take longer than a request: whether their caller would still be let in. */
import { accountDisabled } from '../../domain/account/decide.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import { unauthenticated } from '../request/errors.ts';
import { isDisabled } from './accountOf.ts';
import { requireAdmin } from './adminRight.ts';
import { authenticate } from './session.ts';

/**
 * As at the beginning of a request of an admin or an analyst.
 * @throws HttpError UNAUTHENTICATED, FORBIDDEN, MFA_REQUIRED, ADMIN_SESSION_EXPIRED; DomainError ACCOUNT_DISABLED
 */
export async function requireStillAdmin(deps: HttpDeps, caller: Caller, bearer: string | null): Promise<void> {
  const known = await authenticate(deps, bearer);
  if (known?.sessionId !== caller.sessionId) throw unauthenticated();
  if (known.apiKey && (await isDisabled(deps, known.userId))) throw accountDisabled();
  await requireAdmin(deps, known);
}
