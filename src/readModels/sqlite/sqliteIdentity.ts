/** Which installation a file of read models belongs to. Opens it only for the moment of the call. */
import { existsSync, renameSync, statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import {
  ACCOUNTS_AT_EACH_END,
  ACCOUNTS_MODEL,
  IDENTITY_MARK,
  type KnownAccount,
  type ReadModelsIdentity,
  UNNAMED,
} from '../identity.ts';
import { isDamage, isNotedAsDamaged, openFile } from './sqliteFile.ts';

/**
 * A damaged file is of no installation: it is moved aside when it is opened for use.
 * @throws ReadModelError as `openSqliteReadModels`
 */
export function sqliteReadModelsIdentity(file: string, lockTimeoutMs = 1_000): ReadModelsIdentity {
  /** Null if there is nothing to ask. */
  async function ask<T>(question: (db: Database.Database) => T): Promise<T | null> {
    if (!existsSync(file) || statSync(file).size === 0 || isNotedAsDamaged(file)) return null;
    let db: Database.Database | undefined;
    try {
      db = openFile(file, lockTimeoutMs);
      return question(db);
    } catch (error) {
      if (isDamage(error)) return null;
      throw error;
    } finally {
      // Leaves nothing beside the file.
      db?.close();
    }
  }
  const read = (): Promise<string | null> =>
    ask((db) => {
      const id = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck().get(IDENTITY_MARK);
      return id ?? (isFilled(db) ? UNNAMED : null);
    });
  return {
    read,
    accounts: async () => (await ask(accountsIn)) ?? [],
    moveAside: async (id) => {
      if ((await read()) === id) renameSync(file, freeName(`${file}.${id}`));
    },
  };
}

function isFilled(db: Database.Database): boolean {
  const builds = db.prepare<[], number>('SELECT number FROM builds').pluck().all();
  return builds.some(
    (number) => db.prepare(`SELECT 1 FROM documents_${number} WHERE deleted = 0 LIMIT 1`).get() !== undefined,
  );
}

function accountsIn(db: Database.Database): readonly KnownAccount[] {
  const number = db
    .prepare<[string], number>('SELECT number FROM builds WHERE model = ? AND serving = 1')
    .pluck()
    .get(ACCOUNTS_MODEL);
  if (number === undefined) return [];
  const createdAt = `json_extract(data, '$."createdAt"')`;
  return (['ASC', 'DESC'] as const).flatMap((order) =>
    db
      .prepare<[], KnownAccount>(
        `SELECT id AS userId, ${createdAt} AS createdAt FROM documents_${number} WHERE deleted = 0 AND json_valid(data)
         ORDER BY ${createdAt} ${order} LIMIT ${ACCOUNTS_AT_EACH_END}`,
      )
      .all(),
  );
}

/** Nothing that was kept earlier is overwritten. */
function freeName(name: string): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(candidate)) return candidate;
  }
}
