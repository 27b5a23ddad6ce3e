/** A moment in the past: turns a requested time or position into an exact place in the log. */

import { accountStream } from '../../domain/account/events.ts';
import { jobStream } from '../../domain/job/events.ts';
import type { EventStore, Position, RecordedEvent } from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { accounts } from '../../projections/accounts.ts';
import { causes } from '../../projections/history/causes.ts';
import { jobIndex } from '../../projections/jobIndex.ts';
import type { ReadModels } from '../../readModels/readModels.ts';

export type Moment = {
  /** Position of the last event up to then. */
  readonly position: Position;
  /** Time of that event, UTC ISO. */
  readonly time: string;
  /** Position of the event after it, from which the log is read backward. Null if it is the latest. */
  readonly next: Position | null;
};

export type RequestedMoment = { readonly position: Position } | { readonly time: string };

export type MomentDeps = {
  readonly store: Pick<EventStore, 'read' | 'readAll' | 'head'>;
  readonly readModels: Pick<ReadModels, 'find'>;
};

const PAGE = 1_000;

/**
 * The order of the log is authoritative; a time is only a way to find a place in it. Clocks of different processes
 * differ by a few milliseconds, so a time maps to the place before the first event recorded as later. To get exactly
 * the same moment again, ask by position. Null if nothing had happened yet.
 */
export async function momentOf(
  deps: MomentDeps,
  requested: RequestedMoment,
  signal?: AbortSignal,
): Promise<Moment | null> {
  const after =
    'time' in requested
      ? await positionAt(deps, requested.time, signal)
      : await eventAtOrBefore(deps, requested.position, signal);
  if (after === null) return null;
  const next = (await deps.store.readAll({ after, limit: 1 })).events[0]?.position ?? null;
  const { events } = await deps.store.readAll({
    ...(next === null ? {} : { after: next }),
    direction: 'backward',
    limit: 1,
  });
  const last = events[0];
  return last ? { position: last.position, time: last.metadata.at, next } : null;
}

/**
 * A position may be typed in or come from another log, and not every store can read from a number that is no event's
 * position. The causes cover nearly every event.
 */
async function eventAtOrBefore(
  { store, readModels }: MomentDeps,
  position: Position,
  signal?: AbortSignal,
): Promise<Position | null> {
  const head = await store.head();
  if (position >= head) return head;
  const { documents } = await readModels.find(causes.name, {
    where: { position: { lte: position } },
    sort: [['position', 'desc']],
    limit: 1,
  });
  return lastBefore(store, documents[0]?.position ?? null, (event) => event.position > position, signal);
}

/**
 * Positions carry no time, and not every store can read from a number that is no event's position. So the log is
 * scanned from the newest job or account created by then, which the read models find by index.
 */
async function positionAt(
  { store, readModels }: MomentDeps,
  time: string,
  signal?: AbortSignal,
): Promise<Position | null> {
  const known = await Promise.all([
    newest(readModels, jobIndex.name, time, jobStream),
    newest(readModels, accounts.name, time, accountStream),
  ]);
  const begins = await Promise.all(known.map((stream) => (stream === null ? null : beginning(store, stream))));
  let last: Position | null = null;
  for (const event of begins)
    if (event && event.metadata.at <= time && (last === null || event.position > last)) last = event.position;
  return lastBefore(store, last, ({ metadata }) => metadata.at > time, signal);
}

/** The last event, starting from a known one, before the first later event. Null if there is none. */
async function lastBefore(
  store: MomentDeps['store'],
  from: Position | null,
  isLater: (event: RecordedEvent) => boolean,
  signal: AbortSignal | undefined,
): Promise<Position | null> {
  const pace = createPace('request');
  for (let last = from; ; ) {
    signal?.throwIfAborted();
    const page = await store.readAll({ ...(last === null ? {} : { after: last }), limit: PAGE });
    const later = page.events.findIndex(isLater);
    last = page.events[later === -1 ? page.events.length - 1 : later - 1]?.position ?? last;
    if (later !== -1 || page.end) return last;
    await pace.pass();
  }
}

async function newest(
  readModels: MomentDeps['readModels'],
  model: string,
  time: string,
  stream: (id: string) => string,
): Promise<string | null> {
  const { documents } = await readModels.find(model, {
    where: { createdAt: { lte: time } },
    sort: [['createdAt', 'desc']],
    limit: 1,
  });
  return documents[0] ? stream(documents[0].id) : null;
}

async function beginning(store: MomentDeps['store'], stream: string): Promise<RecordedEvent | null> {
  const read = await store.read(stream, { limit: 1 });
  return read.status === 'found' ? (read.events[0] ?? null) : null;
}
