/** Intermediate results of a running job, saved for its later steps so that another worker can resume. */

import { jobDecider } from '../../domain/job/decide.ts';
import { jobStream } from '../../domain/job/events.ts';
import { type CrawlEvent, crawlStream } from '../../domain/report/events.ts';
import { joinCrawlParts, PARTS_AT_ONCE, replaced, splitText } from '../../domain/report/report.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { type EventStore, RevisionConflict, type StreamRead } from '../../eventStore/eventStore.ts';
import { backOff } from '../backOff.ts';
import type { CommandContext } from '../context.ts';
import { derivedId } from '../derivedId.ts';
import { envelope, loadState } from '../handle.ts';

const MAX_TRIES = 20;

/**
 * Saves a text of any length under a name, replacing the previous one. Does not read what is stored, which may be
 * large. Written in several appends, each at exactly the revision of the previous one: if another worker writes in
 * between, it starts over, so parts of two texts never mix.
 * @throws DomainError JOB_TAKEN_OVER when another attempt of the audit has superseded this one (`attempt`)
 */
export async function saveCrawlPart(
  ctx: CommandContext,
  input: { readonly jobId: string; readonly name: string; readonly text: string; readonly attempt?: number },
): Promise<void> {
  const { jobId, name, attempt } = input;
  const stream = crawlStream(jobId);
  const texts = splitText(input.text);
  const events = texts.map(
    (text, part): CrawlEvent => ({
      type: 'CrawlPartRecorded',
      data: { jobId, name, part, parts: texts.length, text, ...(attempt === undefined ? {} : { attempt }) },
    }),
  );
  for (let tries = 1; ; tries += 1) {
    const last = await ctx.store.read(stream, { direction: 'backward', limit: 1 });
    if (attempt !== undefined) await refuseReplaced(ctx.store, jobId, attempt, last);
    const first = last.status === 'found' ? last.revision : null;
    const idOf = (part: number): string => derivedId(ctx.commandId, stream, name, String(first), String(part));
    try {
      let revision = first;
      for (let from = 0; from < events.length; from += PARTS_AT_ONCE) {
        const some = events.slice(from, from + PARTS_AT_ONCE).map((event, at) => envelope(ctx, idOf(from + at), event));
        ({ revision } = await ctx.store.append(stream, some, { expected: revision ?? 'no_stream' }));
      }
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

/** Null if no complete text was saved under that name. */
export async function loadCrawlPart(store: EventStore, jobId: string, name: string): Promise<string | null> {
  const read = await store.read(crawlStream(jobId));
  return read.status === 'found' ? joinCrawlParts(eventsOf(read.events, 'CrawlPartRecorded'), name) : null;
}

/** Not needed once the job has ended. Permanent: a worker that lost the job cannot recreate it. */
export async function deleteCrawl(store: EventStore, jobId: string): Promise<void> {
  await store.delete(crawlStream(jobId));
}
