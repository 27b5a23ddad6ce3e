/** Snapshots in the file of the embedded read models, one row each. */
import type Database from 'better-sqlite3';
import { packed, unpacked } from '../packedState.ts';
import type { SnapshotHead, Snapshots } from '../snapshots.ts';

/** Runs a call while the file is open. */
type Open = <T>(work: () => T) => Promise<T>;

type Row = SnapshotHead & { readonly state: Buffer };

export const SNAPSHOT_SQL = {
  get: 'SELECT name, key, version, position, hash, state FROM snapshots WHERE name = ? AND key = ?',
  put: `INSERT INTO snapshots (name, key, version, position, hash, state) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (name, key) DO UPDATE SET version = excluded.version, position = excluded.position, hash = excluded.hash, state = excluded.state
    WHERE (excluded.version, excluded.position) > (snapshots.version, snapshots.position)`,
  remove: 'DELETE FROM snapshots WHERE name = ? AND key = ?',
  list: 'SELECT name, key, version, position, hash FROM snapshots WHERE (name, key) > (?, ?) ORDER BY name, key LIMIT ?',
} as const;

/** `erased`: called after a deletion, which must also be cleared from the write-ahead log. */
export function createSqliteSnapshots(
  db: Database.Database,
  open: Open,
  openWrite: Open,
  erased: () => void,
): Snapshots {
  const get = db.prepare<[string, string], Row>(SNAPSHOT_SQL.get);
  const put = db.prepare<[string, string, number, string, string, Buffer]>(SNAPSHOT_SQL.put);
  const remove = db.prepare<[string, string]>(SNAPSHOT_SQL.remove);
  const list = db.prepare<[string, string, number], SnapshotHead>(SNAPSHOT_SQL.list);
  return {
    read: async ({ name, key }) => {
      const row = await open(() => get.get(name, key));
      const state = row ? await unpacked(row.state) : null;
      return row && state !== null ? { ...row, state } : null;
    },
    write: async ({ name, key, version, position, hash, state }) => {
      const bytes = await packed(state);
      if (bytes === null) return 'too_large';
      return openWrite(() => (put.run(name, key, version, position, hash, bytes).changes > 0 ? 'written' : 'known'));
    },
    remove: ({ name, key }) =>
      openWrite(() => {
        if (remove.run(name, key).changes > 0) erased();
      }),
    list: ({ after, limit }) => open(() => list.all(after?.name ?? '', after?.key ?? '', limit)),
  };
}
