/**
 * The past and the present are the same folds: for random histories each document, at every position, equals what its
 * projection had said at that position, and a rebuild from the remaining log equals the present. Content erased since
 * is shown as erased.
 */

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequenceMailsStream } from '../../../src/domain/sequence/events.ts';
import {
  comparePositions,
  type EventStore,
  type RecordedEvent,
  START,
  type StreamRead,
} from '../../../src/eventStore/eventStore.ts';
import { FEEDS } from '../../../src/history/past/feeds.ts';
import { openPast, type Past } from '../../../src/history/past/past.ts';
import { replay } from '../../../src/history/past/replay.ts';
import { PROJECTIONS } from '../../../src/projections/all.ts';
import type { CauseDocument } from '../../../src/projections/history/causes.ts';
import type { AnyProjection } from '../../../src/projections/projection.ts';
import type { WebhookDocument } from '../../../src/projections/webhooks.ts';
import { applyBatch, openLane } from '../../../src/projector/projectionLane.ts';
import { FULL } from '../../given/fullForm.ts';
import { lived, stepsOfLives } from '../../given/past/lives.ts';
import { type Folding, folding } from '../../given/stores/projection.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';
import { documentsOf } from '../../given/stores/replay.ts';

const SEED = Number(process.env.TEST_SEED ?? 20261123);
const RUNS = FULL ? 2_000 : 100;
const LENGTH = 45;
/** How often the projector itself runs along, with its store; otherwise only its folds. */
const WITH_STORES = 20;

type Log = Pick<EventStore, 'read' | 'readAll'>;
type Lived = {
  /** The events as the projector received them. */
  readonly whole: readonly RecordedEvent[];
  /** The rest of them in the log. */
  readonly left: readonly RecordedEvent[];
  readonly log: Log;
};
type Lane = { readonly projection: AnyProjection; readonly folded: Folding<object, RecordedEvent> };
type Seen = { compared: number; erased: number; remembered: number; readonly models: Set<string> };

const lanesOf = (): readonly Lane[] =>
  PROJECTIONS.map((projection) => ({ projection, folded: folding<object, RecordedEvent>(projection) }));
const namesStreams = ({ name }: AnyProjection): boolean => 'streams' in (FEEDS[name] ?? {});

/** Like `toEqual`, which is slow. */
function same(actual: unknown, expected: unknown, what: () => string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what()).toEqual(expected);
}

async function history(todo: Parameters<typeof lived>[0]): Promise<Lived> {
  const { made, log } = await lived(todo);
  const left = await made.log();
  // Several erasures at once may each have been recorded.
  const events = [...new Map([...log, ...left].map((event) => [event.position, event])).values()];
  return {
    whole: events.sort((a, b) => comparePositions(a.position, b.position)),
    left,
    log: standing(made.store, left),
  };
}

/** Nothing is written any more: each stream is read once for all positions. */
function standing(store: EventStore, left: readonly RecordedEvent[]): Log {
  const reads = new Map<string, Promise<StreamRead>>();
  return {
    read: (stream) => {
      const read = reads.get(stream) ?? store.read(stream);
      reads.set(stream, read);
      return read;
    },
    readAll: async ({ after = START, limit = 1_000, filter } = {}) => {
      const found = left.filter(({ position, type }) => position > after && (filter?.types?.includes(type) ?? true));
      const events = found.slice(0, limit);
      return { events, next: events.at(-1)?.position ?? after, end: found.length <= limit };
    },
  };
}

/**
 * At the position of every event, the documents that it names: no others change there, so that each is compared
 * wherever it does.
 */
async function comparePast({ whole, log }: Lived, seen: Seen): Promise<readonly Lane[]> {
  const lanes = lanesOf();
  for (const event of whole) {
    const past = openPast({ store: log, position: event.position });
    for (const { projection, folded } of lanes) {
      if (!projection.handles.includes(event.type)) continue;
      folded.take(event);
      if (namesStreams(projection)) await compareDocuments(past, { projection, folded }, event, seen);
      await compareOfUser(past, log, { projection, folded }, event);
    }
  }
  return lanes;
}

async function compareDocuments(
  past: Past,
  { projection, folded }: Lane,
  event: RecordedEvent,
  seen: Seen,
): Promise<void> {
  const { name } = projection;
  for (const id of projection.keys(event)) {
    const then = await past.documentAsOf(name, id);
    if (then.status === 'erased') {
      seen.erased += 1;
      continue;
    }
    seen.compared += 1;
    seen.models.add(name);
    same(then.status === 'there' ? then.document : null, folded.get(id), () => `${name} ${id} at ${event.position}`);
  }
}

/** Models whose documents are in the streams of their users, though their ids do not say so. */
const OF_USERS: Readonly<Record<string, (userId: string) => string>> = {
  sequenceRecipients: sequenceMailsStream,
};

async function compareOfUser(past: Past, log: Log, { projection, folded }: Lane, event: RecordedEvent): Promise<void> {
  const { name } = projection;
  const { userId = '' } = event.data as { readonly userId?: string };
  const stream = OF_USERS[name]?.(userId);
  if (stream !== event.stream) return;
  const read = await log.read(stream);
  if (read.status !== 'found' || read.events[0]?.revision !== 0n) return;
  const then = Object.fromEntries((await past.documentsOf(name, [stream])).map(({ id, data }) => [id, data]));
  const told = Object.entries(folded.documents()).filter(([, data]) => {
    const { userId: owner, kind } = data as { readonly userId?: string; readonly kind?: string };
    // When a user was last active follows from other streams.
    return owner === userId && kind !== 'user';
  });
  same(then, Object.fromEntries(told), () => `${name} of ${userId} at ${event.position}`);
}

/** Rebuilt from the rest; and a replay stopped anywhere equals it at that point. */
async function compareReplays({ left, log }: Lived): Promise<readonly Lane[]> {
  const lanes = lanesOf();
  const middle = left[Math.floor(left.length / 2)];
  for (const event of left) {
    for (const { folded } of lanes) folded.take(event);
    if (event !== middle && event !== left.at(-1)) continue;
    for (const { projection, folded } of lanes) {
      if (namesStreams(projection) && event === middle) continue;
      const { states, failures } = await replay(log, projection, { position: event.position });
      same([...failures], [], () => projection.name);
      const told = [...states.values()].filter(({ data }) => data !== null);
      const stopped = Object.keys(folded.documents()).flatMap((id) => folded.get(id) ?? []);
      const byId = (documents: readonly { readonly id: string }[]) =>
        Object.fromEntries(documents.map((document) => [document.id, document]));
      same(byId(told), byId(stopped), () => `${projection.name} replayed`);
    }
  }
  return lanes;
}

/** The causes still point at erased events, without content: these are left out. */
function compareRebuilt({ whole, left }: Lived, live: readonly Lane[], anew: readonly Lane[], seen: Seen): void {
  const places = new Set(left.map(({ stream, revision }) => `${stream} ${revision}`));
  const told = ({ projection: { name }, folded }: Lane): object => {
    const documents = Object.entries(folded.documents());
    const there =
      name === 'causes'
        ? (documents as [string, CauseDocument][]).filter(([, { stream, revision }]) =>
            places.has(`${stream} ${revision}`),
          )
        : documents;
    return Object.fromEntries(there);
  };
  for (const [at, lane] of live.entries())
    same(told(anew[at] ?? lane), told(lane), () => `${lane.projection.name} made anew`);
  const forgotten = new Set(
    whole.flatMap(({ type, data }) =>
      type === 'WebhookForgotten' ? [(data as { readonly endpointId: string }).endpointId] : [],
    ),
  );
  const webhooks = live.find(({ projection }) => projection.name === 'webhooks')?.folded.documents() ?? {};
  for (const [id, data] of Object.entries(webhooks as Record<string, WebhookDocument>)) {
    if (forgotten.has(id) && (data.failing_since ?? data.last_success_at) !== null) seen.remembered += 1;
  }
}

/** The projector's result in its store: in small batches, as it happened, and in large ones of the rest. */
async function compareStored({ whole, left }: Lived, live: readonly Lane[], anew: readonly Lane[]): Promise<void> {
  const readModels = memoryReadModels();
  try {
    for (const [build, events, size, folded] of [
      ['live', whole, 7, live],
      ['anew', left, 500, anew],
    ] as const) {
      const lanes = await Promise.all(PROJECTIONS.map((projection) => openLane(readModels, projection, build)));
      for (let from = 0; from < events.length; from += size) {
        const batch = events.slice(from, from + size);
        await applyBatch(
          readModels,
          lanes,
          { events: batch, upTo: batch.at(-1)?.position ?? START },
          () => '2026-01-01T00:00:00.000Z',
        );
      }
      for (const lane of folded) {
        const stored = Object.entries(await documentsOf(readModels, lane.projection.name, build));
        const data = stored.map(([id, { position: _, ...rest }]: [string, object & { position?: unknown }]) => [
          id,
          rest,
        ]);
        same(Object.fromEntries(data), lane.folded.documents(), () => `${lane.projection.name} stored as ${build}`);
      }
    }
    expect(await readModels.parked()).toEqual([]);
  } finally {
    await readModels.close();
  }
}

describe('past documents', () => {
  it(`equal what their projections had said at every position, and a rebuild equals the present (seed ${SEED})`, async () => {
    const seen: Seen = { compared: 0, erased: 0, remembered: 0, models: new Set() };
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(stepsOfLives(LENGTH), async (todo) => {
        const happened = await history(todo);
        const live = await comparePast(happened, seen);
        const anew = await compareReplays(happened);
        compareRebuilt(happened, live, anew, seen);
        if (runs % WITH_STORES === 0) await compareStored(happened, live, anew);
        runs += 1;
      }),
      { numRuns: RUNS, seed: SEED },
    );
    expect(seen.compared).toBeGreaterThan(RUNS * 10);
    expect(seen.erased).toBeGreaterThan(RUNS);
    // One history in a thousand.
    if (FULL) expect(seen.remembered).toBeGreaterThan(0);
    expect([...seen.models].sort()).toEqual(
      PROJECTIONS.filter(namesStreams)
        .map(({ name }) => name)
        .sort(),
    );
  }, 300_000);
});

describe('the table of feeds', () => {
  it('has a line for every read model', () => {
    expect(Object.keys(FEEDS).sort()).toEqual(PROJECTIONS.map(({ name }) => name).sort());
  });
});
