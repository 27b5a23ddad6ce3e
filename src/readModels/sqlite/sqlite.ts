/**
 * The embedded read models: one SQLite file, or memory, for one process. One table of JSON documents per build of a
 * model.
 */
import type Database from 'better-sqlite3';
import type { Claims, Marks } from '../claims.ts';
import { parseWhere } from '../conditions.ts';
import type { Presence } from '../presence.ts';
import { createReachedWaits } from '../reached.ts';
import { createReadable } from '../readable.ts';
import {
  type Change,
  type Commit,
  type CommitResult,
  type ModelDefinition,
  type Page,
  type ParkedRecord,
  ReadModelError,
  type ReadModels,
  type SharedCheckpoint,
  type StoredDocument,
  type Write,
} from '../readModels.ts';
import type { Snapshots } from '../snapshots.ts';
import { type CurrentState, createWatchers, type Watcher, type Watchers } from '../watchers.ts';
import { checkedJson, checkPosition, kindOfChange, START, tombstoneJson } from '../writes.ts';
import { type Build, type DocumentRow, objectOf, readingFields } from './sqliteBuild.ts';
import { type BuildRegistry, createBuildRegistry } from './sqliteBuilds.ts';
import { createSqliteClaims, createSqliteMarks } from './sqliteClaims.ts';
import { createLogErasure, isDamage, isNotedAsDamaged, moveAside, noteDamage, openFile } from './sqliteFile.ts';
import { createParkedRecords, type ParkedRecords } from './sqliteParked.ts';
import { createSqlitePresence } from './sqlitePresence.ts';
import { changedSince, countChanged, countDocuments, findPage } from './sqliteQuery.ts';
import { createSqliteSnapshots } from './sqliteSnapshots.ts';
import { createWalGuard, inTransactions } from './sqliteWal.ts';

export type SqliteReadModelsOptions = {
  /** Path of the file, or ':memory:'. */
  readonly file: string;
  /** In memory: the bytes of a database to start with, of which a copy is used. */
  readonly contents?: Buffer;
  /** Changes queued individually for a slow watcher before they are merged. Default 1,000. */
  readonly watchQueueLimit?: number;
  /** How long to wait for a file locked by another process. Default 1,000 ms. */
  readonly lockTimeoutMs?: number;
  /** What this process reads: see `readable.ts`. Default: anything. */
  readonly reads?: readonly ModelDefinition[];
  readonly log?: Readonly<Record<'warn', (details: object, message: string) => void>>;
};

/** Read models, plus work coordination and snapshots: in the same file, unaffected by rebuilds. */
export type SqliteReadModels = ReadModels & {
  readonly claims: Claims;
  readonly marks: Marks;
  readonly presence: Presence;
  readonly snapshots: Snapshots;
};

/** A write with its document's text; null deletes. */
type CheckedWrite = Write & { readonly json: string | null };
type CheckedCommit = Commit & { readonly writes: readonly CheckedWrite[] };

type Context = {
  readonly db: Database.Database;
  readonly builds: BuildRegistry;
  readonly parked: ParkedRecords;
  readonly watchers: Watchers;
};

/**
 * A damaged file is moved aside: its read models are projected again, and coordination starts from scratch.
 * @throws ReadModelError READ_MODELS_IN_USE when another process has the file open, READ_MODELS_UNREADABLE
 */
export function openSqliteReadModels(options: SqliteReadModelsOptions): SqliteReadModels {
  const { file, log } = options;
  try {
    if (isNotedAsDamaged(file))
      throw new ReadModelError('READ_MODELS_DAMAGED', `${file} was found damaged while it was in use.`);
    return openReadModels(options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    const kept = moveAside(file);
    log?.warn({ err: error, kept }, 'The read models are damaged: they were moved aside and are being rebuilt');
    return openReadModels(options);
  }
}

function openReadModels(options: SqliteReadModelsOptions): SqliteReadModels {
  const db = openFile(options.file, options.lockTimeoutMs ?? 1_000, options.contents);
  try {
    return createReadModels(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function createReadModels(db: Database.Database, options: SqliteReadModelsOptions): SqliteReadModels {
  const wal = createWalGuard(db, options.contents !== undefined || options.file === ':memory:' ? null : options.file);
  const context: Context = {
    db,
    builds: createBuildRegistry(db, createReadable(options.reads ?? []), wal.makeRoom),
    parked: createParkedRecords(db),
    watchers: createWatchers(),
  };
  const { builds, watchers } = context;
  const erasure = createLogErasure(db);
  const readableBuild = (model: string): Build | null => {
    const build = builds.serving(model);
    return build && builds.isReadable(build) ? build : null;
  };
  const waits = createReachedWaits((model) => readableBuild(model)?.checkpoint ?? null);
  const writeSome = db.transaction((commit: Commit, writes: readonly CheckedWrite[], changes: Change[]) =>
    writeDocuments(context, commit, writes, changes),
  );
  const commitAll = db.transaction(
    (commits: readonly CheckedCommit[], shared: SharedCheckpoint | undefined, changes: Change[]) => {
      if (shared) builds.advanceShared(shared);
      return commits.map((commit) => commitOne(context, commit, changes));
    },
  );
  let closed = false;

  /** Every call returns a promise, also when it is refused. */
  async function open<T>(work: () => T | Promise<T>): Promise<T> {
    refuseClosed();
    try {
      return work();
    } catch (error) {
      if (isDamage(error)) noteDamage(options.file);
      throw error;
    }
  }
  /** A call that writes. */
  const openWrite = <T>(work: () => T): Promise<T> =>
    open(() => {
      wal.makeRoom();
      return work();
    });
  /** A call that may change every page of a table. */
  const openTables = <T>(work: () => T): Promise<T> =>
    open(() => {
      wal.makeAllRoom();
      return work();
    });

  /**
   * In transactions that the write-ahead file has room for, the checkpoints in the last one: if it ends in between,
   * documents are ahead of their checkpoint, and skip what they know. Nothing of a commit is written before all of an
   * earlier one to the same build.
   */
  function commitInParts(
    commits: readonly CheckedCommit[],
    shared: SharedCheckpoint | undefined,
    changes: Change[],
  ): readonly CommitResult[] {
    const skipped = commits.map(() => 0);
    const groups = commits.map(({ writes }) => inTransactions(writes));
    const last = commits.map((commit, at) => {
      const parts = groups[at] ?? [];
      const isBeforeParts = commits.some(
        ({ model, build }, later) =>
          later > at && model === commit.model && build === commit.build && (groups[later]?.length ?? 0) > 1,
      );
      const first = isBeforeParts ? parts : parts.slice(0, -1);
      for (const part of first) {
        wal.makeRoom();
        const done: Change[] = [];
        skipped[at] = (skipped[at] ?? 0) + writeSome.immediate(commit, part, done);
        changes.push(...done);
      }
      return { ...commit, writes: parts.slice(first.length).flat() };
    });
    wal.makeRoom();
    const done: Change[] = [];
    const results = commitAll.immediate(last, shared, done);
    changes.push(...done);
    return results.map((result, at) => ({ skipped: result.skipped + (skipped[at] ?? 0) }));
  }
  function refuseClosed(): void {
    if (closed) throw new ReadModelError('READ_MODELS_CLOSED', 'The read models are closed.');
  }

  return {
    claims: createSqliteClaims(db, open, openWrite),
    marks: createSqliteMarks(db, open, openWrite),
    presence: createSqlitePresence(db, open, openWrite),
    snapshots: createSqliteSnapshots(db, open, openWrite, erasure.due),
    prepare: (definition, build) => openTables(() => builds.prepare(definition, build)),
    serving: (model) => open(() => builds.serving(model)?.name ?? null),
    servedPosition: (model) =>
      open(() => {
        const build = readableBuild(model);
        return build && (build.checkpoint ?? START);
      }),
    serve: (model, build) =>
      openTables(() => {
        serve(context, model, build);
        waits.settle();
      }),
    shareCheckpoint: (names) =>
      openWrite(() => {
        builds.shareCheckpoint(names);
      }),
    checkpoint: (model, build) => open(() => builds.find(model, build)?.checkpoint ?? null),
    lastEvent: (model, build) => open(() => builds.find(model, build)?.lastEvent ?? null),
    drop: (model, build) => openTables(() => builds.drop(model, build)),
    retain: (models) => openTables(() => builds.retain(models)),
    damaged: () => open(() => builds.damaged()),
    get: <T extends object>(model: string, id: string, build?: string) =>
      open(() => {
        const from = builds.read(model, build);
        return from && getDocument<T>(from, id);
      }),
    getMany: <T extends object>(model: string, ids: readonly string[], build?: string) =>
      open(() => {
        const from = builds.read(model, build);
        return from
          ? rowsOf(from, ids)
              .filter((row) => row.deleted === 0)
              .map((row) => toDocument<T>(from, row))
          : [];
      }),
    states: (model, ids, build) =>
      open(() => {
        const from = builds.read(model, build);
        return from
          ? rowsOf(from, ids).map((row) =>
              row.deleted === 0 ? toDocument<object>(from, row) : { id: row.id, position: row.position, data: null },
            )
          : [];
      }),
    find: <T extends object>(model: string, query: Parameters<ReadModels['find']>[1], name?: string) =>
      open((): Page<T> => {
        const build = builds.read(model, name);
        return build ? findPage<T>(db, build, query) : { documents: [], cursor: null };
      }),
    count: (model, where, name) =>
      open(() => {
        const build = builds.read(model, name);
        return build ? countDocuments(db, build, where) : 0;
      }),
    countChanged: (model, { after, where, limit }) =>
      open(() => {
        checkPosition(after);
        const build = builds.read(model);
        return build ? countChanged(db, build, after, where, limit) : 0;
      }),
    commit: (commits, shared) =>
      open(() => {
        if (shared) checkPosition(shared.position);
        // Nothing of the call is stored if a document of it cannot be.
        const checked = commits.map((commit) => ({
          ...commit,
          writes: commit.writes.map((write) => ({ ...write, json: checkedJson(commit.model, write) })),
        }));
        const changes: Change[] = [];
        try {
          const results = commitInParts(checked, shared, changes);
          builds.remember(commits, shared);
          return results;
        } finally {
          if (commits.some(({ writes }) => writes.some(({ data }) => data === null))) erasure.due();
          // Also of the part that was written before a failure: the next attempt passes over it.
          for (const change of changes) for (const watcher of watchers.of(change.model)) watcher.push(change);
          waits.settle();
        }
      }),
    parked: (model) => open((): readonly ParkedRecord[] => context.parked.list(model)),
    watch: (watch) => {
      refuseClosed();
      return watchChanges(context, watch, options.watchQueueLimit);
    },
    reached: (models, position, timeoutMs) => open(() => waits.wait(models, position, timeoutMs)),
    readAsOf: (models, position, timeoutMs, read) =>
      open(() => readAsOf(builds, waits.wait(models, position, timeoutMs), models, read)),
    close: async () => {
      if (closed) return;
      closed = true;
      watchers.close();
      waits.close();
      erasure.close();
      db.close();
    },
  };
}

async function readAsOf<T>(
  builds: BuildRegistry,
  isReached: Promise<boolean>,
  models: readonly string[],
  read: () => Promise<T>,
) {
  if (!(await isReached)) return null;
  // A dropped build's table number may be given to the next one, but not its object.
  const before = models.map((model) => builds.serving(model));
  const answer = await read();
  return models.every((model, nth) => builds.serving(model) === before[nth]) ? { answer } : null;
}

function commitOne(context: Context, commit: CheckedCommit, changes: Change[]): CommitResult {
  const build = context.builds.named(commit.model, commit.build);
  if (commit.checkpoint !== undefined) checkPosition(commit.checkpoint);
  const skipped = writeDocuments(context, commit, commit.writes, changes);
  for (const id of commit.unpark ?? []) context.parked.remove(build, id);
  for (const record of commit.park ?? []) context.parked.put(build, record);
  if (commit.checkpoint !== undefined && (build.checkpoint === null || commit.checkpoint > build.checkpoint))
    build.saveCheckpoint.run(commit.checkpoint, commit.lastEvent ?? null);
  return { skipped };
}

/** Returns how many were skipped. */
function writeDocuments(
  context: Context,
  commit: Pick<Commit, 'model' | 'build'>,
  writes: readonly CheckedWrite[],
  changes: Change[],
): number {
  const build = context.builds.named(commit.model, commit.build);
  const watched = build.serving && context.watchers.of(build.model).length > 0;
  let skipped = 0;
  // No read can happen between here and the end of the transaction, which is synchronous.
  if (writes.length > 0) build.answers.clear();
  for (const write of writes) {
    const { json } = write;
    const before = watched ? build.get.get(write.id) : undefined;
    const deleted = json === null ? 1 : 0;
    const stored = json ?? tombstoneOf(build, write.id);
    const { changes: written } = readingFields(build, () =>
      build.upsert.run(write.id, write.position, stored, deleted),
    );
    if (written === 0) skipped += 1;
    else if (watched) {
      const change = changeOf(build, write, json, before);
      if (change) changes.push(change);
    }
  }
  return skipped;
}

function changeOf(build: Build, write: Write, json: string | null, before: DocumentRow | undefined): Change | null {
  const kind = kindOfChange(before, json === null);
  if (!kind) return null;
  const old = kind !== 'INSERT' && before?.data ? objectOf(build, write.id, before.data) : null;
  return {
    model: build.model,
    id: write.id,
    kind,
    data: json === null ? null : (JSON.parse(json) as object),
    old,
    position: write.position,
  };
}

function tombstoneOf(build: Build, id: string): string | null {
  const fields = build.definition.tombstoneFields;
  return fields.length === 0 ? null : tombstoneJson(fields, build.get.get(id)?.data);
}

/** Switches the build and notifies watchers of what the new build has beyond the old one. */
function serve(context: Context, model: string, name: string): void {
  const before = context.builds.serving(model)?.checkpoint ?? null;
  const switched = context.builds.serve(model, name);
  const build = context.builds.serving(model);
  const watchers = context.watchers.of(model);
  if (!switched || !build || watchers.length === 0) return;
  if (endUnreadable(context, model, watchers)) return;
  for (const { id, position } of changedSince(context.db, build, before ?? START, undefined)) {
    for (const watcher of watchers) if (position > watcher.after) watcher.pushName(model, id, position);
  }
}

/** What another version of the program builds is not for this one. */
function endUnreadable({ builds }: Context, model: string, watchers: readonly Watcher[]): boolean {
  if (!builds.serving(model)) return false;
  try {
    builds.read(model);
    return false;
  } catch (error) {
    for (const watcher of watchers) watcher.fail(error);
    return true;
  }
}

function watchChanges(
  context: Context,
  options: Parameters<ReadModels['watch']>[0],
  queueLimit: number | undefined,
): AsyncIterable<Change> {
  const { builds, db, watchers } = context;
  if (options.after !== undefined) checkPosition(options.after);
  const read = (model: string, id: string): CurrentState | null => {
    const build = builds.read(model);
    const row = build?.get.get(id);
    if (!build || !row) return null;
    const stored = row.data === null && row.deleted === 1 ? null : objectOf(build, id, row.data);
    return row.deleted === 0
      ? { position: row.position, data: stored, tombstone: null }
      : { position: row.position, data: null, tombstone: stored };
  };
  const watcher = watchers.add({ ...options, conditions: parseWhere(options.where), read, queueLimit });
  const { after } = options;
  for (const model of options.models) if (endUnreadable(context, model, [watcher])) return watcher;
  if (after === undefined) return watcher;
  const missed = options.models.flatMap((model) => {
    const build = builds.serving(model);
    return build ? changedSince(db, build, after, options.where).map((row) => ({ model, ...row })) : [];
  });
  missed.sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
  for (const { model, id, position } of missed) watcher.pushName(model, id, position);
  return watcher;
}

function getDocument<T extends object>(build: Build, id: string): StoredDocument<T> | null {
  const key = `get ${id}`;
  const known = build.answers.get(key) as StoredDocument<T> | undefined;
  if (known) return known;
  const row = build.get.get(id);
  return row && row.deleted === 0 ? build.answers.keep(key, toDocument<T>(build, row), row.data?.length ?? 0) : null;
}

function rowsOf(build: Build, ids: readonly string[]): readonly DocumentRow[] {
  return ids.flatMap((id) => build.get.get(id) ?? []);
}

function toDocument<T extends object>(build: Build, row: DocumentRow): StoredDocument<T> {
  return { id: row.id, position: row.position, data: objectOf(build, row.id, row.data) as T };
}
