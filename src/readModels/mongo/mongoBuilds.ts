/**
 * The builds of all models in one database: which exist, and which one serves each model. Memory holds the last read;
 * other processes write too, so a caller that depends on the current state refreshes first, or finds out from what it
 * touches next.
 */
import type { Collection, Db } from 'mongodb';
import { type StoredDefinition, storedDefinition } from '../definitions.ts';
import { laterOf } from '../positions.ts';
import { type ModelDefinition, ReadModelError, type SharedCheckpoint } from '../readModels.ts';
import type { BuildRecord, MongoBuild } from './mongoBuild.ts';
import type { DocumentRecord } from './mongoDocuments.ts';
import { isDuplicateKey, isNamespaceMissing } from './mongoErrors.ts';
import { documentsName, foreignRecord, holdsDocuments } from './mongoNames.ts';
import { alignIndexes } from './mongoPrepare.ts';
import { createMongoShared, isShared, type MongoShared, SHARED_ID, type SharedRecord } from './mongoShared.ts';

export type MongoBuilds = {
  readonly records: Collection<BuildRecord>;
  readonly shared: MongoShared;
  /** Makes the shared checkpoint speak for exactly these. Call while nothing is committed. */
  share(builds: readonly MongoBuild[]): Promise<void>;
  /** Whether it does, as far as known. */
  sharedBy(builds: readonly MongoBuild[]): boolean;
  /** Advances it, and with it the builds it speaks for. */
  advanceShared(checkpoint: Omit<SharedCheckpoint, 'builds'>, changes: number): Promise<void>;
  /** How often the builds of the shared checkpoint were changed, as last read. */
  readonly sharedChanges: number;
  /** Reads how far the models are: usually the shared checkpoint alone. */
  refreshReached(models: readonly string[]): Promise<void>;
  /** Reads all builds, including everything written before the call. */
  refresh(): Promise<void>;
  /** Reads the builds of these models, including everything written before the call. */
  refreshModel(...models: readonly string[]): Promise<void>;
  /** Refreshes if the cached state is older than `ms`. */
  atMostOld(ms: number): Promise<void>;
  /** From memory: the named build, or the serving one; null if there is none. */
  find(model: string, name?: string): MongoBuild | null;
  of(model: string): readonly MongoBuild[];
  models(): readonly string[];
  /** The serving builds, one per model. */
  serving(): readonly MongoBuild[];
  prepare(definition: ModelDefinition, name: string): Promise<void>;
  /** Forgets the build and removes its collection. */
  erase(build: MongoBuild): Promise<void>;
  /**
   * Removes collections that belong to no build: left behind by a process that died, or written to by one that missed
   * the removal.
   */
  sweep(): Promise<void>;
};

export function createMongoBuilds(db: Db): MongoBuilds {
  const records = db.collection<BuildRecord>('builds');
  const shared = createMongoShared(db.collection<SharedRecord>('builds'));
  let byId: ReadonlyMap<string, MongoBuild> = new Map();
  /** When the last read of a model alone began. */
  const modelReadAt = new Map<string, number>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  async function read(): Promise<void> {
    const startedAt = performance.now();
    const found = buildsAmong(await records.find<BuildRecord | SharedRecord>({}).toArray());
    // What was read of a model alone in the meantime is newer.
    const isNewer = (model: string): boolean => (modelReadAt.get(model) ?? Number.NEGATIVE_INFINITY) > startedAt;
    byId = new Map([
      ...found.filter(({ model }) => !isNewer(model)).map(known),
      ...[...byId].filter(([, { model }]) => isNewer(model)),
    ]);
    readAt = startedAt;
    applyShared();
  }

  function buildsAmong(found: readonly (BuildRecord | SharedRecord)[]): readonly BuildRecord[] {
    shared.learn(found.find(isShared) ?? null);
    return found.filter((record): record is BuildRecord => !isShared(record));
  }

  /** A build that the shared checkpoint speaks for is as far as that. */
  function applyShared(): void {
    const { collections, position, lastEvent } = shared.known;
    const names = new Set(collections);
    for (const build of byId.values()) {
      if (!names.has(build.collection)) continue;
      build.checkpoint = laterOf(build.checkpoint, position);
      build.lastEvent = laterOf(build.lastEvent, lastEvent);
    }
  }

  /** Most callers ask for one model, and all the others with their definitions are a lot to read. */
  async function readModels(models: readonly string[]): Promise<void> {
    const startedAt = performance.now();
    // Whatever was passed as a name is never an operator.
    const some = { $or: [{ model: { $in: models.map(String) } }, { _id: SHARED_ID }] };
    const found = buildsAmong(await records.find<BuildRecord | SharedRecord>(some).toArray());
    if (readAt > startedAt) return;
    const read = new Set(models.filter((model) => (modelReadAt.get(model) ?? Number.NEGATIVE_INFINITY) <= startedAt));
    for (const model of read) modelReadAt.set(model, startedAt);
    byId = new Map([
      ...[...byId].filter(([, { model }]) => !read.has(model)),
      ...found.filter(({ model }) => read.has(model)).map(known),
    ]);
    applyShared();
  }

  async function refreshReached(models: readonly string[]): Promise<void> {
    const before = shared.known;
    const { changes, collections } = await shared.read();
    const isIn = (model: string): boolean => collections.includes(find(model)?.collection ?? '');
    if (changes !== before.changes || !models.every(isIn)) await readModels(models);
    applyShared();
  }

  async function share(builds: readonly MongoBuild[]): Promise<void> {
    const spokenFor = new Set(shared.known.collections);
    const further = [...byId.values()].filter(
      (build) => build.checkpoint !== null && (spokenFor.has(build.collection) || builds.includes(build)),
    );
    const operations = further.map(({ id, collection, checkpoint, lastEvent }) => ({
      updateOne: {
        filter: { _id: id, collection },
        update: { $max: { checkpoint, ...(lastEvent === null ? {} : { lastEvent }) } },
      },
    }));
    if (operations.length > 0) await records.bulkWrite(operations, { ordered: false });
    await shared.change(builds);
  }

  function sharedBy(builds: readonly MongoBuild[]): boolean {
    const { collections } = shared.known;
    return builds.length === collections.length && builds.every(({ collection }) => collections.includes(collection));
  }

  const known = (record: BuildRecord): [string, MongoBuild] => [record._id, asBuild(db, record, byId.get(record._id))];

  function refresh(): Promise<void> {
    if (!reading) {
      reading = read().finally(() => {
        reading = null;
      });
      return reading;
    }
    // A read already under way may have started too early.
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = null;
        return refresh();
      });
    return next;
  }

  function find(model: string, name?: string): MongoBuild | null {
    if (name !== undefined) return byId.get(buildId(model, name)) ?? null;
    return of(model).reduce<MongoBuild | null>(
      (best, build) => (build.record.served > (best?.record.served ?? 0) ? build : best),
      null,
    );
  }

  function of(model: string): readonly MongoBuild[] {
    return [...byId.values()].filter((build) => build.model === model);
  }

  const models = (): readonly string[] => [...new Set([...byId.values()].map(({ model }) => model))];

  async function prepare(definition: ModelDefinition, name: string): Promise<void> {
    const stored = storedDefinition(definition, name);
    const json = JSON.stringify(stored);
    const id = buildId(definition.name, name);
    await refresh();
    if (!byId.has(id)) {
      const collection = documentsName(definition.name, name);
      const record: BuildRecord = {
        _id: id,
        model: definition.name,
        build: name,
        collection,
        definition: json,
        checkpoint: null,
        served: 0,
      };
      await records.insertOne(record).catch((error: unknown) => {
        // Another process is preparing it too.
        if (!isDuplicateKey(error)) throw error;
      });
      await refresh();
    }
    const build = byId.get(id);
    if (!build)
      throw new ReadModelError(
        'UNKNOWN_BUILD',
        `Build ${name} of model ${definition.name} was dropped while it was prepared.`,
      );
    await alignIndexes(build, stored);
    if (build.record.definition === json) return;
    await records.updateOne({ _id: id, collection: build.collection }, { $set: { definition: json } });
    await refresh();
  }

  async function erase(build: MongoBuild): Promise<void> {
    await records.deleteOne({ _id: build.id, collection: build.collection });
    await db.collection('parked').deleteMany({ collection: build.collection });
    await dropCollection(db, build.collection);
  }

  async function sweep(): Promise<void> {
    // In this order: a collection is created after its build has been recorded.
    const present = await db.listCollections({}, { nameOnly: true }).toArray();
    await refresh();
    const known = new Set([...byId.values()].map((build) => build.collection));
    for (const { name } of present) if (holdsDocuments(name) && !known.has(name)) await dropCollection(db, name);
  }

  return {
    records,
    shared,
    share,
    sharedBy,
    get sharedChanges() {
      return shared.known.changes;
    },
    advanceShared: async (checkpoint, changes) => {
      await shared.advance(checkpoint, changes);
      applyShared();
    },
    refreshReached,
    refresh,
    refreshModel: readTogether(readModels),
    atMostOld: async (ms) => {
      if (performance.now() - readAt > ms) await refresh();
    },
    find,
    of,
    models,
    serving: () => models().flatMap((model) => find(model) ?? []),
    prepare,
    erase,
    sweep,
  };
}

/** Calls made together share one `read`, which begins after all of them. */
function readTogether(
  read: (names: readonly string[]) => Promise<void>,
): (...names: readonly string[]) => Promise<void> {
  let batch: { readonly names: Set<string>; readonly done: Promise<void> } | null = null;
  return (...names) => {
    if (!batch) {
      const together = new Set<string>();
      const done = Promise.resolve().then(() => {
        batch = null;
        return read([...together]);
      });
      batch = { names: together, done };
    }
    for (const name of names) batch.names.add(name);
    return batch.done;
  };
}

function buildId(model: string, name: string): string {
  return `${model}/${name}`;
}

/** @throws ReadModelError FOREIGN_DATABASE */
function asBuild(db: Db, record: BuildRecord, known: MongoBuild | undefined): MongoBuild {
  const { _id, model, build, collection, definition } = record;
  if ([model, build, collection, definition].some((each) => typeof each !== 'string'))
    throw foreignRecord(db.databaseName, 'builds', _id);
  const same = known?.collection === record.collection ? known : null;
  return {
    id: record._id,
    model: record.model,
    name: record.build,
    collection: record.collection,
    documents: same?.documents ?? db.collection<DocumentRecord>(record.collection),
    definition: same?.record.definition === record.definition ? same.definition : definitionIn(db, record),
    record,
    // This process may have advanced it since the read began.
    checkpoint: laterOf(record.checkpoint, same?.checkpoint ?? null),
    lastEvent: laterOf(record.lastEvent ?? null, same?.lastEvent ?? null),
  };
}

/** @throws ReadModelError FOREIGN_DATABASE */
function definitionIn({ databaseName }: Db, { _id, definition }: BuildRecord): StoredDefinition {
  try {
    return JSON.parse(definition) as StoredDefinition;
  } catch {
    throw foreignRecord(databaseName, 'builds', _id);
  }
}

/** A query that is reading it meanwhile fails: its reader finds the build gone, and asks again. */
async function dropCollection(db: Db, name: string): Promise<void> {
  await db
    .collection(name)
    .drop()
    .catch((error: unknown) => {
      if (!isNamespaceMissing(error)) throw error;
    });
}
