/**
 * Read model documents as of a log position, each folded from its own streams by today's projection. What has been
 * erased since is missing from the past as well, and is reported as erased.
 */

import { isOf } from '../../domain/stored/eventOf.ts';
import {
  comparePositions,
  type EventStore,
  type Position,
  type RecordedEvent,
  type StreamRead,
} from '../../eventStore/eventStore.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import type { AnyProjection } from '../../projections/projection.ts';
import type { Failure } from '../../projector/projectionFold.ts';
import type { DocumentState, Documents, StoredDocument } from '../../readModels/readModels.ts';
import { readInPages } from '../readInPages.ts';
import { FEEDS, jobIdOf } from './feeds.ts';
import { type Folded, foldOn, replay } from './replay.ts';

/** Events folded at once. */
const PAGE = 500;

/**
 * `parked`: an event up to then could not be applied, so, as in the read model, the document stays as it was before
 * that event.
 */
export type AsOf<Doc extends object = object> =
  | { readonly status: 'there'; readonly document: StoredDocument<Doc>; readonly parked: Failure | null }
  /** Not created yet, or already removed. */
  | { readonly status: 'absent' }
  /** `by`: the event that deleted it, if it still exists. */
  | { readonly status: 'erased'; readonly by: RecordedEvent | null };

export type Past = Documents & {
  readonly position: Position;
  readonly documentAsOf: <Doc extends object>(
    model: string,
    id: string,
    from?: readonly string[],
  ) => Promise<AsOf<Doc>>;
  /** All documents of a model that these streams produce. */
  readonly documentsOf: <Doc extends object>(
    model: string,
    streams: readonly string[],
  ) => Promise<readonly StoredDocument<Doc>[]>;
};

export type PastDeps = {
  readonly store: Pick<EventStore, 'read' | 'readAll'>;
  readonly position: Position;
  readonly signal?: AbortSignal;
};

/**
 * Reads are cached for the duration of the request: documents of one screen often share streams, and all show the same
 * moment.
 */
export function openPast({ store, position, signal }: PastDeps): Past {
  const reads = new Map<string, Promise<StreamRead>>();
  const folds = new Map<string, Promise<Folded>>();

  const readStream = (stream: string): Promise<StreamRead> => {
    signal?.throwIfAborted();
    const read = reads.get(stream) ?? readInPages(store, stream, signal);
    reads.set(stream, read);
    return read;
  };
  const readStreams = (streams: readonly string[]): Promise<readonly StreamRead[]> =>
    Promise.all(streams.map(readStream));

  const folded = (
    projection: AnyProjection,
    streams: readonly string[],
    read: readonly StreamRead[],
  ): Promise<Folded> => {
    const name = [projection.name, ...streams].join(' ');
    const known = folds.get(name) ?? foldAll(projection, eventsIn(read), position);
    folds.set(name, known);
    return known;
  };

  async function documentAsOf<Doc extends object>(
    model: string,
    id: string,
    from?: readonly string[],
  ): Promise<AsOf<Doc>> {
    const projection = projectionOf(model);
    const feed = FEEDS[model];
    if (!feed || 'byTypes' in feed)
      return asOf<Doc>(id, await replay(store, projection, { position, ...(signal ? { signal } : {}) }));
    const first = from ?? feed.streams(id);
    const read = await readStreams(first);
    const more = feed.named?.(eventsIn(read)) ?? [];
    const all = [...read, ...(await readStreams(more))];
    return erasureOf(id, all) ?? asOf<Doc>(id, await folded(projection, [...first, ...more], all));
  }

  const get: Documents['get'] = async <T extends object>(model: string, id: string) => {
    const found = await documentAsOf<T>(model, id);
    return found.status === 'there' ? found.document : null;
  };

  return {
    position,
    documentAsOf,
    get,
    getMany: async <T extends object>(model: string, ids: readonly string[]) =>
      (await Promise.all(ids.map((id) => get<T>(model, id)))).filter((document) => document !== null),
    documentsOf: async <Doc extends object>(model: string, streams: readonly string[]) => {
      const { states } = await folded(projectionOf(model), streams, await readStreams(streams));
      return [...states.values()].flatMap((state) => documentOf<Doc>(state) ?? []);
    },
  };
}

function projectionOf(model: string): AnyProjection {
  const projection = PROJECTIONS.find(({ name }) => name === model);
  if (!projection) throw new Error(`There is no read model ${model}.`);
  return projection;
}

async function foldAll(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  position: Position,
): Promise<Folded> {
  const taken = events.filter((event) => event.position <= position && projection.handles.includes(event.type));
  const states = new Map<string, DocumentState>();
  const failures = new Map<string, Failure>();
  const pace = createPace('request');
  for (let from = 0; from < taken.length; from += PAGE) {
    foldOn(projection, taken.slice(from, from + PAGE), { states, failures });
    await pace.pass();
  }
  return { states, failures };
}

function asOf<Doc extends object>(id: string, { states, failures }: Folded): AsOf<Doc> {
  const document = documentOf<Doc>(states.get(id));
  return document ? { status: 'there', document, parked: failures.get(id) ?? null } : { status: 'absent' };
}

/** The cast is safe: the projection wrote it, so it has the document type of its model. */
function documentOf<Doc extends object>(state: DocumentState | undefined): StoredDocument<Doc> | null {
  return state?.data ? { id: state.id, position: state.position, data: state.data as Doc } : null;
}

/** In log order. */
function eventsIn(read: readonly StreamRead[]): readonly RecordedEvent[] {
  return read
    .flatMap((each) => (each.status === 'found' ? each.events : []))
    .sort((a, b) => comparePositions(a.position, b.position));
}

/**
 * Independent of the moment: a stream that is gone or has lost its start says nothing about its past. Applies from the
 * deletion on, even before the erasure.
 */
function erasureOf(id: string, read: readonly StreamRead[]): Extract<AsOf, { readonly status: 'erased' }> | null {
  const by = eventsIn(read).findLast((event) => deletes(event, id)) ?? null;
  const isCut = read.some(
    (each) => each.status === 'deleted' || (each.status === 'found' && (each.events[0]?.revision ?? 0n) > 0n),
  );
  if (!by && !isCut) return null;
  return { status: 'erased', by: by ?? eventsIn(read).findLast(({ revision }) => revision > 0n) ?? null };
}

function deletes(event: RecordedEvent, id: string): boolean {
  return (
    isOf(event, 'JobDeleted', 'AccountDeleted', 'WebhookForgotten') ||
    (isOf(event, 'JobsDeleted') && event.data.jobIds.includes(jobIdOf(id)))
  );
}
