/**
 * A commit in MongoDB: documents, then the changes published to watchers, then parked records, then checkpoints, each
 * step durable before the next. It may be interrupted after any of them: repeating the commit gives the same documents,
 * checkpoints and published changes. A large one takes all these steps for what is urgent in it, then for the rest.
 */
import {
  type Commit,
  type CommitResult,
  type Position,
  ReadModelError,
  type SharedCheckpoint,
  type Write,
} from '../readModels.ts';
import { checkedJson, checkPosition, kindOfChange, START, tombstoneJson } from '../writes.ts';
import type { OutboxChange } from './mongoBatch.ts';
import type { MongoBuild } from './mongoBuild.ts';
import type { MongoContext } from './mongoContext.ts';
import { type DocumentRecord, type DocumentRow, rowsOf, toRecord } from './mongoDocuments.ts';
import { changedSince } from './mongoQuery.ts';
import { writeGuarded } from './mongoWrites.ts';

/** A write with its JSON; null: a deletion. */
type Prepared = { readonly write: Write; readonly json: string | null };
type Lane = {
  readonly build: MongoBuild;
  readonly commit: Commit;
  readonly writes: readonly Prepared[];
  readonly serves: boolean;
};
type Applied = { readonly skipped: number; readonly changes: readonly OutboxChange[] };

/** How old the known builds may be at the start of a commit; later changes are detected at the checkpoint. */
const KNOWN_MS = 1_000;
/** A commit of more writes takes so long that what is urgent in it comes first. */
const LARGE_WRITES = 64;
/** Only a document with more JSON characters than this can be too large. */
const LARGE_CHARS = 250_000;

/** @throws DocumentRefused, ReadModelError UNKNOWN_BUILD, INVALID_POSITION, all before anything is written */
export async function commitAll(
  context: MongoContext,
  commits: readonly Commit[],
  shared?: SharedCheckpoint,
): Promise<readonly CommitResult[]> {
  if (shared) checkPosition(shared.position);
  await context.builds.atMostOld(KNOWN_MS);
  if (commits.some(({ model, build }) => !context.builds.find(model, build))) await context.builds.refresh();
  const lanes = prepareLanes(context, commits);
  // A watch that began before this call sees all of it as new.
  await context.watching.begun();
  if (!shared && !lanes.some((lane) => lane.serves)) return (await writeLanes(context, lanes, null)).results;
  const { results, published } = await context.exclusive(async () => {
    if (shared) await checkShared(context, shared);
    const written = await writeServing(context, lanes, commits);
    if (shared) await context.builds.advanceShared(shared);
    return written;
  });
  await Promise.all(published);
  return results;
}

/** @throws ReadModelError UNKNOWN_BUILD before anything is written */
async function checkShared({ builds }: MongoContext, shared: SharedCheckpoint): Promise<void> {
  const areTheirs = (): boolean => {
    const named = shared.builds.map(({ model, build }) => builds.find(model, build));
    return named.every((build) => build !== null) && builds.sharedBy(named);
  };
  if (areTheirs()) return;
  await builds.refresh();
  if (!areTheirs())
    throw new ReadModelError('UNKNOWN_BUILD', 'The shared checkpoint speaks for other builds than these.');
}

async function writeServing(context: MongoContext, lanes: readonly Lane[], commits: readonly Commit[]) {
  if (lanes.length === 0) return { results: [], published: [] };
  const { number, isNew } = await context.outbox.position();
  if (!isNew) return writeParts(context, lanes, number);
  await context.builds.refresh();
  return writeParts(context, prepareLanes(context, commits), number);
}

/** Writes and publishes what is urgent in a large commit before the rest. */
async function writeParts(context: MongoContext, lanes: readonly Lane[], newest: number) {
  const results = new Map<Lane, CommitResult>();
  const published: Promise<void>[] = [];
  let last = newest;
  for (const part of partsOf(lanes)) {
    const written = await writeLanes(context, part, last);
    for (const [at, lane] of part.entries()) results.set(lane, written.results[at] ?? { skipped: 0 });
    published.push(written.published);
    last = Number(written.batches.at(-1)?._id ?? last);
  }
  return { results: lanes.map((lane) => results.get(lane) ?? { skipped: 0 }), published };
}

function partsOf(lanes: readonly Lane[]): readonly (readonly Lane[])[] {
  const isFirst = ({ commit, writes }: Lane): boolean => commit.isUrgent === true && writes.length > 0;
  const writes = lanes.reduce((sum, lane) => sum + lane.writes.length, 0);
  const first = writes > LARGE_WRITES ? lanes.filter(isFirst) : [];
  return [first, lanes.filter((lane) => !first.includes(lane))].filter((part) => part.length > 0);
}

function prepareLanes(context: MongoContext, commits: readonly Commit[]): readonly Lane[] {
  return commits.map((commit) => prepareLane(context, commit));
}

function prepareLane({ builds }: MongoContext, commit: Commit): Lane {
  const build = builds.find(commit.model, commit.build);
  if (!build) throw unknownBuild(commit);
  if (commit.checkpoint !== undefined) checkPosition(commit.checkpoint);
  const writes = commit.writes.map((write): Prepared => {
    const json = checkedJson(build.model, write);
    // Rejects documents that are too large before anything is written.
    if (json !== null && json.length > LARGE_CHARS)
      toRecord(build.model, build.definition, { id: write.id, position: write.position, deleted: 0, json });
    return { write, json };
  });
  return { build, commit, writes, serves: builds.find(commit.model)?.collection === build.collection };
}

async function writeLanes(context: MongoContext, lanes: readonly Lane[], newest: number | null) {
  try {
    const leftovers = newest === null ? [] : await unpublishedLeftovers(context, lanes, newest);
    const applied = await applyLanes(context, lanes);
    const changes = [...leftovers, ...applied.flatMap((lane) => lane.changes)];
    const appending =
      newest === null
        ? Promise.resolve([])
        : context.outbox.append({ changes, collections: collectionsOf(lanes) }, newest);
    const published = context.watching.publish(appending);
    const batches = await appending;
    await context.parked.write(lanes);
    await saveCheckpoints(context, lanes);
    for (const { build } of lanes) context.proven.add(build.collection);
    return { results: applied.map(({ skipped }) => ({ skipped })), batches, published };
  } catch (error) {
    context.outbox.forget();
    context.proven.clear();
    throw error;
  }
}

/** Builds are written in parallel, several commits to one build in sequence. */
async function applyLanes(context: MongoContext, lanes: readonly Lane[]): Promise<readonly Applied[]> {
  const applied = new Map<Lane, Applied>();
  const builds = [...new Set(lanes.map((lane) => lane.build))];
  const outcomes = await Promise.allSettled(
    builds.map(async (build) => {
      const known = context.states.take(build.collection);
      for (const lane of lanes) if (lane.build === build) applied.set(lane, await applyLane(lane, known));
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return lanes.map((lane) => applied.get(lane) ?? { skipped: 0, changes: [] });
}

async function applyLane(lane: Lane, known: Map<string, DocumentRow | null>): Promise<Applied> {
  const parts: Applied[] = [];
  for (const round of roundsOf(lane.writes)) parts.push(await applyRound(lane, round, known));
  return {
    skipped: parts.reduce((sum, part) => sum + part.skipped, 0),
    changes: parts.flatMap((part) => part.changes),
  };
}

/** Each document appears once per round: repeated writes within a commit keep their order. */
function roundsOf(writes: readonly Prepared[]): readonly (readonly Prepared[])[] {
  const rounds: Prepared[][] = [];
  const seen = new Map<string, number>();
  for (const prepared of writes) {
    const at = seen.get(prepared.write.id) ?? 0;
    seen.set(prepared.write.id, at + 1);
    const round = rounds[at];
    if (round) round.push(prepared);
    else rounds.push([prepared]);
  }
  return rounds;
}

/** `known`: states by id, null if absent; updated in place. */
async function applyRound(
  lane: Lane,
  round: readonly Prepared[],
  known: Map<string, DocumentRow | null>,
): Promise<Applied> {
  const { build, serves } = lane;
  const keepsFields = build.definition.tombstoneFields.length > 0;
  const missing = round
    .filter(({ write, json }) => !known.has(write.id) && (serves || (json === null && keepsFields)))
    .map(({ write }) => write.id);
  if (missing.length > 0) {
    const rows = await rowsOf(build.documents, missing);
    for (const id of missing) known.set(id, rows.get(id) ?? null);
  }
  const records = round.map(({ write, json }) => recordOf(build, write, json, known.get(write.id)?.data));
  const positions = new Map([...known].map(([id, row]) => [id, row?.position ?? null]));
  // Before its first commit a build is empty, but for what one that broke off has left.
  const skipped = await writeGuarded(build.documents, records, positions, build.checkpoint === null);
  const changes: OutboxChange[] = [];
  round.forEach((prepared, at) => {
    const { id } = prepared.write;
    const record = records[at];
    if (!record || skipped.has(id)) return;
    if (serves)
      changes.push(...changeOf(build.model, prepared, known.get(id) ?? null).map((change) => asKept(build, change)));
    known.set(id, record);
  });
  return { skipped: skipped.size, changes };
}

function recordOf(
  build: MongoBuild,
  write: Write,
  json: string | null,
  last: string | null | undefined,
): DocumentRecord {
  const { id, position, data } = write;
  if (json !== null) return toRecord(build.model, build.definition, { id, position, deleted: 0, json, data });
  return toRecord(build.model, build.definition, {
    id,
    position,
    deleted: 1,
    json: tombstoneJson(build.definition.tombstoneFields, last),
  });
}

function changeOf(model: string, { write, json }: Prepared, before: DocumentRow | null): readonly OutboxChange[] {
  const kind = kindOfChange(before, json === null);
  if (!kind) return [];
  return [
    {
      model,
      id: write.id,
      kind,
      position: write.position,
      data: json,
      old: kind === 'INSERT' ? null : (before?.data ?? null),
    },
  ];
}

const asKept = ({ definition }: MongoBuild, change: OutboxChange): OutboxChange =>
  definition.isBulky ? { ...change, data: null, old: null, isLarge: true } : change;

/**
 * Documents beyond the checkpoint: a commit, perhaps of another process, was interrupted after writing them. Its
 * repetition may skip what is already written, so the unpublished changes are published here, with an unknown earlier
 * state.
 */
async function unpublishedLeftovers(
  { builds, outbox, proven }: MongoContext,
  lanes: readonly Lane[],
  newest: number,
): Promise<readonly OutboxChange[]> {
  const serving = new Set(lanes.flatMap(({ build, serves }) => (serves ? build : [])));
  const doubtful = [...serving].filter(({ collection }) => !proven.has(collection));
  if (doubtful.length === 0) return [];
  await builds.refresh();
  const found = await Promise.all(
    doubtful.map(async ({ model, name }) => {
      const build = builds.find(model, name);
      const changed = build ? await changedSince(build, build.checkpoint ?? START, undefined) : [];
      const rows = build
        ? await rowsOf(
            build.documents,
            changed.map(({ id }) => id),
          )
        : new Map<string, DocumentRow>();
      return changed.flatMap(({ id }) =>
        leftover(model, rows.get(id)).map((change) => (build ? asKept(build, change) : change)),
      );
    }),
  );
  const changes = found.flat();
  return changes.length === 0 ? [] : outbox.unpublished(changes, newest);
}

function leftover(model: string, row: DocumentRow | undefined): readonly OutboxChange[] {
  if (!row) return [];
  const { _id: id, position, data } = row;
  return [
    row.deleted === 1
      ? { model, id, kind: 'DELETE', position, data: null, old: data }
      : { model, id, kind: 'UPDATE', position, data, old: null },
  ];
}

function collectionsOf(lanes: readonly Lane[]): ReadonlyMap<string, string> {
  return new Map(lanes.filter(({ serves }) => serves).map(({ build }) => [build.model, build.collection]));
}

/**
 * @throws ReadModelError UNKNOWN_BUILD if a build was dropped meanwhile: what was written to it is orphaned, and
 *   removed by the next sweep
 */
async function saveCheckpoints({ builds }: MongoContext, lanes: readonly Lane[]): Promise<void> {
  const checkpoints = new Map<MongoBuild, Position>();
  const lastEvents = new Map<MongoBuild, string>();
  for (const { build, commit } of lanes) {
    if (commit.checkpoint === undefined) continue;
    if (commit.checkpoint > (checkpoints.get(build) ?? '')) checkpoints.set(build, commit.checkpoint);
    if (commit.lastEvent !== undefined && commit.lastEvent > (lastEvents.get(build) ?? ''))
      lastEvents.set(build, commit.lastEvent);
  }
  if (checkpoints.size === 0) return;
  const operations = [...checkpoints].map(([build, checkpoint]) => {
    const lastEvent = lastEvents.get(build);
    const update = { $max: { checkpoint, ...(lastEvent === undefined ? {} : { lastEvent }) } };
    return { updateOne: { filter: { _id: build.id, collection: build.collection }, update } };
  });
  const { matchedCount } = await builds.records.bulkWrite(operations, { ordered: false });
  if (matchedCount < checkpoints.size) {
    await builds.refresh();
    for (const { build, commit } of lanes)
      if (builds.find(build.model, build.name)?.collection !== build.collection) throw unknownBuild(commit);
  }
  for (const [build, checkpoint] of checkpoints) {
    const now = builds.find(build.model, build.name);
    if (now?.collection === build.collection && checkpoint > (now.checkpoint ?? '')) now.checkpoint = checkpoint;
  }
}

function unknownBuild({ model, build }: Commit): ReadModelError {
  return new ReadModelError('UNKNOWN_BUILD', `Build ${build} of model ${model} was not prepared.`);
}
