/** Intermediate results of a running job, saved for its later steps so that another worker can resume. */

import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { type CrawlEvent, crawlStream } from '../../domain/report/events.ts';
import { NO_CRAWL_TEXTS, PARTS_AT_ONCE, replaced, withCrawlPart } from '../../domain/report/report.ts';
import { type EventOf, eventsOf } from '../../domain/stored/eventOf.ts';
import {
  type EventStore,
  type RecordedEvent,
  type Revision,
  RevisionConflict,
  type StreamRead,
} from '../../eventStore/eventStore.ts';
import { backOff } from '../backOff.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope, loadState } from '../handle.ts';

const MAX_TRIES = 20;

/** Events read at once: a megabyte. */
const READ_AT_ONCE = 4;

/**
 * Saves a text of any length under a name, replacing the previous one. It comes in parts, each as long as an event can
 * hold, and again each time it is asked for. Does not read what is stored, which may be large. Written in several
 * appends, each at exactly the revision of the previous one: if another worker writes in between, it starts over, so
 * parts of two texts never mix.
 * @throws DomainError JOB_TAKEN_OVER when another attempt of the audit has superseded this one (`attempt`)
 */
export async function saveCrawlPart(
  ctx: CommandContext,
  input: {
    readonly jobId: string;
    readonly name: string;
    readonly parts: number;
    readonly texts: () => AsyncIterable<string>;
    readonly attempt?: number;
  },
): Promise<void> {
  const { jobId, name, parts, attempt } = input;
  const stream = crawlStream(jobId);
  const eventOf = (part: number, text: string): CrawlEvent => ({
    type: 'CrawlPartRecorded',
    data: { jobId, name, part, parts, text, ...(attempt === undefined ? {} : { attempt }) },
  });
  for (let tries = 1; ; tries += 1) {
    const last = await ctx.store.read(stream, { direction: 'backward', limit: 1 });
    if (attempt !== undefined) await refuseReplaced(ctx.store, jobId, attempt, last);
    const first = last.status === 'found' ? last.revision : null;
    const idOf = (part: number): string => derivedId(ctx.commandId, stream, name, String(first), String(part));
    try {
      let revision = first;
      let part = 0;
      for await (const texts of together(input.texts())) {
        const some = texts.map((text, at) => envelope(ctx, idOf(part + at), eventOf(part + at, text)));
        ({ revision } = await ctx.store.append(stream, some, { expected: revision ?? 'no_stream' }));
        part += texts.length;
      }
      if (part !== parts) throw new Error(`"${name}" of job ${jobId} has ${part} parts instead of ${parts}.`);
      return;
    } catch (error) {
      if (!(error instanceof RevisionConflict) || tries >= MAX_TRIES) throw error;
      await backOff(tries, ctx.signal);
    }
  }
}

/**
 * An attempt that is superseded between this check and its append either precedes what the new attempt saves, which
 * then counts, or finds that the stream has moved on and checks again.
 */
async function refuseReplaced(store: EventStore, jobId: string, attempt: number, last: StreamRead): Promise<void> {
  const [saved] = last.status === 'found' ? eventsOf(last.events.slice(0, 1), 'CrawlPartRecorded') : [];
  if ((saved?.data.attempt ?? 0) > attempt) throw replaced();
  const { state } = await loadState(store, jobDecider, jobStream(jobId));
  if (state.status === 'running' && state.attempt !== attempt) throw replaced();
}

/** As many as fit into one append. */
async function* together(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let some: string[] = [];
  for await (const text of texts) {
    some.push(text);
    if (some.length < PARTS_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** The parts of the last complete text that was saved under that name; null if there is none. */
export async function loadCrawlPart(
  store: EventStore,
  jobId: string,
  name: string,
): Promise<AsyncIterable<string> | null> {
  let known = NO_CRAWL_TEXTS;
  for await (const event of partsOf(store, jobId, name, 0n)) known = withCrawlPart(known, event.revision, event);
  const { complete } = known;
  return complete && textsFrom(store, { jobId, name }, complete);
}

async function* textsFrom(
  store: EventStore,
  { jobId, name }: { readonly jobId: string; readonly name: string },
  { at, parts }: { readonly at: Revision; readonly parts: number },
): AsyncGenerator<string> {
  let left = parts;
  for await (const { data } of partsOf(store, jobId, name, at)) {
    yield data.text;
    left -= 1;
    if (left === 0) return;
  }
  throw new Error(`The working data "${name}" of job ${jobId} was erased while it was read.`);
}

type Part = RecordedEvent & EventOf<'CrawlPartRecorded'>;

/** A few at a time, because all of them may be large. */
async function* partsOf(store: EventStore, jobId: string, name: string, from: Revision): AsyncGenerator<Part> {
  for (let next = from; ; ) {
    const read = await store.read(crawlStream(jobId), { from: next, limit: READ_AT_ONCE });
    const last = read.status === 'found' ? read.events.at(-1) : undefined;
    if (read.status !== 'found' || last === undefined) return;
    yield* eventsOf(read.events, 'CrawlPartRecorded').filter(({ data }) => data.name === name);
    if (last.revision >= read.revision) return;
    next = last.revision + 1n;
  }
}

/** Not needed once the job has ended. Permanent: a worker that lost the job cannot recreate it. */
export async function deleteCrawl(store: EventStore, jobId: string): Promise<void> {
  await store.delete(crawlStream(jobId));
}
