/** Presence in the file of the embedded read models, one row each. */
import type Database from 'better-sqlite3';
import type { Presence, Seen } from '../presence.ts';

/** Runs a call while the file is open. */
type Open = <T>(work: () => T) => Promise<T>;

export function createSqlitePresence(db: Database.Database, open: Open, openWrite: Open): Presence {
  const note = db.prepare<[string, string, string, string]>(
    'INSERT OR REPLACE INTO presence (kind, id, at, value) VALUES (?, ?, ?, ?)',
  );
  const get = db.prepare<[string, string], Seen>('SELECT id, at, value FROM presence WHERE kind = ? AND id = ?');
  const list = db.prepare<[string, string, number], Seen>(
    'SELECT id, at, value FROM presence WHERE kind = ? AND at >= ? ORDER BY at DESC, id LIMIT ?',
  );
  const count = db
    .prepare<[string, string], number>('SELECT count(*) FROM presence WHERE kind = ? AND at >= ?')
    .pluck();
  const remove = db.prepare<[string, string]>('DELETE FROM presence WHERE kind = ? AND id = ?');
  const forget = db.prepare<[string, string]>('DELETE FROM presence WHERE kind = ? AND at < ?');
  return {
    note: (kind, { id, at, value }) => openWrite(() => void note.run(kind, id, at, value)),
    get: (kind, id) => open(() => get.get(kind, id) ?? null),
    list: (kind, { since, limit }) => open(() => list.all(kind, since, limit)),
    count: (kind, since) => open(() => count.get(kind, since) ?? 0),
    remove: (kind, id) => openWrite(() => void remove.run(kind, id)),
    forget: (kind, before) => openWrite(() => void forget.run(kind, before)),
  };
}
