import { hash } from 'node:crypto';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { reportStream } from '../../domain/report/events.ts';
import { fileText, replaced, reportDecider, splitText } from '../../domain/report/report.ts';
import type { EventStore, Position } from '../../eventStore/eventStore.ts';
import type { ReportFile } from '../../model/jobs.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { handle, loadState } from '../handle.ts';

/** Extra attempts beyond the number of parts: another worker writing the same file makes it start over. */
const SPARE_TRIES = 10;

type File = { readonly jobId: string; readonly userId: string; readonly name: ReportFile; readonly text: string };
/** `attempt`: the audit's attempt that is writing. */
type RunningFile = File & { readonly attempt?: number };

/**
 * Writes a complete file of a running job, in as many appends as needed; writing the same text again has no effect.
 * @throws DomainError JOB_ALREADY_FINISHED; JOB_TAKEN_OVER when another attempt has superseded this one: a worker that
 *   lost the job leaves nothing behind
 */
export async function writeReportFile(
  ctx: CommandContext,
  input: RunningFile,
): Promise<{ readonly position: Position }> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(input.jobId));
  if (job.status === 'finished' || job.status === 'deleted')
    throw new DomainError('JOB_ALREADY_FINISHED', 'The job has already ended.');
  if (job.status === 'running' && input.attempt !== undefined && input.attempt !== job.attempt) throw replaced();
  return write(ctx, input);
}

/**
 * The same for an ended job.
 * @throws DomainError JOB_NOT_FOUND, JOB_NOT_FINISHED; StreamDeleted when it is deleted meanwhile
 */
export async function rewriteReportFile(ctx: CommandContext, input: File): Promise<{ readonly position: Position }> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(input.jobId));
  if (job.status === 'none' || job.status === 'deleted') throw new DomainError('JOB_NOT_FOUND', 'Job not found');
  if (job.status !== 'finished')
    throw new DomainError('JOB_NOT_FINISHED', 'The audit is still under way. Please wait until it has finished.');
  return write(ctx, input);
}

async function write(ctx: CommandContext, input: RunningFile): Promise<{ readonly position: Position }> {
  const most = splitText(input.text).length + SPARE_TRIES;
  // Says once what the text is: as a part of the command, all of it would be hashed again with each of its parts.
  const digest = hash('sha256', input.text);
  for (let turn = 0; turn < most; turn += 1) {
    const context = turn === 0 ? ctx : { ...ctx, commandId: derivedId(ctx.commandId, 'turn', digest, String(turn)) };
    const command = { type: 'WriteReportFile', ...input, at: ctx.now() } as const;
    const { state, position } = await handle(
      context,
      reportDecider,
      reportStream(input.jobId),
      command,
      turn === 0 ? {} : { drawn: ['text'] },
    );
    if (fileText(state, input.name) === input.text) return { position };
  }
  throw new Error(`Another worker writes ${input.name} of job ${input.jobId}, too.`);
}

/** A complete file written so far, for a worker that takes over the job; null if there is none. */
export async function readReportFile(store: EventStore, jobId: string, name: ReportFile): Promise<string | null> {
  const { state } = await loadState(store, reportDecider, reportStream(jobId));
  return fileText(state, name);
}
