/** Features that only some plans include, where plans are sold. */
import { type PlanFeature, planOf } from '../../domain/billing/plans.ts';
import { tierAt } from '../../domain/billing/subscription.ts';
import { getBilling } from '../../projections/billing.ts';
import { areProgramsAllowed } from '../../projections/planAccess.ts';
import type { HttpDeps } from '../deps/deps.ts';
import type { Caller } from '../request/caller.ts';
import { HttpError } from '../request/errors.ts';
import { accountOf } from './accountOf.ts';

/** Whether a plan lets the caller's API key work now. True for a session. */
export async function isPlanFor(
  { payments, readModels, now }: Pick<HttpDeps, 'payments' | 'readModels' | 'now'>,
  { apiKey, userId, startedAt: madeAt }: Caller,
): Promise<boolean> {
  return !apiKey || !payments || areProgramsAllowed(readModels, { userId, madeAt, at: now() });
}

/**
 * For a key or webhook that exists: those made under a plan wait until a plan allows them again.
 * @throws HttpError FEATURE_ACCESS_DENIED
 */
export async function requirePrograms(
  { payments, readModels, now }: Pick<HttpDeps, 'payments' | 'readModels' | 'now'>,
  of: { readonly userId: string; readonly madeAt: string },
): Promise<void> {
  if (payments && !(await areProgramsAllowed(readModels, { ...of, at: now() }))) throw featureDenied();
}

export const featureDenied = (): HttpError => new HttpError('FEATURE_ACCESS_DENIED', 'Feature access denied');

/** Where nothing is sold, every account has every feature; admins always do. @throws HttpError FEATURE_ACCESS_DENIED */
export async function requireFeature(
  deps: Pick<HttpDeps, 'payments' | 'readModels' | 'store' | 'now'>,
  userId: string,
  feature: PlanFeature,
): Promise<void> {
  if (!deps.payments || (await accountOf(deps, userId))?.is_admin) return;
  const bill = await getBilling(deps.readModels, userId);
  const { features } = planOf(tierAt(bill?.data.subscriptions ?? [], deps.now()));
  if (!features.includes(feature)) throw featureDenied();
}
