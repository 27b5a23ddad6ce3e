/** One part of a completed audit redone, once per request. */

import type { Cause, CommandContext, ContextOf } from '../commands/context.ts';
import { handle, loadState } from '../commands/handle.ts';
import { handleOnce } from '../commands/handleOnce.ts';
import { type Author, authorOf, type FollowUp } from '../commands/plan/followUp.ts';
import { type Attempt, regeneratePlan, rewriteSummary, verifyAction } from '../commands/plan/regeneratePlan.ts';
import { DomainError, unreachable } from '../domain/decider.ts';
import type { ModelUse } from '../domain/modelUse.ts';
import { reworkStream } from '../domain/rework/events.ts';
import { type ReworkState, reworkDecider } from '../domain/rework/rework.ts';
import type { Position } from '../eventStore/eventStore.ts';

export type ReworkDeps = {
  readonly context: ContextOf;
  /** UTC ISO. */
  readonly now: () => string;
  readonly followUp: FollowUp;
};

/** A rework and the event that made it pending. */
export type PendingRework = { readonly reworkId: string; readonly cause: Cause };

/** `ended`: by any worker, with an event at or before this position. `not_now`: another worker holds it. */
export type ReworkOutcome =
  | { readonly outcome: 'ended'; readonly position: Position }
  | { readonly outcome: 'not_now' };

type Open = Extract<ReworkState, { readonly status: 'open' | 'ended' }>;

/**
 * Checks `held` before recording the attempt. A rework that can never be done, because the audit is gone or too old, is
 * given up immediately.
 * @throws when it should be retried
 */
export async function performRework(
  deps: ReworkDeps,
  { reworkId, cause }: PendingRework,
  held: () => boolean,
  signal: AbortSignal,
): Promise<ReworkOutcome> {
  const context = (): CommandContext => deps.context(cause);
  const stream = reworkStream(reworkId);
  const { store } = context();
  const loaded = await loadState(store, reworkDecider, stream);
  if (loaded.state.status !== 'open') return { outcome: 'ended', position: loaded.position };
  if (!held()) throw new Error('Another worker may have the rework by now.');
  const started = await handleOnce(context(), reworkDecider, stream, { type: 'StartRework', at: deps.now() }, loaded);
  if (started?.state.status !== 'open') return { outcome: 'not_now' };
  const { attempt } = started.state;
  const beforeWrite = async (): Promise<void> => {
    signal.throwIfAborted();
    const { state } = await loadState(store, reworkDecider, stream);
    if (state.status !== 'open' || state.attempt !== attempt)
      throw new Error('Another try has replaced this one, or it is wanted no more.');
  };
  const uses: ModelUse[] = [];
  const done = await perform({ context, followUp: noting(deps.followUp, uses) }, started.state, {
    signal,
    beforeWrite,
  });
  const [asked] = uses;
  const ended = { attempt, at: deps.now(), ...(asked === undefined ? {} : { asked }) };
  const end =
    done instanceof DomainError
      ? ({ type: 'GiveUpRework', code: done.code, reason: done.message, ...ended } as const)
      : ({ type: 'FinishRework', ...done, ...ended } as const);
  const { state, position } = await handle(context(), reworkDecider, stream, end);
  return state.status === 'ended' ? { outcome: 'ended', position } : { outcome: 'not_now' };
}

/** The same, with model usage added to `uses`: it costs that much whatever happens to the response. */
function noting(followUp: FollowUp, uses: ModelUse[]): FollowUp {
  const noted = <T extends { readonly asked?: ModelUse }>(written: T): T => {
    if (written.asked) uses.push(written.asked);
    return written;
  };
  return {
    ...followUp,
    recommend: async (...given) => noted(await followUp.recommend(...given)),
    summarise: async (...given) => noted(await followUp.summarise(...given)),
  };
}

/** `context`: a new command context each time. */
type Means = { readonly context: () => CommandContext; readonly followUp: FollowUp };

/** The author of the result, or why it can never be done. */
async function perform(
  { context, followUp }: Means,
  { subject, jobId, userId }: Open,
  attempt: Attempt,
): Promise<Author | { readonly by: null } | DomainError> {
  try {
    switch (subject.what) {
      case 'plan':
        return authorOf(await regeneratePlan(context(), followUp, { jobId, userId }, attempt));
      case 'summary':
        return authorOf(await rewriteSummary(context(), followUp, { jobId, userId }, attempt));
      case 'verification':
        await verifyAction(context(), followUp, { jobId, userId, actionId: subject.actionId }, attempt);
        return { by: null };
      default:
        return unreachable(subject);
    }
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
