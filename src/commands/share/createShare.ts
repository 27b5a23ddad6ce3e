import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { hasResult } from '../../domain/job/job.ts';
import { emailNotConfirmed, type ProofRule, proofDemand } from '../../domain/policy/emailProof.ts';
import { shareDecider } from '../../domain/share/decide.ts';
import { sharesStream } from '../../domain/share/events.ts';
import { defaultTitle, shareIdIn } from '../../domain/share/share.ts';
import { type Position, StreamDeleted } from '../../eventStore/eventStore.ts';
import type { SharedPart, ShareMode } from '../../model/shares.ts';
import type { CommandContext } from '../context.ts';
import { derivedSuffix } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';
import { hashToken } from '../tokens.ts';
import { shareToken } from './shareTokens.ts';

export type CreateShare = {
  readonly jobId: string;
  readonly userId: string;
  /** Default: `defaultTitle`. */
  readonly title?: string | undefined;
  readonly description: string;
  readonly sharedContent: readonly SharedPart[];
  /** Default: the owner's own access. */
  readonly mode?: ShareMode | undefined;
  /** Hours; null: never. */
  readonly expiresIn: number | null;
  readonly secret: string;
  /** Default: no account needs to prove its email address. */
  readonly proofRule?: ProofRule | undefined;
};

/**
 * A link to the user's own audit, which must have a result. A repeat with the same command id returns the same link. If
 * the audit is deleted meanwhile, its link stream is closed permanently, so that no link remains.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED, EMAIL_NOT_CONFIRMED, SHARING_RESTRICTED, TOO_MANY_SHARES,
 *   SHARE_ALREADY_CREATED
 */
export async function createShare(
  ctx: CommandContext,
  input: CreateShare,
): Promise<{ readonly shareId: string; readonly token: string; readonly position: Position }> {
  const { jobId, userId, secret, proofRule, ...wishes } = input;
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  if (job.status === 'none' || job.status === 'deleted' || job.userId !== userId) throw jobNotFound();
  if (job.status !== 'finished' || !hasResult(job.outcome))
    throw new DomainError('JOB_NOT_FINISHED', 'Only a finished audit can be shared.');
  if (proofRule) await refuseUnproven(ctx, userId, proofRule);
  const shareId = shareIdIn(jobId, derivedSuffix(ctx.commandId, jobId, 'share'));
  const token = shareToken(secret, jobId, shareId);
  const { position } = await handle(ctx, shareDecider, sharesStream(jobId), {
    type: 'CreateShare',
    jobId,
    userId,
    shareId,
    tokenHash: hashToken(token),
    access: job.access,
    ...wishes,
    title: wishes.title || defaultTitle(job.host, wishes.sharedContent),
    mode: wishes.mode ?? job.access,
    at: ctx.now(),
  }).catch((error: unknown) => {
    throw error instanceof StreamDeleted ? jobNotFound() : error;
  });
  return { shareId, token, position };
}

/** Links show texts of their owner's under the operator's domain. */
async function refuseUnproven(ctx: CommandContext, userId: string, proofRule: ProofRule): Promise<void> {
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(userId));
  if (account.status !== 'active') throw jobNotFound();
  if (proofDemand(proofRule, account, ctx.now()).kind === 'now') throw emailNotConfirmed('share audits');
}

const jobNotFound = (): DomainError => new DomainError('JOB_NOT_FOUND', 'Job not found');
