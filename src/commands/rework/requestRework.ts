import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { reworkStream } from '../../domain/rework/events.ts';
import { type ReworkSubject, reworkDecider } from '../../domain/rework/rework.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

/** The same subject of an audit has the same id, however often it is requested. */
export function reworkIdOf(jobId: string, subject: ReworkSubject): string {
  return derivedId(jobId, 'rework', subject.what, ...(subject.what === 'verification' ? [subject.actionId] : []));
}

export type RequestedRework = {
  readonly reworkId: string;
  /** Number of this request, from 1. */
  readonly ask: number;
  readonly position: Position;
};

/**
 * Requests a worker to redo a part of a finished audit. Requests made while one is pending join it.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED
 */
export async function requestRework(
  ctx: CommandContext,
  { jobId, userId, subject }: { readonly jobId: string; readonly userId: string; readonly subject: ReworkSubject },
): Promise<RequestedRework> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  if (job.status === 'none' || job.status === 'deleted') throw new DomainError('JOB_NOT_FOUND', 'Job not found');
  if (job.status !== 'finished')
    throw new DomainError('JOB_NOT_FINISHED', 'The audit is still under way. Please wait until it has finished.');
  const reworkId = reworkIdOf(jobId, subject);
  const command = { type: 'RequestRework', reworkId, jobId, userId, subject, at: ctx.now() } as const;
  const { state, position } = await handle(ctx, reworkDecider, reworkStream(reworkId), command);
  if (state.status === 'none') throw new Error(`The rework ${reworkId} was asked for and is not there.`);
  return { reworkId, ask: state.ask, position };
}
