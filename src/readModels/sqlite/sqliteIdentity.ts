/** Which installation a file of read models belongs to. Opens it only for the moment of the call. */
import { existsSync, renameSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { IDENTITY_MARK, type ReadModelsIdentity, UNNAMED } from '../identity.ts';
import { isDamage, isNotedAsDamaged, openFile } from './sqliteFile.ts';

/** A damaged file is of no installation: it is moved aside when it is opened for use. @throws ReadModelError as `openSqliteReadModels` */
export function sqliteReadModelsIdentity(file: string, lockTimeoutMs = 1_000): ReadModelsIdentity {
  async function read(): Promise<string | null> {
    if (!existsSync(file) || statSync(file).size === 0 || isNotedAsDamaged(file)) return null;
    let db: Database.Database | undefined;
    try {
      db = openFile(file, lockTimeoutMs);
      const id = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck().get(IDENTITY_MARK);
      return id ?? (isFilled(db) ? UNNAMED : null);
    } catch (error) {
      if (isDamage(error)) return null;
      throw error;
    } finally {
      // Leaves nothing beside the file.
      db?.close();
    }
  }
  return {
    read,
    moveAside: async (id) => {
      if ((await read()) === id) renameSync(file, freeName(`${file}.${id}`));
    },
  };
}

function isFilled(db: Database.Database): boolean {
  const builds = db.prepare<[], number>('SELECT number FROM builds').pluck().all();
  return builds.some((number) => db.prepare(`SELECT 1 FROM documents_${number} WHERE deleted = 0 LIMIT 1`).get() !== undefined);
}

/** Nothing that was kept earlier is overwritten. */
function freeName(name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
