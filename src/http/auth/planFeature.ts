/** Features that only some plans include, where plans are sold. */
import { type PlanFeature, planOf } from '../../domain/billing/plans.ts';
import { tierAt } from '../../domain/billing/subscription.ts';
import { getBilling } from '../../projections/billing.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { HttpError } from '../request/errors.ts';
import { accountOf } from './accountOf.ts';

/** Where nothing is sold, every account has every feature; admins always do. @throws HttpError FEATURE_ACCESS_DENIED */
export async function requireFeature(
  deps: Pick<HttpDeps, 'payments' | 'readModels' | 'store' | 'now'>,
  userId: string,
  feature: PlanFeature,
): Promise<void> {
  if (!deps.payments || (await accountOf(deps, userId))?.is_admin) return;
  const bill = await getBilling(deps.readModels, userId);
  const { features } = planOf(tierAt(bill?.data.subscriptions ?? [], deps.now()));
  if (!features.includes(feature)) throw new HttpError('FEATURE_ACCESS_DENIED', 'Feature access denied');
}
