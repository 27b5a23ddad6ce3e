/**
 * Stores folds of long streams with the read models, so that the first command after a start need not fold a whole
 * stream. A snapshot is only a starting point: it is valid if the stream's beginning is unchanged and the event at its
 * revision has the same hash. A failure here only costs time.
 */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { EventStore } from '../../eventStore/eventStore.ts';
import { type SnapshotPlace, type Snapshots, snapshotPosition } from '../../readModels/snapshots.ts';
import type { Fold } from '../foldCache.ts';
import { type Span, spanHash, spanOf, spanUpTo } from './span.ts';
import type { AnyStateForm } from './stateForm.ts';

/** Write a snapshot after this many events since the last one … */
const GROWN_BY = 500;
/** … and this fraction of all events, so that writing large ones remains a small part of the work. */
const GROWN_BY_PART = 1 / 20;
/** Parts of a snapshot that are read before yielding to other work. */
const PARTS_AT_ONCE = 8;
/** Number of event ids per text. */
const IDS = 10_000;
/** How long to wait for unresponsive read models; the stream can be folded without them. */
const WAIT_MS = 1_000;

export type SnapshotParts = {
  readonly store: EventStore;
  readonly snapshots: Snapshots;
  /** The folds that have snapshots. */
  readonly forms: readonly AnyStateForm[];
  readonly onFailure: (error: unknown) => void;
  readonly grownBy?: number;
  readonly waitMs?: number;
};

/** The snapshots of one fold in one store. */
export type StreamSnapshots = {
  /** Null if there is no valid one. */
  load<State>(stream: string): Promise<Fold<State> | null>;
  /** Saves it later if it has grown enough since it was last saved. */
  offer(stream: string, fold: Fold<unknown>): void;
};

export type KeptSnapshots = {
  /** Resolves when all writes are done. */
  settled(): Promise<void>;
};

type Named = { readonly evolve: unknown };

const kept = new WeakMap<EventStore, (decider: Named) => StreamSnapshots | null>();

/** Null if snapshots are not enabled for the store, or not for this fold. */
export function snapshotsOf(store: EventStore, decider: Named): StreamSnapshots | null {
  return kept.get(store)?.(decider) ?? null;
}

/** Enables snapshots of the folds in `forms` for commands on this store. */
export function keepSnapshots(parts: SnapshotParts): KeptSnapshots {
  const writing = pLimit(1);
  const under = new Set<Promise<void>>();
  const later = (work: () => Promise<void>): void => {
    const done = writing(work)
      .catch(parts.onFailure)
      .finally(() => under.delete(done));
    under.add(done);
  };
  const ofForms = new Map<unknown, StreamSnapshots>(
    parts.forms.map((form) => [form.evolve, createStreamSnapshots(parts, form, later)]),
  );
  kept.set(parts.store, ({ evolve }) => ofForms.get(evolve) ?? null);
  return {
    settled: async () => {
      while (under.size > 0) await Promise.all(under);
    },
  };
}

function createStreamSnapshots(
  parts: SnapshotParts,
  form: AnyStateForm,
  later: (work: () => Promise<void>) => void,
): StreamSnapshots {
  const { grownBy = GROWN_BY, onFailure } = parts;
  const loading = new Map<string, Promise<Fold<unknown> | null>>();

  return {
    async load<State>(stream: string) {
      const load = loading.get(stream) ?? read(parts, form, stream).finally(() => loading.delete(stream));
      loading.set(stream, load);
      try {
        // The form was found by its fold, so the states are of this type.
        return (await load) as Fold<State> | null;
      } catch (error) {
        onFailure(error);
        return null;
      }
    },
    offer(stream, fold) {
      const { snapshot, events } = fold;
      if (events - snapshot.events < Math.max(grownBy, events * GROWN_BY_PART)) return;
      // Even if the write fails: the next one is due after as many events again.
      snapshot.events = events;
      later(() => write(parts, form, stream, fold));
    },
  };
}

async function write(
  { store, snapshots }: SnapshotParts,
  form: AnyStateForm,
  stream: string,
  fold: Fold<unknown>,
): Promise<void> {
  const lines: string[] = [];
  for (const part of linesOf(form, fold)) {
    lines.push(JSON.stringify(part));
    await turn();
  }
  const span = await spanUpTo(store, stream, fold.last.revision);
  // Partly or fully erased since: nothing may be saved.
  if (span?.last.id !== fold.last.id || span.first !== fold.first) return;
  const { name, version } = form;
  await snapshots.write({
    name,
    key: stream,
    version,
    position: snapshotPosition(span.last.revision),
    hash: spanHash(span),
    state: lines.join('\n'),
  });
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

/** Null if missing or invalid. An invalid one is removed, because it would block a valid one. */
async function read(
  { store, snapshots, waitMs = WAIT_MS }: SnapshotParts,
  form: AnyStateForm,
  stream: string,
): Promise<Fold<unknown> | null> {
  const place: SnapshotPlace = { name: form.name, key: stream };
  const snapshot = await inTime(snapshots.read(place), waitMs);
  // A snapshot of another version belongs to another build of the program, which may still be running.
  if (snapshot?.version !== form.version) return null;
  const span = await spanOf(store, snapshot);
  const fold = span && (await foldOf(form, snapshot.state, span).catch(() => null));
  if (!fold) await snapshots.remove(place);
  return fold;
}

/** @throws if the text is malformed */
async function foldOf(
  form: AnyStateForm,
  text: string,
  { first, last: { id, revision, position } }: Span,
): Promise<Fold<unknown>> {
  const [kept = '', ...lines] = text.split('\n');
  const { events, ids } = JSON.parse(kept) as Kept;
  const reader = form.read();
  for (const [nth, line] of lines.entries()) {
    reader.take(JSON.parse(line));
    if (nth % PARTS_AT_ONCE === PARTS_AT_ONCE - 1) await turn();
  }
  const idKeys = new Set<number>();
  for (const some of ids) for (const key of keysOf(some)) idKeys.add(key);
  return {
    state: reader.state(),
    first,
    last: { id, revision, position },
    events,
    weight: events,
    idKeys,
    snapshot: { events },
  };
}

function keysOf(base64: string): Int32Array {
  // Copied, because the Int32Array needs a four-byte alignment.
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
