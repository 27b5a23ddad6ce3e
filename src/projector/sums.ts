/**
 * The sums of a model (see `Sums` in `projections/projection.ts`), changed by what the events of a batch made of their
 * sources. Pure, but for `sumUp`, which reads them.
 */
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import type { AnyProjection, Sums } from '../projections/projection.ts';
import type { DocumentState, Query, Write } from '../readModels/readModels.ts';
import { describe, type Failure, type Folded, type Step } from './projectionFold.ts';

type Batch = {
  readonly projection: AnyProjection;
  readonly folded: Pick<Folded, 'writes' | 'steps'>;
  /** Documents that wait for a retry, which builds the whole model again. */
  readonly frozen: ReadonlyMap<string, unknown>;
  /** Documents that the store rejected, with the reason. */
  readonly refused?: ReadonlyMap<string, string> | undefined;
};

/** `writes`: of the sums alone. */
type SummedUp = { readonly writes: readonly Write[]; readonly failures: readonly Failure[] };

/** Where the documents are. */
export type SumsIn = {
  readonly states: (ids: readonly string[]) => Promise<readonly DocumentState[]>;
  /** The first document of the query whose id is not in `except`. */
  readonly first: (query: Pick<Query, 'where' | 'sort'>, except: ReadonlySet<string>) => Promise<DocumentState | null>;
};

type States = ReadonlyMap<string, DocumentState>;

/** A sum as the batch leaves it, and the last event that it counts. */
type Counted = { readonly write: Write; readonly event: RecordedEvent };

/** To be called once the sources have been read and folded: sums are read after them. */
export async function sumUp(batch: Batch, { states, first }: SumsIn): Promise<SummedUp> {
  const sums: Sums<object> | undefined = batch.projection.sums;
  if (!sums || batch.folded.steps.length === 0) return { writes: [], failures: [] };
  const summing = createSumming(batch, sums);
  const counted = summing.count(byId(await states(summing.keys)));
  const touched = new Set(batch.folded.writes.map(({ id }) => id));
  const stored = new Map<string, DocumentState>();
  for (const sum of counted) {
    const lost = summing.lost(sum);
    const found = lost ? await first(lost, touched) : null;
    if (found) stored.set(found.id, found);
  }
  return summing.complete(counted, stored);
}

/** The same if all documents are at hand. */
export function sumUpAll(batch: Batch, states: States): SummedUp {
  const sums: Sums<object> | undefined = batch.projection.sums;
  if (!sums) return { writes: [], failures: [] };
  const summing = createSumming(batch, sums);
  return summing.complete(summing.count(states), states);
}

function byId<State extends { readonly id: string }>(states: readonly State[]): ReadonlyMap<string, State> {
  return new Map(states.map((state) => [state.id, state]));
}

/** A step with the sums that counted its document before, and those that count it now. */
type Link = { readonly step: Step; readonly from: readonly string[]; readonly to: readonly string[] };

/** Errors of the projection's functions are failures of the document that they are about. */
function createSumming({ folded, frozen, refused }: Batch, sums: Sums<object>) {
  const failures = new Map<string, Failure>();

  function attempt<T>(documentId: string, event: RecordedEvent, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      failures.set(documentId, { documentId, event, error: describe(error) });
      return undefined;
    }
  }

  const links = folded.steps.flatMap((step): Link | [] => {
    const { id, event, before, after } = step;
    const sumsOf = (data: object | null): readonly string[] => (data ? sums.of(data) : []);
    return attempt(id, event, () => ({ step, from: sumsOf(before), to: sumsOf(after) })) ?? [];
  });

  /** Of a document whose sums cannot be told, the step has failed. */
  function knownSumsOf(data: object): readonly string[] {
    try {
      return sums.of(data);
    } catch {
      return [];
    }
  }

  const lost = ({ write: { id, data }, event }: Counted): ReturnType<Sums<object>['lost']> =>
    (data && attempt(id, event, () => sums.lost(data, id))) ?? null;

  return {
    keys: [...new Set(links.flatMap(({ from, to }) => [...from, ...to]))],
    count(stored: States): readonly Counted[] {
      const counted = new Map<string, Counted>();
      for (const { step, from, to } of links) {
        const { event, before, after } = step;
        for (const key of new Set([...from, ...to])) {
          const known = stored.get(key);
          // Only of what is stored: an event may change several sources of a sum.
          if (frozen.has(key) || failures.has(key) || (known && known.position >= event.position)) continue;
          const sum = (counted.get(key)?.write ?? known)?.data ?? null;
          const [source, next] = [from.includes(key) ? before : null, to.includes(key) ? after : null];
          const why = refused?.get(key);
          if (why !== undefined) failures.set(key, { documentId: key, event, error: why });
          else
            attempt(key, event, () => {
              // Even if it is the same: its position says which events it has counted.
              const data = sums.evolve(sum, source, next, key);
              counted.set(key, { write: { id: key, position: event.position, data }, event });
            });
        }
      }
      return [...counted.values()];
    },
    lost,
    /** Looks up what sums have lost, in their sources as the batch leaves them. */
    complete(counted: readonly Counted[], stored: States): SummedUp {
      const missing = new Set(counted.flatMap((sum) => (lost(sum) ? sum.write.id : [])));
      const sources = new Map<string, object[]>();
      for (const { data } of missing.size > 0 ? new Map([...stored, ...byId(folded.writes)]).values() : [])
        for (const key of data ? knownSumsOf(data) : [])
          if (missing.has(key)) sources.set(key, [...(sources.get(key) ?? []), data as object]);
      const writes = counted.flatMap(({ write, event }) => {
        const { id, data } = write;
        if (!data || !missing.has(id)) return write;
        const found = attempt(id, event, () => sums.found(data, sources.get(id) ?? []));
        return found ? { ...write, data: found } : [];
      });
      return { writes, failures: [...failures.values()] };
    },
  };
}
