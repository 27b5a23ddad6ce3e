import { createHash } from 'node:crypto';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { reportStream } from '../../domain/report/events.ts';
import {
  type DigestedPart,
  digestedParts,
  type FileTexts,
  isComplete,
  isWritten,
  replaced,
  reportDecider,
  withFilePart,
} from '../../domain/report/report.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import type { EventStore, Position } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
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
  const { text, ...file } = input;
  const pace = createPace('background');
  const parts: DigestedPart[] = [];
  const digest = createHash('sha256');
  for (const part of digestedParts(text)) {
    parts.push(part);
    // Says once what the text is: as a part of the command, all of it would be hashed again with each of its parts.
    digest.update(part.text);
    await pace.pass();
  }
  const base = derivedId(ctx.commandId, file.name, digest.digest('hex'));
  for (let turn = 0; turn < parts.length + SPARE_TRIES; turn += 1) {
    const context = { ...ctx, commandId: derivedId(base, 'turn', String(turn)) };
    const command = { type: 'WriteReportFile', ...file, parts, at: ctx.now() } as const;
    const { state, position } = await handle(context, reportDecider, reportStream(file.jobId), command, {
      drawn: ['parts'],
    });
    if (isWritten(state, file.name, parts)) return { position };
    await pace.pass();
  }
  throw new Error(`Another worker writes ${file.name} of job ${file.jobId}, too.`);
}

/** Whether a complete file was written so far, for a worker that takes over the job. */
export async function hasReportFile(store: EventStore, jobId: string, name: ReportFile): Promise<boolean> {
  const { state } = await loadState(store, reportDecider, reportStream(jobId));
  return isComplete(state, name);
}

/** Events read at once: a megabyte. */
const READ_AT_ONCE = 4;

/** Null if the file is missing or incomplete. */
export async function readReportFile(store: EventStore, jobId: string, name: ReportFile): Promise<string | null> {
  let file: FileTexts | null = null;
  const pace = createPace('background');
  for (let from = 0n; ; ) {
    const read = await store.read(reportStream(jobId), { from, limit: READ_AT_ONCE });
    const last = read.status === 'found' ? read.events.at(-1) : undefined;
    if (read.status !== 'found' || last === undefined) break;
    for (const event of eventsOf(read.events, 'ReportPartWritten'))
      if (event.data.file === name) file = withFilePart(file, event);
    if (last.revision >= read.revision) break;
    from = last.revision + 1n;
    await pace.pass();
  }
  return file !== null && file.texts.length === file.parts ? file.texts.join('') : null;
}
