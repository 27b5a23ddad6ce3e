/** The raw limit of an event log on SQLite: one table, the same pragmas, nothing else. */
import Database from 'better-sqlite3';
import type { NewEvent } from '../../src/eventStore/eventStore.ts';

export type RawLog = {
  /** One durable transaction each, with the check of the stream's revision. */
  appendOne(stream: string, event: NewEvent): void;
  /** One durable transaction for all, each with its check. */
  appendGroup(writes: readonly { readonly stream: string; readonly event: NewEvent }[]): void;
  /** Pages of 500 in order, data and metadata parsed; returns how many. */
  replay(): number;
  close(): void;
};

export function openRawLog(file: string): RawLog {
  const db = new Database(file);
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('secure_delete = ON');
  db.exec(`CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, metadata TEXT NOT NULL, data TEXT NOT NULL
  ) STRICT; CREATE UNIQUE INDEX IF NOT EXISTS by_stream ON events (stream, revision)`);
  const last = db
    .prepare<[string], number>('SELECT revision FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
    .pluck();
  const insert = db.prepare(
    'INSERT INTO events (stream, revision, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const page = db
    .prepare<
      [number],
      [position: number, stream: string, revision: number, id: string, type: string, metadata: string, data: string]
    >(
      'SELECT position, stream, revision, id, type, metadata, data FROM events WHERE position > ? ORDER BY position LIMIT 500',
    )
    .raw();
  const write = (stream: string, event: NewEvent) =>
    insert.run(
      stream,
      (last.get(stream) ?? -1) + 1,
      event.id,
      event.type,
      JSON.stringify(event.metadata),
      JSON.stringify(event.data),
    );
  const one = db.transaction(write).immediate;
  const group = db.transaction((writes: readonly { readonly stream: string; readonly event: NewEvent }[]) => {
    for (const { stream, event } of writes) write(stream, event);
  }).immediate;
  return {
    appendOne: one,
    appendGroup: group,
    replay() {
      let after = 0;
      let read = 0;
      for (;;) {
        const rows = page.all(after);
        if (rows.length === 0) return read;
        for (const [position, stream, revision, id, type, metadata, data] of rows) {
          const event = {
            position,
            stream,
            revision,
            id,
            type,
            metadata: JSON.parse(metadata),
            data: JSON.parse(data),
          };
          read += event.id === '' ? 0 : 1;
        }
        after = rows.at(-1)?.[0] ?? after;
      }
    },
    close: () => db.close(),
  };
}
