/**
 * The sums of a model (see `Sums` in `projections/projection.ts`), changed by what the events of a batch made of their
 * sources. Pure, but for `sumUp`, which reads them.
 */
import type { AnyProjection, Sums } from '../projections/projection.ts';
import type { DocumentState, Query, Write } from '../readModels/readModels.ts';
import { describe, type Failure, type Folded } from './projectionFold.ts';

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

const NOTHING: SummedUp = { writes: [], failures: [] };

/** Where the documents are. */
export type SumsIn = {
  readonly states: (ids: readonly string[]) => Promise<readonly DocumentState[]>;
  /** The first document of the query whose id is not in `except`. */
  readonly first: (query: Pick<Query, 'where' | 'sort'>, except: ReadonlySet<string>) => Promise<DocumentState | null>;
};

type States = ReadonlyMap<string, DocumentState>;

/** To be called once the sources have been read and folded: sums are read after them. */
export async function sumUp(batch: Batch, { states, first }: SumsIn): Promise<SummedUp> {
  const { projection, folded } = batch;
  const sums: Sums<object> | undefined = projection.sums;
  const keys = sums ? keysOf(sums, folded) : [];
  if (!sums || keys.length === 0) return NOTHING;
  const summed = foldSums(batch, sums, byId(await states(keys)));
  const touched = new Set(folded.writes.map(({ id }) => id));
  const stored = new Map<string, DocumentState>();
  for (const { id, data } of summed.writes) {
    const lost = data && sums.lost(data, id);
    const found = lost ? await first(lost, touched) : null;
    if (found) stored.set(found.id, found);
  }
  return withGreatest(batch, sums, summed, stored);
}

/** The same if all documents are at hand. */
export function sumUpAll(batch: Batch, states: States): SummedUp {
  const sums: Sums<object> | undefined = batch.projection.sums;
  return sums ? withGreatest(batch, sums, foldSums(batch, sums, states), states) : NOTHING;
}

function byId<State extends { readonly id: string }>(states: readonly State[]): ReadonlyMap<string, State> {
  return new Map(states.map((state) => [state.id, state]));
}

function keysOf(sums: Sums<object>, { steps }: Pick<Folded, 'steps'>): readonly string[] {
  const counted = steps.flatMap(({ before, after }) => [before, after].flatMap((data) => (data ? sums.of(data) : [])));
  return [...new Set(counted)];
}

function foldSums({ folded, frozen, refused }: Batch, sums: Sums<object>, stored: States): SummedUp {
  const writes = new Map<string, Write>();
  const failures = new Map<string, Failure>();
  for (const { event, before, after } of folded.steps) {
    const [from, to] = [before ? sums.of(before) : [], after ? sums.of(after) : []];
    for (const key of new Set([...from, ...to])) {
      const known = stored.get(key);
      // Only of what is stored: an event may change several sources of a sum.
      if (frozen.has(key) || failures.has(key) || (known && known.position >= event.position)) continue;
      const sum = writes.get(key) ?? known;
      const source = from.includes(key) ? before : null;
      const next = to.includes(key) ? after : null;
      const outcome = evolved(() => sums.evolve(sum?.data ?? null, source, next, key), refused?.get(key));
      if ('error' in outcome) failures.set(key, { documentId: key, event, error: outcome.error });
      // Even if it is the same: its position says which events it has counted.
      else writes.set(key, { id: key, position: event.position, data: outcome.data });
    }
  }
  return { writes: [...writes.values()], failures: [...failures.values()] };
}

function evolved(
  evolve: () => object | null,
  refused: string | undefined,
): { readonly data: object | null } | { readonly error: string } {
  if (refused !== undefined) return { error: refused };
  try {
    return { data: evolve() };
  } catch (error) {
    return { error: describe(error) };
  }
}

/** Looks up what sums have lost, in their sources as the batch leaves them. */
function withGreatest({ folded }: Batch, sums: Sums<object>, { writes, failures }: SummedUp, stored: States): SummedUp {
  const lost = new Set(writes.flatMap(({ id, data }) => (data && sums.lost(data, id) ? id : [])));
  if (lost.size === 0) return { writes, failures };
  const sources = new Map<string, object[]>();
  for (const { data } of new Map([...stored, ...byId(folded.writes)]).values())
    for (const key of data ? sums.of(data) : [])
      if (lost.has(key)) sources.set(key, [...(sources.get(key) ?? []), data as object]);
  return {
    writes: writes.map((write) =>
      write.data && lost.has(write.id)
        ? { ...write, data: sums.found(write.data, sources.get(write.id) ?? []) }
        : write,
    ),
    failures,
  };
}
