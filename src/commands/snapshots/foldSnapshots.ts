/**
 * Keeps folds of long streams beside the read models, so that the first command after a start need not fold a whole stream. A snapshot is only ever a place
 * to go on from: it counts where the stream still begins as it did and has, at that revision, the very event that was folded there, by its hash. Whatever
 * fails here costs time alone.
 */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { type SnapshotPlace, type Snapshots, snapshotPosition } from '../../readModels/snapshots.ts';
import type { Fold } from '../foldCache.ts';
import { type Span, spanHash, spanOf, spanUpTo } from './span.ts';
import type { AnyStateForm } from './stateForm.ts';

/** A snapshot is written when so many events came since the last one … */
const GROWN_BY = 500;
/** … and so many of all, so that writing a long one stays a small part of the work. */
const GROWN_BY_PART = 1 / 20;
/** Of a snapshot that somebody waits for, so many parts are read before others have their turn. */
const PARTS_AT_ONCE = 8;
/** Ids of events in a text. */
const IDS = 10_000;
/** Read models that do not answer are waited for so long: the stream can be folded without them. */
const WAIT_MS = 1_000;

export type SnapshotParts = {
  readonly store: EventStore;
  readonly snapshots: Snapshots;
  /** Those of which there are snapshots. */
  readonly forms: readonly AnyStateForm[];
  readonly onFailure: (error: unknown) => void;
  readonly grownBy?: number;
  readonly waitMs?: number;
};

/** Of one fold in one store. */
export type StreamSnapshots = {
  /** Null when there is none that holds. */
  load<State>(stream: string): Promise<Fold<State> | null>;
  /** Keeps it, some time later, if it has grown by enough since it was kept last. */
  offer(stream: string, fold: Fold<unknown>): void;
};

export type KeptSnapshots = {
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
};

type Named = { readonly evolve: unknown };

const kept = new WeakMap<EventStore, (decider: Named) => StreamSnapshots | null>();

/** Null when no snapshots are kept of that fold, or none at all. */
export function snapshotsOf(store: EventStore, decider: Named): StreamSnapshots | null {
  return kept.get(store)?.(decider) ?? null;
}

/** From now on, commands on this store have snapshots of the folds that `forms` names. */
export function keepSnapshots(parts: SnapshotParts): KeptSnapshots {
  const writing = pLimit(1);
  const under = new Set<Promise<void>>();
  const later = (work: () => Promise<void>): void => {
    const done = writing(work)
      .catch(parts.onFailure)
      .finally(() => under.delete(done));
    under.add(done);
  };
  const ofForms = new Map<unknown, StreamSnapshots>(parts.forms.map((form) => [form.evolve, createStreamSnapshots(parts, form, later)]));
  kept.set(parts.store, ({ evolve }) => ofForms.get(evolve) ?? null);
  return {
    settled: async () => {
      while (under.size > 0) await Promise.all(under);
    },
  };
}

function createStreamSnapshots(parts: SnapshotParts, form: AnyStateForm, later: (work: () => Promise<void>) => void): StreamSnapshots {
  const { grownBy = GROWN_BY, onFailure } = parts;
  const loading = new Map<string, Promise<Fold<unknown> | null>>();

  return {
    async load<State>(stream: string) {
      const load = loading.get(stream) ?? read(parts, form, stream).finally(() => loading.delete(stream));
      loading.set(stream, load);
      try {
        // The form was found by the fold: the states are of this kind.
        return (await load) as Fold<State> | null;
      } catch (error) {
        onFailure(error);
        return null;
      }
    },
    offer(stream, fold) {
      const { snapshot, events } = fold;
      if (events - snapshot.events < Math.max(grownBy, events * GROWN_BY_PART)) return;
      // Also when it fails: the next one is due when as much has come again.
      snapshot.events = events;
      later(() => write(parts, form, stream, fold));
    },
  };
}

async function write({ store, snapshots }: SnapshotParts, form: AnyStateForm, stream: string, fold: Fold<unknown>): Promise<void> {
  const lines: string[] = [];
  for (const part of linesOf(form, fold)) {
    lines.push(JSON.stringify(part));
    await turn();
  }
  const span = await spanUpTo(store, stream, fold.last.revision);
  // Erased since, in part or whole: nothing of it is to be kept.
  if (span?.last.id !== fold.last.id || span.first !== fold.first) return;
  const { name, version } = form;
  await snapshots.write({ name, key: stream, version, position: snapshotPosition(span.last.revision), hash: spanHash(span), state: lines.join('\n') });
}

type Kept = { readonly events: number; readonly ids: readonly string[] };

function* linesOf(form: AnyStateForm, { state, events, idKeys }: Fold<unknown>): Generator<object> {
  const keys = Int32Array.from(idKeys);
  const ids: string[] = [];
  for (let at = 0; at < keys.length; at += IDS) {
    const some = keys.subarray(at, at + IDS);
    ids.push(Buffer.from(some.buffer, some.byteOffset, some.byteLength).toString('base64'));
  }
  yield { events, ids } satisfies Kept;
  yield* form.partsOf(state as never);
}

/** Null where there is none, or it does not hold: then it is removed, since it would stand in the way of one that does. */
async function read({ store, snapshots, waitMs = WAIT_MS }: SnapshotParts, form: AnyStateForm, stream: string): Promise<Fold<unknown> | null> {
  const place: SnapshotPlace = { name: form.name, key: stream };
  const snapshot = await inTime(snapshots.read(place), waitMs);
  // That of another version is another program's, which may still run.
  if (snapshot?.version !== form.version) return null;
  const span = await spanOf(store, snapshot);
  const fold = span && (await foldOf(form, snapshot.state, span).catch(() => null));
  if (!fold) await snapshots.remove(place);
  return fold;
}

/** @throws when it is not in the shape */
async function foldOf(form: AnyStateForm, text: string, { first, last: { id, revision, position } }: Span): Promise<Fold<unknown>> {
  const [kept = '', ...lines] = text.split('\n');
  const { events, ids } = JSON.parse(kept) as Kept;
  const reader = form.read();
  for (const [nth, line] of lines.entries()) {
    reader.take(JSON.parse(line));
    if (nth % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) await turn();
  }
  const idKeys = new Set<number>();
  for (const some of ids) for (const key of keysOf(some)) idKeys.add(key);
  return { state: reader.state(), first, last: { id, revision, position }, events, idKeys, snapshot: { events } };
}

function keysOf(base64: string): Int32Array {
  // A copy of its own: numbers have to begin at a multiple of four.
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new Int32Array(bytes.buffer);
}

async function inTime<T>(work: Promise<T>, waitMs: number): Promise<T | null> {
  const ending = new AbortController();
  try {
    return await Promise.race([work, wait(waitMs, null, { signal: ending.signal }).catch(() => null)]);
  } finally {
    ending.abort();
  }
}
