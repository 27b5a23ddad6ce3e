/** Parked records in SQLite: which documents are frozen, since when and why. */
import type Database from 'better-sqlite3';
import type { ParkedRecord } from '../readModels.ts';
import type { Build } from './sqliteBuild.ts';

export type ParkedRecords = {
  put(build: Build, record: ParkedRecord): void;
  remove(build: Build, documentId: string): void;
  list(model?: string): readonly ParkedRecord[];
};

export function createParkedRecords(db: Database.Database): ParkedRecords {
  const columns = 'model, build, documentId, position, eventType, error, parkedAt';
  const put = db.prepare(`INSERT OR REPLACE INTO parked (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const remove = db.prepare('DELETE FROM parked WHERE model = ? AND build = ? AND documentId = ?');
  const list = db.prepare(
    `SELECT ${columns} FROM parked WHERE @model IS NULL OR model = @model ORDER BY position, model, build, documentId`,
  );
  return {
    put: (build, record) =>
      put.run(
        build.model,
        build.name,
        record.documentId,
        record.position,
        record.eventType,
        record.error,
        record.parkedAt,
      ),
    remove: (build, documentId) => remove.run(build.model, build.name, documentId),
    list: (model) => list.all({ model: model ?? null }) as ParkedRecord[],
  };
}
