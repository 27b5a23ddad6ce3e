/**
 * A lane: one projection filling one build of its model, with its own checkpoint; and how a batch of events passes
 * through several lanes in one commit.
 */
import { type Position, type RecordedEvent, START } from '../eventStore/eventStore.ts';
import type { AnyProjection } from '../projections/projection.ts';
import {
  type BuildName,
  type Commit,
  type CommitResult,
  DocumentRefused,
  type Page,
  type ParkedRecord,
  type ReadModels,
} from '../readModels/readModels.ts';
import { NO_EVENT, nameOf } from './builtFrom.ts';
import { foldEvents, type KeyedEvent, keyEvents, parkedRecord } from './projectionFold.ts';
import { type SumsIn, sumUp } from './sums.ts';

export type Lane = {
  readonly projection: AnyProjection;
  readonly build: string;
  readonly handles: ReadonlySet<string>;
  /** Null before its first commit. */
  checkpoint: Position | null;
  /** Frozen documents, by id. */
  readonly parked: Map<string, ParkedRecord>;
  /** Events and writes skipped because a document had already passed them, since the start. */
  skipped: number;
  /** Events held back for parked documents, since the start. */
  pending: number;
};

/** Maximum number of values per query. */
const VALUES_AT_ONCE = 500;

type Fold = {
  readonly lane: Lane;
  /** In this order: sums, then the rest. */
  readonly commits: readonly Commit[];
  /** An event of the batch names a document of it. */
  readonly isTouched: boolean;
  readonly pending: number;
  readonly skipped: number;
};

type Batch = { readonly events: readonly RecordedEvent[]; readonly upTo: Position };

/** Prepares the build and resumes at its checkpoint. */
export async function openLane(readModels: ReadModels, projection: AnyProjection, build: string): Promise<Lane> {
  await readModels.prepare(projection, build);
  const checkpoint = await readModels.checkpoint(projection.name, build);
  const records = (await readModels.parked(projection.name)).filter((record) => record.build === build);
  const parked = new Map(records.map((record) => [record.documentId, record]));
  return {
    projection,
    build,
    handles: new Set(projection.handles),
    checkpoint,
    parked,
    skipped: 0,
    pending: 0,
  };
}

/** Where a reader must start to feed all of them. */
export function lowestCheckpoint(lanes: readonly Lane[]): Position {
  return (
    lanes.reduce<Position | null>(
      (lowest, { checkpoint }) => (lowest === null || (checkpoint ?? START) < lowest ? (checkpoint ?? START) : lowest),
      null,
    ) ?? START
  );
}

/**
 * One commit for all lanes that are not yet at `upTo`. `kept`: their checkpoint, by each build or by all together; then
 * lanes without an event in the batch cost nothing. Returns the newly parked documents.
 */
export async function applyBatch(
  readModels: ReadModels,
  lanes: readonly Lane[],
  batch: Batch,
  parkedAt: () => string,
  kept: 'own' | 'shared' = 'own',
): Promise<readonly ParkedRecord[]> {
  const behind = lanes.filter((lane) => lane.checkpoint === null || lane.checkpoint < batch.upTo);
  if (behind.length === 0) return [];
  const refused = new Map<string, Map<string, string>>();
  for (;;) {
    const folds = await foldLanes(readModels, behind, batch, refused, parkedAt);
    try {
      const results =
        kept === 'own'
          ? await commitEach(readModels, folds, batch)
          : await commitShared(readModels, lanes, folds, batch);
      for (const { lane, commits, pending, skipped } of folds) {
        lane.checkpoint = batch.upTo;
        lane.skipped += commits.reduce((sum, commit) => sum + (results.get(commit)?.skipped ?? 0), skipped);
        lane.pending += pending;
        for (const id of commits.flatMap(({ unpark = [] }) => unpark)) lane.parked.delete(id);
        for (const record of parkedIn(commits)) lane.parked.set(record.documentId, record);
      }
      return folds.flatMap(({ commits }) => parkedIn(commits));
    } catch (error) {
      // A document that cannot be stored must not block the others: it is parked, and the batch is folded again without
      // it.
      if (!(error instanceof DocumentRefused) || refused.get(error.model)?.has(error.documentId)) throw error;
      refused.set(
        error.model,
        (refused.get(error.model) ?? new Map<string, string>()).set(error.documentId, error.message),
      );
    }
  }
}

const parkedIn = (commits: readonly Commit[]): readonly ParkedRecord[] => commits.flatMap(({ park = [] }) => park);

type Results = ReadonlyMap<Commit, CommitResult | undefined>;

async function commitEach(readModels: ReadModels, folds: readonly Fold[], { upTo, events }: Batch): Promise<Results> {
  const newest = events.at(-1);
  const commits = folds.flatMap((fold) => fold.commits);
  const results = await readModels.commit(
    folds.flatMap(({ lane, commits: own }) => {
      const lastEvent = newest ? nameOf(newest) : lane.checkpoint === null ? NO_EVENT : undefined;
      return own.map((commit) => ({
        ...commit,
        checkpoint: upTo,
        ...(lastEvent === undefined ? {} : { lastEvent }),
      }));
    }),
  );
  return new Map(commits.map((commit, at) => [commit, results[at]]));
}

/** Only lanes of which an event names a document are committed. */
async function commitShared(
  readModels: ReadModels,
  lanes: readonly Lane[],
  folds: readonly Fold[],
  { upTo, events }: Batch,
): Promise<Results> {
  const newest = events.at(-1);
  const commits = folds.flatMap((fold) => (fold.isTouched ? fold.commits : []));
  const results = await readModels.commit(commits, {
    position: upTo,
    builds: lanes.map(buildOf),
    ...(newest ? { lastEvent: nameOf(newest) } : {}),
  });
  return new Map(commits.map((commit, at) => [commit, results[at]]));
}

export const buildOf = ({ projection, build }: Lane): BuildName => ({ model: projection.name, build });

/**
 * Together: one after the other, each model would wait for the round trips of all before it.
 * @throws the store's error once nothing is being read any more, so that no late response belongs to an earlier attempt
 */
async function foldLanes(
  readModels: ReadModels,
  lanes: readonly Lane[],
  batch: Batch,
  refused: ReadonlyMap<string, ReadonlyMap<string, string>>,
  parkedAt: () => string,
): Promise<readonly Fold[]> {
  const outcomes = await Promise.allSettled(
    lanes.map((lane) => foldLane(readModels, lane, batch, refused.get(lane.projection.name), parkedAt)),
  );
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** Stored documents that these events may delete without naming them. */
async function deletedWith(
  readModels: ReadModels,
  { projection, build }: Lane,
  events: readonly KeyedEvent[],
): Promise<readonly string[]> {
  const deletes = events.flatMap((event) => event.deletes ?? []);
  const ids: string[] = [];
  for (const field of new Set(deletes.map((each) => each.field))) {
    const values = [...new Set(deletes.flatMap((each) => (each.field === field ? each.values : [])))];
    for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
      const where = { [field]: { in: values.slice(from, from + VALUES_AT_ONCE) } };
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page<object> = await readModels.find(
          projection.name,
          { where, limit: 500, ...(cursor === '' ? {} : { cursor }) },
          build,
        );
        ids.push(...page.documents.map(({ id }) => id));
        cursor = page.cursor;
      }
    }
  }
  return ids;
}

async function foldLane(
  readModels: ReadModels,
  lane: Lane,
  batch: Batch,
  refused: ReadonlyMap<string, string> | undefined,
  parkedAt: () => string,
): Promise<Fold> {
  const { projection, build, parked } = lane;
  const from = lane.checkpoint ?? START;
  const events = keyEvents(
    projection,
    batch.events.filter((event) => lane.handles.has(event.type) && event.position > from),
  );
  const ids = new Set([...events.flatMap(({ keys }) => keys), ...(await deletedWith(readModels, lane, events))]);
  const states = ids.size > 0 ? await readModels.states(projection.name, [...ids], build) : [];
  const folded = foldEvents(projection, events, states, parked, refused);
  const { erased, pending, skipped } = folded;
  const summed = await sumUp({ projection, folded, frozen: parked, refused }, sumsIn(readModels, lane));
  const park = [...folded.failures, ...summed.failures].map((failure) =>
    parkedRecord(projection.name, build, failure, parkedAt()),
  );
  const of = { model: projection.name, build, ...(projection.isUrgent ? { isUrgent: true as const } : {}) };
  const commit: Commit = {
    ...of,
    writes: folded.writes,
    ...(park.length > 0 ? { park } : {}),
    ...(erased.length > 0 ? { unpark: erased } : {}),
  };
  const commits = summed.writes.length > 0 ? [{ ...of, writes: summed.writes }, commit] : [commit];
  return { lane, commits, isTouched: ids.size > 0 || park.length > 0, pending, skipped };
}

function sumsIn(readModels: ReadModels, { projection: { name }, build }: Lane): SumsIn {
  return {
    states: (ids) => readModels.states(name, ids, build),
    first: async (query, except) => {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Page<object> = await readModels.find(
          name,
          { ...query, limit: Math.min(except.size + 1, 100), ...(cursor === '' ? {} : { cursor }) },
          build,
        );
        const first = page.documents.find(({ id }) => !except.has(id));
        if (first) return first;
        cursor = page.cursor;
      }
      return null;
    },
  };
}
