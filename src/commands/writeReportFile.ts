import { DomainError } from '../domain/decider.ts';
import { jobDecider } from '../domain/job/decide.ts';
import { jobStream } from '../domain/job/job.ts';
import { fileText, type ReportFile, reportDecider, reportStream } from '../domain/report/report.ts';
import type { EventStore, Position } from '../eventStore/eventStore.ts';
import type { CommandContext } from './context.ts';
import { handle, loadState } from './handle.ts';

/**
 * Writes one file of a running job, whole; the same text again writes nothing.
 * @throws DomainError JOB_ALREADY_FINISHED, so that a worker that lost the job leaves nothing behind
 */
export async function writeReportFile(
  ctx: CommandContext,
  input: { readonly jobId: string; readonly userId: string; readonly name: ReportFile; readonly text: string },
): Promise<{ readonly position: Position }> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(input.jobId));
  if (job.status === 'finished' || job.status === 'deleted') throw new DomainError('JOB_ALREADY_FINISHED', 'The job has already ended.');
  const { position } = await handle(ctx, reportDecider, reportStream(input.jobId), { type: 'WriteReportFile', ...input, at: ctx.now() });
  return { position };
}

/** A file as written so far, for a worker that takes the job over; null when it was not. */
export async function readReportFile(store: EventStore, jobId: string, name: ReportFile): Promise<string | null> {
  const { state } = await loadState(store, reportDecider, reportStream(jobId));
  return fileText(state, name);
}
