import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { hasResult } from '../../domain/job/job.ts';
import { planDecider } from '../../domain/plan/decide.ts';
import { planStream } from '../../domain/plan/events.ts';
import { itemsOf } from '../../domain/plan/plan.ts';
import { comparePositions, type Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { existing, handle, loadState } from '../handle.ts';
import { readReportFile, rewriteReportFile } from '../job/writeReportFile.ts';
import { changeAction } from './changeAction.ts';
import { type Author, authorOf, type FollowUp, TOO_OLD } from './followUp.ts';

type Asked = { readonly jobId: string; readonly userId: string };
type Plan = Author & { readonly items: ReturnType<typeof itemsOf>; readonly position: Position };

/** Bound to the current attempt: aborts long calls, and refuses to write once another attempt has superseded it. */
export type Attempt = { readonly signal: AbortSignal; readonly beforeWrite: () => Promise<void> };

/**
 * Regenerates a finished job's items from its stored findings; continued items keep their progress. Then writes its
 * `action-items.md`: a crash in between is recovered by the plan-file follower, or by a retry.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED, ANALYSIS_WITHOUT_RESULT, ANALYSIS_TOO_OLD when the job has no
 *   findings
 */
export async function regeneratePlan(
  ctx: CommandContext,
  followUp: FollowUp,
  { jobId, userId }: Asked,
  attempt?: Attempt,
): Promise<Plan> {
  const written = await followUp.recommend(await findingsOf(ctx, jobId), attempt?.signal);
  const { items, by } = written;
  await attempt?.beforeWrite();
  const { state, position } = await existing(
    handle(ctx, planDecider, planStream(jobId), { type: 'RegeneratePlan', jobId, userId, by, items, at: ctx.now() }),
  );
  const ofFile = await existing(writePlanFile(ctx, followUp.itemsFile, { jobId, userId }));
  return {
    items: itemsOf(state),
    ...authorOf(written),
    position: ofFile !== null && comparePositions(ofFile, position) > 0 ? ofFile : position,
  };
}

/** Rewrites the executive summary from the findings and the current items. Throws as `regeneratePlan` does. */
export async function rewriteSummary(
  ctx: CommandContext,
  followUp: FollowUp,
  { jobId, userId }: Asked,
  attempt?: Attempt,
): Promise<Author & { readonly text: string; readonly position: Position }> {
  const findings = await findingsOf(ctx, jobId);
  const { state } = await loadState(ctx.store, planDecider, planStream(jobId));
  // Without the owner's notes, which are private.
  const written = await followUp.summarise(findings, state.status === 'generated' ? state.items : [], attempt?.signal);
  const { text } = written;
  await attempt?.beforeWrite();
  const { position } = await existing(rewriteReportFile(ctx, { jobId, userId, name: 'executive-summary.md', text }));
  return { text, ...authorOf(written), position };
}

/**
 * Rechecks an item's findings on the site and records the result; a fixed item is completed.
 * @throws as `regeneratePlan` does; DomainError ACTION_NOT_FOUND
 */
export async function verifyAction(
  ctx: CommandContext,
  followUp: FollowUp,
  { jobId, userId, actionId }: Asked & { readonly actionId: string },
  attempt?: Attempt,
): Promise<void> {
  const findings = await findingsOf(ctx, jobId);
  const { state } = await loadState(ctx.store, planDecider, planStream(jobId));
  const item = state.status === 'generated' ? state.items.find(({ id }) => id === actionId) : undefined;
  if (!item) throw new DomainError('ACTION_NOT_FOUND', 'There is no such action item.');
  const { verification, results } = await followUp.verify(findings, item.findingIds, {
    signal: attempt?.signal,
    owner: userId,
  });
  await attempt?.beforeWrite();
  await changeAction(ctx, { type: 'RecordVerification', jobId, actionId, verification, results });
}

/** Safe to repeat: an unchanged text writes nothing. */
export async function writePlanFile(
  ctx: CommandContext,
  itemsFile: FollowUp['itemsFile'],
  asked: Asked,
): Promise<Position | null> {
  const { state } = await loadState(ctx.store, planDecider, planStream(asked.jobId));
  if (state.status !== 'generated') return null;
  const context = { ...ctx, commandId: derivedId(ctx.commandId, 'action-items.md', asked.jobId) };
  return (await rewriteReportFile(context, { ...asked, name: 'action-items.md', text: itemsFile(state.items) }))
    .position;
}

/** The stored `findings.json` of a finished job. Throws as `regeneratePlan` does. */
export async function findingsOf(ctx: CommandContext, jobId: string): Promise<string> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  if (job.status === 'none' || job.status === 'deleted') throw new DomainError('JOB_NOT_FOUND', 'Job not found');
  if (job.status !== 'finished')
    throw new DomainError('JOB_NOT_FINISHED', 'The audit is still under way. Please wait until it has finished.');
  if (!hasResult(job.outcome))
    throw new DomainError('ANALYSIS_WITHOUT_RESULT', 'This audit ended without a result. Please run it again.');
  const findings = await readReportFile(ctx.store, jobId, 'findings.json');
  if (findings === null) throw new DomainError('ANALYSIS_TOO_OLD', TOO_OLD);
  return findings;
}
