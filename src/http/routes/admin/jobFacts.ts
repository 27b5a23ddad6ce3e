/** Additional facts about a job for admins: its payment, pending work and shared links. */
import { loadState } from '../../../commands/handle.ts';
import { analysisOf, unlockOf } from '../../../domain/billing/billing.ts';
import { billingDecider } from '../../../domain/billing/decide.ts';
import { billingStream, type Taken } from '../../../domain/billing/events.ts';
import { type BillingState, entryOf } from '../../../domain/billing/ledger.ts';
import type { JobDocument } from '../../../projections/jobs.ts';
import { getShares } from '../../../projections/shares.ts';
import type { Documents } from '../../../readModels/readModels.ts';
import { getItem } from '../../../work/items.ts';
import type { AdminJobResponse } from '../../contract/admin/jobs.ts';
import type { HttpDeps } from '../../deps/deps.ts';

type Facts = AdminJobResponse['data'];

/** The kind of work of an audit; the item's id is the job's id. */
const AUDIT = 'audit';

/** Read from the bill itself: no read model keeps this for every job. */
export async function payingFor(
  store: HttpDeps['store'],
  { userId, jobId }: Pick<JobDocument, 'userId' | 'jobId'>,
): Promise<Facts['paid']> {
  return paidIn((await loadState(store, billingDecider, billingStream(userId))).state, jobId);
}

export function paidIn(state: BillingState, jobId: string): Facts['paid'] {
  const [analysis, entry, unlock] = [analysisOf(state, jobId), entryOf(state, jobId), unlockOf(state, jobId)];
  if (!analysis || !entry) return null;
  return {
    ...presentTaken(entry.taken),
    access: analysis.access,
    state: analysis.status,
    unlock: unlock && presentTaken(unlock),
  };
}

const presentTaken = ({ from, amount, currency }: Taken) => ({
  source: from,
  amount: amount ?? null,
  currency: currency ?? null,
});

export async function workOf(
  { readModels, claims }: Pick<HttpDeps, 'readModels' | 'claims'>,
  jobId: string,
): Promise<Facts['work']> {
  const item = (await getItem(readModels, AUDIT, jobId))?.data;
  if (!item) return [];
  const { kind, opening, openedAt, dueAt } = item;
  // Claims of an earlier opening no longer count.
  const claim = (await claims.read(kind, [jobId])).find((each) => each.opening === opening);
  const { attempts = 0, failure = null, holder = null, vanishings = 0, notBefore = null } = claim ?? {};
  const next = notBefore !== null && notBefore > dueAt ? notBefore : dueAt;
  return [{ kind, opened_at: openedAt, due_at: next, attempts, failure, vanishings: Math.max(0, vanishings), holder }];
}

export async function sharesOf(readModels: Documents, jobId: string): Promise<Facts['shares']> {
  const shares = (await getShares(readModels, jobId))?.data.shares ?? [];
  return { total: shares.length, revoked: shares.filter(({ revokedAt }) => revokedAt !== null).length };
}
