/** The builds of all models in one file: which exist, and which one serves each model. Memory mirrors the table, since only this process writes it. */
import type Database from 'better-sqlite3';
import { storedDefinition } from '../definitions.ts';
import { type Commit, type ModelDefinition, ReadModelError } from '../readModels.ts';
import { alignIndexes, type Build, type BuildRow, createTable, openBuild } from './sqliteBuild.ts';

export type BuildRegistry = {
  prepare(definition: ModelDefinition, name: string): void;
  serving(model: string): Build | null;
  /** The named build, or the serving one; null if there is none. */
  find(model: string, name?: string): Build | null;
  /** @throws ReadModelError UNKNOWN_BUILD */
  named(model: string, name: string): Build;
  /** False if it was already serving. */
  serve(model: string, name: string): boolean;
  drop(model: string, name: string): void;
  /** Call after a transaction has committed, with the checkpoints it wrote. */
  remember(commits: readonly Commit[]): void;
};

export function createBuildRegistry(db: Database.Database): BuildRegistry {
  const models = new Map<string, Map<string, Build>>();
  const serving = new Map<string, Build>();
  for (const row of db.prepare('SELECT * FROM builds').all() as BuildRow[]) add(openBuild(db, row));

  function add(build: Build): void {
    const builds = models.get(build.model) ?? new Map<string, Build>();
    models.set(build.model, builds.set(build.name, build));
    if (build.serving) serving.set(build.model, build);
  }

  function find(model: string, name?: string): Build | null {
    return (name === undefined ? serving.get(model) : models.get(model)?.get(name)) ?? null;
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
          serving: present.serving ? 1 : 0,
        };
      }
      const number = Number(db.prepare('INSERT INTO builds (model, build, definition) VALUES (?, ?, ?)').run(definition.name, name, json).lastInsertRowid);
      createTable(db, number);
      alignIndexes(db, number, stored);
      return { number, model: definition.name, build: name, definition: json, checkpoint: null, serving: 0 };
    })();
    add(openBuild(db, row));
  }

  function erase(build: Build): void {
    db.exec(`DROP TABLE ${build.table}`);
    db.prepare('DELETE FROM parked WHERE model = ? AND build = ?').run(build.model, build.name);
    db.prepare('DELETE FROM builds WHERE number = ?').run(build.number);
  }

  function serve(model: string, name: string): boolean {
    const next = named(model, name);
    const others = [...(models.get(model)?.values() ?? [])].filter((build) => build !== next);
    const switched = !next.serving;
    db.transaction(() => {
      db.prepare('UPDATE builds SET serving = (number = ?) WHERE model = ?').run(next.number, model);
      others.forEach(erase);
    })();
    next.serving = true;
    models.set(model, new Map([[name, next]]));
    serving.set(model, next);
    return switched;
  }

  function drop(model: string, name: string): void {
    const build = find(model, name);
    if (!build) return;
    db.transaction(() => erase(build))();
    models.get(model)?.delete(name);
    if (serving.get(model) === build) serving.delete(model);
  }

  function remember(commits: readonly Commit[]): void {
    for (const { model, build: name, checkpoint } of commits) {
      const build = find(model, name);
      if (build && (build.checkpoint === null || checkpoint > build.checkpoint)) build.checkpoint = checkpoint;
    }
  }

  return { prepare, serving: (model) => serving.get(model) ?? null, find, named, serve, drop, remember };
}
