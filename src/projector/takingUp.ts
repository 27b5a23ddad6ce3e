/**
 * After a batch was folded: updates the documents that aggregate the ones it touched, and those that aggregate these in
 * turn, in the same commit.
 */
import { isDeepStrictEqual } from 'node:util';
import { comparePositions } from '../eventStore/eventStore.ts';
import type { AnyProjection } from '../projections/projection.ts';
import type { DocumentState, Page, Query, ReadModels, Write } from '../readModels/readModels.ts';
import { describe, type Failure, type Folded, type KeyedEvent } from './projectionFold.ts';

export type Batch = {
  readonly readModels: Pick<ReadModels, 'states' | 'find'>;
  readonly projection: AnyProjection;
  readonly build: string;
  /** A commit may have been interrupted here, leaving documents that nothing accounts for. */
  readonly isDoubtful: boolean;
  readonly events: readonly KeyedEvent[];
  /** Before the batch. */
  readonly states: readonly DocumentState[];
  readonly folded: Pick<Folded, 'writes' | 'failures' | 'erased'>;
  readonly parked: ReadonlyMap<string, unknown>;
  readonly refused?: ReadonlyMap<string, string>;
};

export type TakenUp = { readonly writes: readonly Write[]; readonly failures: readonly Failure[] };

/**
 * Starts from every document that an event of the batch names, even if unchanged: the commit that changed it may have
 * been interrupted before writing its aggregates. Aggregates are written at the position of the batch's last event,
 * never at that of a source which such a commit left further on: so an aggregate includes everything before its own
 * position.
 */
export async function takeUp(batch: Batch): Promise<TakenUp> {
  const { projection, events, states, folded } = batch;
  const last = events.at(-1)?.event;
  if (!projection.takingUp || !last) return { writes: folded.writes, failures: [] };
  const stored: States = new Map(states.map((state) => [state.id, state]));
  const direct: States = new Map(folded.writes.map((write) => [write.id, write]));
  const current: States = new Map([...stored, ...direct]);
  const taken = new Set<string>();
  const failures = new Map<string, Failure>();
  const frozen = new Set([...batch.parked.keys(), ...folded.failures.map(({ documentId }) => documentId)]);
  for (const id of folded.erased) frozen.delete(id);

  const take = (key: string, source: DocumentState): void => {
    if (frozen.has(key) || comparePositions(stored.get(key)?.position ?? '', last.position) >= 0) return;
    const outcome = evolved(batch, current.get(key)?.data ?? null, source, key);
    if ('error' in outcome) {
      failures.set(key, { documentId: key, event: last, error: outcome.error });
      frozen.add(key);
    } else {
      current.set(key, { id: key, position: last.position, data: outcome.data });
      taken.add(key);
    }
  };

  const linked = new Map<string, readonly string[]>();
  let round: ReadonlySet<string> = new Set(events.flatMap(({ keys }) => keys));
  while (round.size > 0) {
    const links = await linksFrom(batch, round, stored, current, linked);
    await readMissing(batch, [...new Set(links.flatMap(({ keys }) => keys))], stored, current);
    for (const { id, keys } of links) {
      // A document created and deleted within the batch was never stored, but an interrupted commit may have left
      // aggregates of it.
      const source = current.get(id) ?? { id, position: last.position, data: null };
      if (!frozen.has(id)) for (const key of keys) take(key, source);
    }
    round = new Set(links.flatMap(({ keys }) => keys));
  }
  const writes = [...new Set([...direct.keys(), ...taken])].flatMap((id) => {
    const before = direct.get(id) ?? stored.get(id);
    const now = current.get(id);
    if (failures.has(id)) return [];
    if (now && taken.has(id) && !isDeepStrictEqual(now.data, before?.data ?? null)) return now;
    return direct.get(id) ?? [];
  });
  return { writes: writes.sort((a, b) => comparePositions(a.position, b.position)), failures: [...failures.values()] };
}

type States = Map<string, DocumentState>;

/** The ids of the documents that aggregate each of these, as it was before the batch, in an earlier round, or now. */
async function linksFrom(
  batch: Batch,
  ids: ReadonlySet<string>,
  stored: States,
  current: States,
  linked: Map<string, readonly string[]>,
) {
  const links: { readonly id: string; readonly keys: readonly string[] }[] = [];
  for (const id of ids) {
    const keys = [stored.get(id), current.get(id)].flatMap(
      (state) => batch.projection.takingUp?.keys(id, state?.data ?? null) ?? [],
    );
    const lost = batch.isDoubtful ? await keysLeft(batch, id) : [];
    linked.set(id, [...new Set([...keys, ...lost, ...(linked.get(id) ?? [])])]);
    links.push({ id, keys: linked.get(id) ?? [] });
  }
  return links;
}

async function keysLeft({ readModels, projection, build }: Batch, id: string): Promise<readonly string[]> {
  const where: Query['where'] | null = projection.takingUp?.left(id) ?? null;
  const keys: string[] = [];
  for (let cursor: string | null = null; where !== null; ) {
    const page: Page<object> = await readModels.find(
      projection.name,
      { where, limit: 500, ...(cursor === null ? {} : { cursor }) },
      build,
    );
    keys.push(...page.documents.map((document) => document.id));
    cursor = page.cursor;
    if (cursor === null) break;
  }
  return keys;
}

async function readMissing(
  { readModels, projection, build }: Batch,
  keys: readonly string[],
  stored: States,
  current: States,
): Promise<void> {
  const missing = keys.filter((key) => !current.has(key));
  if (missing.length === 0) return;
  for (const state of await readModels.states(projection.name, missing, build)) {
    stored.set(state.id, state);
    current.set(state.id, state);
  }
}

function evolved(
  { projection, refused }: Batch,
  data: object | null,
  source: DocumentState,
  key: string,
): { readonly data: object | null } | { readonly error: string } {
  const why = refused?.get(key);
  if (why !== undefined) return { error: why };
  try {
    return { data: projection.takingUp?.evolve(data, source.data, source.id, key) ?? null };
  } catch (error) {
    return { error: describe(error) };
  }
}
