import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { analysisOf, hasPaid } from '../../domain/billing/billing.ts';
import { billingDecider } from '../../domain/billing/decide.ts';
import { billingStream } from '../../domain/billing/events.ts';
import { planOf } from '../../domain/billing/plans.ts';
import { tierAt } from '../../domain/billing/subscription.ts';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { type JobBounds, jobStream } from '../../domain/job/events.ts';
import { type ProofRule, proofDemand } from '../../domain/policy/emailProof.ts';
import { comparePositions, type Position, START, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { CrawlSettings } from '../../model/crawlSettings.ts';
import type { Money } from '../../model/purchase.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

export type SubmitJobs = {
  readonly userId: string;
  /** One site, or a batch. `url` is normalized. */
  readonly sites: readonly { readonly url: string; readonly host: string; readonly schemeGuessed?: true }[];
  readonly bounds: JobBounds;
  /** Of each of the sites. */
  readonly settings?: CrawlSettings | undefined;
  /** Free audits per calendar month. Default 3. */
  readonly freeAnalyses?: number | undefined;
  /** Price of one report; if absent, funds pay for nothing. */
  readonly price?: Money | undefined;
  /**
   * The owner is not charged, as if they were an admin: an operator submits it, or this installation charges nobody.
   */
  readonly unbilled?: boolean;
  /** Default: no account needs to prove its email address. */
  readonly proofRule?: ProofRule | undefined;
  /** Where it comes from; only recorded for users without a plan or a payment. */
  readonly network?: string | null;
  /** The failed job that is run again. */
  readonly retryOf?: string;
};

const FREE_ANALYSES = 3;

/**
 * All sites or none: first one reservation for all in the billing stream, then a stream per job. A crash in between is
 * recovered by a retry with the same command id (same job ids); without a retry, a sweep gives the reservation back.
 * @throws DomainError INSUFFICIENT_CREDITS, EMAIL_NOT_CONFIRMED, ACCOUNT_NOT_FOUND; SUBMISSION_EXPIRED when a retry
 *   comes after the sweep
 */
export async function submitJobs(
  ctx: CommandContext,
  input: SubmitJobs,
): Promise<{ readonly jobIds: readonly string[]; readonly position: Position }> {
  const { userId, sites, bounds } = input;
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const jobIds = sites.map((site, index) => derivedId(ctx.commandId, userId, 'job', String(index), site.url));
  const allowance = input.freeAnalyses ?? FREE_ANALYSES;
  const batchId = derivedId(ctx.commandId, userId, 'batch');
  const billing = await handle(ctx, billingDecider, billingStream(userId), {
    type: 'ReserveAnalyses',
    userId,
    jobIds,
    batchId,
    allowance,
    isAdmin: account.isAdmin || input.unbilled === true,
    onlyFirstFree: input.proofRule !== undefined && proofDemand(input.proofRule, account, ctx.now()).kind === 'now',
    ...(input.price ? { price: input.price } : {}),
    at: ctx.now(),
  });
  const batch = sites.length > 1 ? { batchId } : {};
  const rank = planOf(tierAt(billing.state.subscriptions, ctx.now())).queueRank;
  let position: Position = START;
  for (const [index, { url, host, schemeGuessed }] of sites.entries()) {
    const jobId = jobIds[index] ?? '';
    const analysis = analysisOf(billing.state, jobId);
    if (!analysis) throw new Error(`Job ${jobId} has no reservation.`);
    const retryOf = input.retryOf === undefined ? {} : { retryOf: input.retryOf };
    const isBound = input.network && analysis.from === 'free_allowance' && !hasPaid(billing.state);
    const optional = {
      ...batch,
      ...(input.settings ? { settings: input.settings } : {}),
      ...(isBound ? { network: input.network } : {}),
      ...(schemeGuessed ? { schemeGuessed } : {}),
      ...(rank > 0 ? { rank } : {}),
      ...retryOf,
    };
    const command = {
      type: 'SubmitJob',
      jobId,
      userId,
      url,
      host,
      bounds,
      access: analysis.access,
      ...optional,
      at: ctx.now(),
    } as const;
    const submitted = await handle(ctx, jobDecider, jobStream(jobId), command).catch(expired);
    if (comparePositions(submitted.position, position) > 0) position = submitted.position;
  }
  return { jobIds, position };
}

function expired(error: unknown): never {
  if (error instanceof StreamDeleted)
    throw new DomainError('SUBMISSION_EXPIRED', 'This submission took too long. Please submit again.');
  throw error;
}
