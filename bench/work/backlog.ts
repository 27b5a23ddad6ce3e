/**
 * Histories of a user with many jobs, written straight into the log as the commands would leave them: quicker than
 * submitting each.
 */

import { randomUUID } from 'node:crypto';
import { signUp } from '../../src/commands/account/signUp.ts';
import type { CommandContext } from '../../src/commands/context.ts';
import { mailIdOf } from '../../src/commands/mail/mailOf.ts';
import { billingStream } from '../../src/domain/billing/events.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { mailStream } from '../../src/domain/mail/events.ts';
import type { EventStore, NewEvent } from '../../src/eventStore/eventStore.ts';
import { jobEvents, newEvent } from '../events.ts';

export type Site = { readonly url: string; readonly host: string };

/** So long that no audit of a site with thousands of slow pages ends within a figure. */
export const BOUNDS = { maxPages: 5_000, maxMs: 3_600_000 };
const AT = '2026-11-21T09:00:00.000Z';
const PERIOD = '2026-11';
/** Streams that are written at once: they share a commit. */
const AT_ONCE = 500;

export async function newUser(context: () => CommandContext): Promise<string> {
  return (await signUp(context(), { email: `${randomUUID()}@example.com`, name: 'Bench', passwordHash: 'not used' }))
    .userId;
}

type Stream = { readonly stream: string; readonly events: readonly NewEvent[] };

async function write(store: EventStore, streams: Iterable<Stream>): Promise<number> {
  let [written, pending] = [0, [] as Promise<unknown>[]];
  for (const { stream, events } of streams) {
    written += events.length;
    pending.push(store.append(stream, events, { expected: 'any' }));
    if (pending.length < AT_ONCE) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
  return written;
}

/**
 * Jobs that wait for their turn, or, with `cancelled`, that were cancelled while they did. Answers how many events that
 * took.
 */
export async function writeWaitingJobs(
  store: EventStore,
  userId: string,
  site: Site,
  how: { readonly jobs: number; readonly cancelled: boolean },
): Promise<number> {
  const jobIds = Array.from({ length: how.jobs }, () => randomUUID());
  const [batchId, access] = [randomUUID(), 'preview'];
  const reserved = jobIds.map((jobId) =>
    newEvent('AnalysisReserved', {
      userId,
      jobId,
      batchId,
      from: 'free_allowance',
      period: PERIOD,
      access,
      reservedAt: AT,
    }),
  );
  let written = await write(store, inGroups(billingStream(userId), reserved));
  written += await write(
    store,
    jobIds.map((jobId) => ({
      stream: jobStream(jobId),
      events: [
        newEvent('JobSubmitted', { jobId, userId, ...site, bounds: BOUNDS, access, submittedAt: AT }),
        newEvent('JobQueued', { jobId, queuedAt: AT }),
      ],
    })),
  );
  if (!how.cancelled) return written;
  const ends = jobIds.map((jobId) => ({
    jobId,
    end: newEvent('JobCancelled', { jobId, userId, by: `user:${userId}`, cancelledAt: AT }),
  }));
  written += await write(
    store,
    ends.flatMap(({ jobId, end }) => [
      { stream: jobStream(jobId), events: [end] },
      mailOfEnd(end, userId, 'nothing_to_tell'),
    ]),
  );
  const released = jobIds.map((jobId) =>
    newEvent('AnalysisReleased', {
      userId,
      jobId,
      reason: 'job_cancelled',
      from: 'free_allowance',
      period: PERIOD,
      releasedAt: AT,
    }),
  );
  return written + (await write(store, inGroups(billingStream(userId), released)));
}

/** Jobs of many users that went all the way, with nothing pending any more; about `count` events. */
export async function writePastJobs(store: EventStore, count: number): Promise<void> {
  await write(store, pastJobs(count));
}

function* pastJobs(count: number): Generator<Stream> {
  for (let written = 0; written < count; ) {
    const [jobId, userId] = [randomUUID(), `user-${written % 50}`];
    const events = jobEvents(jobId, userId);
    yield { stream: jobStream(jobId), events };
    yield mailOfEnd(events.at(-1) as NewEvent, userId, 'not_wanted');
    written += events.length + 1;
  }
}

/** One after the other of the same stream, in appends of moderate size. */
function* inGroups(stream: string, events: readonly NewEvent[]): Generator<Stream> {
  for (let from = 0; from < events.length; from += AT_ONCE)
    yield { stream, events: events.slice(from, from + AT_ONCE) };
}

function mailOfEnd(end: NewEvent, userId: string, reason: string): Stream {
  const mailId = mailIdOf(end) ?? '';
  return {
    stream: mailStream(mailId),
    events: [newEvent('MailDropped', { mailId, userId, kind: 'job_done', reason, droppedAt: AT })],
  };
}
