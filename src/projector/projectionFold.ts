/** Folds events into documents in memory: a batch's changes to one model. Pure. */
import { comparePositions, type RecordedEvent } from '../eventStore/eventStore.ts';
import type { AnyProjection, Deletes } from '../projections/projection.ts';
import type { DocumentState, ParkedRecord, Write } from '../readModels/readModels.ts';

/**
 * An event with the ids of the documents it changes; `failure` if `keys` threw. `deletes`: further documents deleted
 * with it.
 */
export type KeyedEvent = {
  readonly event: RecordedEvent;
  readonly keys: readonly string[];
  readonly deletes?: Deletes;
  readonly failure: string | null;
};

/** An event that could not be applied to one document. */
export type Failure = { readonly documentId: string; readonly event: RecordedEvent; readonly error: string };

/** What one event made of one document. */
export type Step = {
  readonly event: RecordedEvent;
  readonly before: object | null;
  readonly after: object | null;
};

export type Folded = {
  readonly writes: readonly Write[];
  /** In log order. */
  readonly steps: readonly Step[];
  readonly failures: readonly Failure[];
  /** Parked documents that an event deleted: they have nothing left to retry. */
  readonly erased: readonly string[];
  /** Number of events held back because their document is parked. */
  readonly pending: number;
  /** Number of events skipped because their document had already passed them. */
  readonly skipped: number;
};

/** What is frozen when `keys` itself threw: the documents are unknown, so the whole stream waits. */
const STREAM = 'stream:';

function parkedStreamId(stream: string): string {
  return `${STREAM}${stream}`;
}

export function isParkedStream(documentId: string): boolean {
  return documentId.startsWith(STREAM);
}

export function keyEvents(projection: AnyProjection, events: readonly RecordedEvent[]): readonly KeyedEvent[] {
  return events.map((event) => {
    if (event.unreadable !== undefined)
      return { event, keys: [], failure: `The event cannot be read: ${event.unreadable}.` };
    try {
      const keys: readonly unknown[] = projection.keys(event);
      const wrong = keys.findIndex((key) => typeof key !== 'string' || key === '' || isParkedStream(key));
      if (wrong !== -1)
        return { event, keys: [], failure: `keys returned ${JSON.stringify(keys[wrong])}, which is no document id` };
      const deletes = projection.deletes?.(event) ?? null;
      const known = {
        event,
        keys: keys.length > 1 ? [...new Set(keys as string[])] : (keys as string[]),
        failure: null,
      };
      return deletes === null ? known : { ...known, deletes };
    } catch (error) {
      return { event, keys: [], failure: describe(error) };
    }
  });
}

/**
 * Applies events in order to the documents' states. `frozen` names documents and streams that wait for a retry;
 * failures join them for the rest of the batch. Only deletions still apply to them, because deleted data must not
 * remain. `states` also includes documents that events delete without naming them. `refused` are documents that the
 * store rejected, with the reason: they fail at their first event here.
 */
export function foldEvents(
  projection: AnyProjection,
  events: readonly KeyedEvent[],
  states: readonly DocumentState[],
  frozen: ReadonlyMap<string, unknown>,
  refused: ReadonlyMap<string, string> = new Map(),
): Folded {
  const current = new Map(states.map((state) => [state.id, state]));
  const changed = new Set<string>();
  const steps: Step[] = [];
  const failures = new Map<string, Failure>();
  const erased = new Set<string>();
  let pending = 0;
  let skipped = 0;
  const isFrozen = (id: string) => (frozen.has(id) && !erased.has(id)) || failures.has(id);
  const change = (id: string, event: RecordedEvent, data: object | null) => {
    steps.push({ event, before: current.get(id)?.data ?? null, after: data });
    current.set(id, { id, position: event.position, data });
    changed.add(id);
  };
  const fail = (documentId: string, event: RecordedEvent, error: string) =>
    failures.set(documentId, { documentId, event, error });

  const remove = (id: string, event: RecordedEvent): void => {
    change(id, event, null);
    failures.delete(id);
    if (frozen.has(id)) erased.add(id);
  };

  for (const { event, keys, failure, deletes: also } of events) {
    const streamId = parkedStreamId(event.stream);
    if (isFrozen(streamId)) pending += 1;
    else if (failure !== null) fail(streamId, event, failure);
    else {
      for (const key of keys) {
        const before = current.get(key);
        if (isFrozen(key)) {
          if (deletes(projection, before?.data ?? null, event, key)) remove(key, event);
          else pending += 1;
        } else if (before && before.position >= event.position) skipped += 1;
        else if (refused.has(key)) fail(key, event, refused.get(key) ?? '');
        else {
          const outcome = evolveDocument(projection, before?.data ?? null, event, key);
          if ('error' in outcome) fail(key, event, outcome.error);
          else if (outcome.data !== (before?.data ?? null)) change(key, event, outcome.data);
        }
      }
      if (also) for (const id of goingWith(event, also, current.values())) remove(id, event);
    }
  }
  // In log order: a listener notified of a write has been notified of everything before it.
  const writes = [...changed]
    .flatMap((key) => current.get(key) ?? [])
    .sort((a, b) => comparePositions(a.position, b.position));
  return { writes, steps, failures: [...failures.values()], erased: [...erased], pending, skipped };
}

function goingWith(
  event: RecordedEvent,
  { field, values }: Deletes,
  states: Iterable<DocumentState>,
): readonly string[] {
  const goes = ({ position, data }: DocumentState): boolean =>
    data !== null && position < event.position && values.includes(Reflect.get(data, field));
  return [...states].filter(goes).map(({ id }) => id);
}

function deletes(projection: AnyProjection, data: object | null, event: RecordedEvent, key: string): boolean {
  if (data === null) return false;
  const outcome = evolveDocument(projection, data, event, key);
  return 'data' in outcome && outcome.data === null;
}

/** One step of one document; an exception becomes an error text. */
function evolveDocument(
  projection: AnyProjection,
  data: object | null,
  event: RecordedEvent,
  key: string,
): { readonly data: object | null } | { readonly error: string } {
  try {
    const next: unknown = projection.evolve(data, event, key);
    if (next !== null && (typeof next !== 'object' || Array.isArray(next)))
      return { error: `evolve returned ${typeof next}, neither a document nor null` };
    return { data: next };
  } catch (error) {
    return { error: describe(error) };
  }
}

export function parkedRecord(model: string, build: string, failure: Failure, parkedAt: string): ParkedRecord {
  const { documentId, event, error } = failure;
  return { model, build, documentId, position: event.position, eventType: event.type, error, parkedAt };
}

/** The error's message without its stack; truncated, because it is stored. */
export function describe(error: unknown): string {
  return String(error instanceof Error ? `${error.name}: ${error.message}` : error).slice(0, 500);
}
