/** Records of an audit's pages and links: packed, written while it runs, and removed once newer audits have theirs. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { DomainError } from '../../domain/decider.ts';
import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { MAX_PART_BYTES, type PageRecordsWritten, pageRecordsStream } from '../../domain/report/events.ts';
import { type PackedPart, pageRecordsDecider } from '../../domain/report/pageRecords.ts';
import { PARTS_AT_ONCE } from '../../domain/report/report.ts';
import type { RecordParts } from '../../domain/report/reportRows.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import { START } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { keepLastOnly } from '../keepLastOnly.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** JSON that is packed together: less takes more room, and more takes longer to read a single record. */
const TOGETHER = 384 * 1024;
/** Of all packed texts of one kind, so that no document of the read models grows too large. */
const MOST_TEXT = 64 * 1024 * 1024;
/** Of one part when it is read. */
const MOST_UNPACKED = 64 * 1024 * 1024;

/** A record as JSON, with how many rows it counts for. */
export type JsonRow = { readonly json: string; readonly rows: number };

/** What does not fit is left out from its place on. */
export async function packRecords(records: Iterable<JsonRow>): Promise<readonly PackedPart[]> {
  const parts: PackedPart[] = [];
  let total = 0;
  const pace = createPace('background');
  for (const some of together(records)) {
    for await (const part of packed(some)) {
      total += part.text.length;
      if (total > MOST_TEXT) return parts;
      parts.push(part);
    }
    await pace.pass();
  }
  return parts;
}

function* together(records: Iterable<JsonRow>): Generator<readonly JsonRow[]> {
  let some: JsonRow[] = [];
  let characters = 0;
  for (const record of records) {
    if (some.length > 0 && characters + record.json.length > TOGETHER) {
      yield some;
      some = [];
      characters = 0;
    }
    some.push(record);
    characters += record.json.length;
  }
  if (some.length > 0) yield some;
}

/** In halves if it does not compress enough. */
async function* packed(some: readonly JsonRow[]): AsyncGenerator<PackedPart> {
  const text = (await pack(`[${some.map(({ json }) => json).join(',')}]`)).toString('base64');
  if (text.length <= MAX_PART_BYTES || some.length === 1) {
    yield { rows: some.reduce((sum, { rows }) => sum + rows, 0), text };
    return;
  }
  const half = Math.ceil(some.length / 2);
  yield* packed(some.slice(0, half));
  yield* packed(some.slice(half));
}

/** @throws for a text that `packRecords` did not make */
export async function unpackRecords(text: string): Promise<readonly unknown[]> {
  const json = await unpack(Buffer.from(text, 'base64'), { maxOutputLength: MOST_UNPACKED });
  return JSON.parse(json.toString('utf8')) as readonly unknown[];
}

type Of = { readonly jobId: string; readonly userId: string };

/**
 * Writes the records of a running job, in as many appends as needed; writing the same ones again has no effect.
 * Resolves with their row counts, for the report's overview.
 * @throws DomainError JOB_ALREADY_FINISHED, so that a worker that lost the job leaves nothing behind
 */
export async function writePageRecords(
  ctx: CommandContext,
  of: Of,
  { pages, links }: { readonly pages: readonly PackedPart[]; readonly links: readonly PackedPart[] },
): Promise<Omit<RecordParts, 'allLinks'>> {
  const { state: job } = await loadState(ctx.store, jobDecider, jobStream(of.jobId));
  if (job.status === 'finished' || job.status === 'deleted')
    throw new DomainError('JOB_ALREADY_FINISHED', 'The job has already ended.');
  await write(ctx, of, 'pages', pages);
  await write(ctx, of, 'links', links);
  return { pages: pages.map(({ rows }) => rows), links: links.map(({ rows }) => rows) };
}

async function write(
  ctx: CommandContext,
  of: Of,
  kind: PageRecordsWritten['data']['kind'],
  parts: readonly PackedPart[],
): Promise<void> {
  const pace = createPace('background');
  for (let from = 0; from < parts.length; from += PARTS_AT_ONCE) {
    await pace.pass();
    await handle(ctx, pageRecordsDecider, pageRecordsStream(of.jobId), {
      type: 'WritePageRecords',
      ...of,
      kind,
      from,
      total: parts.length,
      parts: parts.slice(from, from + PARTS_AT_ONCE),
      at: ctx.now(),
    });
  }
}

/** Erases them, if there are any; that they were removed stays. Safe to repeat. */
export async function removePageRecords(ctx: CommandContext, jobId: string): Promise<Position> {
  const stream = pageRecordsStream(jobId);
  const last = await ctx.store.read(stream, { direction: 'backward', limit: 1 });
  if (last.status !== 'found') return START;
  const { position } = await handle(ctx, pageRecordsDecider, stream, {
    type: 'RemovePageRecords',
    jobId,
    at: ctx.now(),
  });
  await keepLastOnly(ctx.store, stream);
  return position;
}
