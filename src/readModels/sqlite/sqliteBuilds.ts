/**
 * The builds of all models in one file: which exist, and which one serves each model. Memory mirrors the table, since
 * only this process writes it.
 */
import type Database from 'better-sqlite3';
import { storedDefinition } from '../definitions.ts';
import type { Readable } from '../readable.ts';
import {
  type BuildName,
  type Commit,
  type ModelDefinition,
  ReadModelError,
  type SharedCheckpoint,
} from '../readModels.ts';
import { alignIndexes, type Build, type BuildRow, createTable, openBuild } from './sqliteBuild.ts';
import { createSqliteShared } from './sqliteShared.ts';

/** Rows erased in one transaction: at most as many, and with about as many characters. */
const ROWS_AT_ONCE = 500;
const BYTES_AT_ONCE = 1024 * 1024;

export type BuildRegistry = {
  prepare(definition: ModelDefinition, name: string): void;
  serving(model: string): Build | null;
  /** The named build, or the serving one; null if there is none. */
  find(model: string, name?: string): Build | null;
  /**
   * The same, to read from it.
   * @throws ReadModelError READ_MODELS_UNAVAILABLE when this process cannot read what serves
   */
  read(model: string, name?: string): Build | null;
  isReadable(build: Build): boolean;
  /** @throws ReadModelError UNKNOWN_BUILD */
  named(model: string, name: string): Build;
  /** False if it was already serving. */
  serve(model: string, name: string): boolean;
  drop(model: string, name: string): void;
  /** Drops the builds of all other models. */
  retain(names: readonly string[]): void;
  /** @throws ReadModelError UNKNOWN_BUILD */
  shareCheckpoint(names: readonly BuildName[]): void;
  /**
   * Within the commit's transaction.
   * @throws ReadModelError UNKNOWN_BUILD if it speaks for other builds
   */
  advanceShared(shared: SharedCheckpoint): void;
  /** Call after a transaction has committed, with the checkpoints it wrote. */
  remember(commits: readonly Commit[], shared?: SharedCheckpoint): void;
  /** Models whose serving build has a document that could not be read. */
  damaged(): readonly string[];
};

/** `makeRoom`: called before each transaction of a long change. */
export function createBuildRegistry(
  db: Database.Database,
  readable: Readable,
  makeRoom: () => void = () => undefined,
): BuildRegistry {
  const models = new Map<string, Map<string, Build>>();
  const serving = new Map<string, Build>();
  const shared = createSqliteShared(db);
  for (const row of db.prepare('SELECT * FROM builds').all() as BuildRow[]) add(openBuild(db, row));

  function add(build: Build): void {
    const builds = models.get(build.model) ?? new Map<string, Build>();
    models.set(build.model, builds.set(build.name, build));
    shared.applyTo(build);
    if (build.serving) serving.set(build.model, build);
  }

  function find(model: string, name?: string): Build | null {
    return (name === undefined ? serving.get(model) : models.get(model)?.get(name)) ?? null;
  }

  function read(model: string, name?: string): Build | null {
    const build = find(model, name);
    if (name === undefined) readable.check(model, build?.definition ?? null);
    return build;
  }

  function named(model: string, name: string): Build {
    const build = find(model, name);
    if (!build) throw new ReadModelError('UNKNOWN_BUILD', `Build ${name} of model ${model} was not prepared.`);
    return build;
  }

  function prepare(definition: ModelDefinition, name: string): void {
    const stored = storedDefinition(definition, name);
    const json = JSON.stringify(stored);
    const present = find(definition.name, name);
    if (present && JSON.stringify(present.definition) === json) return;
    const row = db.transaction((): BuildRow => {
      if (present) {
        db.prepare('UPDATE builds SET definition = ? WHERE number = ?').run(json, present.number);
        alignIndexes(db, present.number, stored);
        return {
          number: present.number,
          model: present.model,
          build: name,
          definition: json,
          checkpoint: present.checkpoint,
          lastEvent: present.lastEvent,
          serving: present.serving ? 1 : 0,
        };
      }
      const number = Number(
        db.prepare('INSERT INTO builds (model, build, definition) VALUES (?, ?, ?)').run(definition.name, name, json)
          .lastInsertRowid,
      );
      createTable(db, number);
      alignIndexes(db, number, stored);
      return {
        number,
        model: definition.name,
        build: name,
        definition: json,
        checkpoint: null,
        lastEvent: null,
        serving: 0,
      };
    })();
    add(openBuild(db, row));
  }

  /** A build that is interrupted on its way out is filled again from the beginning, should it ever be continued. */
  function forget(build: Build): void {
    db.prepare('UPDATE builds SET checkpoint = NULL, lastEvent = NULL, serving = 0 WHERE number = ?').run(build.number);
    shared.leave(build);
    shared.refresh();
  }

  /** In parts: erased pages are overwritten, and all at once they would fill the write-ahead file. */
  function erase(build: Build): void {
    const { number, table } = build;
    const indexes = db
      .prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
      .pluck()
      .all(table) as string[];
    for (const name of indexes) {
      makeRoom();
      db.exec(`DROP INDEX "${name.replaceAll('"', '""')}"`);
    }
    const first = db.prepare<[], { id: string; bytes: number | null }>(
      `SELECT id, length(data) AS bytes FROM ${table} ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    );
    const remove = db.prepare<[string]>(`DELETE FROM ${table} WHERE id <= ?`);
    for (let rows = first.all(); rows.length > 0; rows = first.all()) {
      let bytes = 0;
      const end = rows.findIndex((row) => {
        bytes += row.bytes ?? 0;
        return bytes > BYTES_AT_ONCE;
      });
      makeRoom();
      remove.run(rows.at(end)?.id ?? '');
    }
    makeRoom();
    db.transaction(() => {
      db.exec(`DROP TABLE ${table}`);
      db.prepare('DELETE FROM parked WHERE model = ? AND build = ?').run(build.model, build.name);
      db.prepare('DELETE FROM builds WHERE number = ?').run(number);
    })();
  }

  function serve(model: string, name: string): boolean {
    const next = named(model, name);
    const others = [...(models.get(model)?.values() ?? [])].filter((build) => build !== next);
    const switched = !next.serving;
    db.transaction(() => {
      db.prepare('UPDATE builds SET serving = (number = ?) WHERE model = ?').run(next.number, model);
      others.forEach(forget);
    })();
    next.serving = true;
    serving.set(model, next);
    others.forEach(erase);
    models.set(model, new Map([[name, next]]));
    return switched;
  }

  function drop(model: string, name: string): void {
    const build = find(model, name);
    if (!build) return;
    db.transaction(() => forget(build))();
    build.checkpoint = null;
    build.lastEvent = null;
    if (serving.get(model) === build) serving.delete(model);
    erase(build);
    models.get(model)?.delete(name);
  }

  function shareCheckpoint(names: readonly BuildName[]): void {
    const builds = names.map(({ model, build }) => named(model, build));
    if (shared.speaksFor(builds)) return;
    db.transaction(() => {
      // Whoever it spoke for, or speaks for now, may be further than its own row says.
      for (const build of all())
        if (build.checkpoint !== null && (shared.has(build) || builds.includes(build)))
          build.saveCheckpoint.run(build.checkpoint, build.lastEvent);
      shared.share(builds);
    })();
    shared.refresh();
  }

  function advanceShared(next: SharedCheckpoint): void {
    const builds = next.builds.map(({ model, build }) => named(model, build));
    if (!shared.speaksFor(builds))
      throw new ReadModelError('UNKNOWN_BUILD', 'The shared checkpoint speaks for other builds than these.');
    shared.advance(next);
  }

  const all = (): readonly Build[] => [...models.values()].flatMap((builds) => [...builds.values()]);

  function remember(commits: readonly Commit[], advanced?: SharedCheckpoint): void {
    for (const { model, build: name, checkpoint = null, lastEvent = null } of commits) {
      const build = find(model, name);
      if (!build || checkpoint === null || (build.checkpoint !== null && checkpoint <= build.checkpoint)) continue;
      build.checkpoint = checkpoint;
      build.lastEvent = lastEvent ?? build.lastEvent;
    }
    if (!advanced) return;
    shared.refresh();
    for (const build of all()) shared.applyTo(build);
  }

  function damaged(): readonly string[] {
    return [...serving.values()].filter((build) => build.isDamaged).map(({ model }) => model);
  }

  return {
    prepare,
    serving: (model) => serving.get(model) ?? null,
    find,
    read,
    isReadable: ({ model, definition }) => readable.can(model, definition),
    named,
    serve,
    drop,
    retain: (names) => {
      for (const { model, name } of all()) if (!names.includes(model)) drop(model, name);
    },
    shareCheckpoint,
    advanceShared,
    remember,
    damaged,
  };
}
