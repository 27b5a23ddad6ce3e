import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { MAX_PART_BYTES, type ReportRows, reportStream } from '../../domain/report/events.ts';
import { PARTS_AT_ONCE } from '../../domain/report/report.ts';
import { type Report, splitRows } from '../../domain/report/reportData.ts';
import type { RecordParts } from '../../domain/report/reportRows.ts';
import { rowsDecider } from '../../domain/report/rows.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';

type To = { readonly jobId: string; readonly userId: string };

/**
 * Writes a running job's results as rows, in as many appends as needed; writing the same rows again has no effect. The
 * overview comes last.
 * @throws DomainError JOB_ALREADY_FINISHED, so that a worker that lost the job leaves nothing behind
 */
export async function writeReportRows(
  ctx: CommandContext,
  { jobId, userId, report, records }: To & { readonly report: Report; readonly records?: RecordParts },
): Promise<void> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(jobId));
  if (job.status === 'finished' || job.status === 'deleted')
    throw new DomainError('JOB_ALREADY_FINISHED', 'The job has already ended.');
  const findings = await all(splitRows(report.findings, MAX_PART_BYTES));
  const pages = await all(splitRows(report.pages, MAX_PART_BYTES));
  const parts = { findings: findings.map((rows) => rows.length), pages: pages.map((rows) => rows.length) };
  await write(
    ctx,
    { jobId, userId },
    findings.map((rows) => ({ kind: 'findings', rows })),
  );
  await write(
    ctx,
    { jobId, userId },
    pages.map((rows) => ({ kind: 'pages', rows })),
  );
  await write(ctx, { jobId, userId }, [
    { kind: 'overview', rows: [{ ...report.overview, parts, ...(records === undefined ? {} : { records }) }] },
  ]);
}

/** With others in between: a store in the same process answers at once. */
async function all<T>(items: Iterable<T>): Promise<readonly T[]> {
  const pace = createPace('background');
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    await pace.pass();
  }
  return taken;
}

async function write(ctx: CommandContext, to: To, parts: readonly ReportRows[]): Promise<void> {
  const pace = createPace('background');
  for (let from = 0; from < parts.length; from += PARTS_AT_ONCE) {
    await pace.pass();
    const command = {
      type: 'WriteReportRows',
      ...to,
      from,
      total: parts.length,
      parts: parts.slice(from, from + PARTS_AT_ONCE),
      at: ctx.now(),
    } as const;
    await handle(ctx, rowsDecider, reportStream(to.jobId), command);
  }
}
