/** The shared checkpoint in SQLite: one row with the builds it speaks for. Memory mirrors it. */
import type Database from 'better-sqlite3';
import { lastOf, laterOf } from '../positions.ts';
import { type Position, ReadModelError, type SharedCheckpoint } from '../readModels.ts';
import { START } from '../writes.ts';
import type { Build } from './sqliteBuild.ts';

type Row = { readonly builds: string; readonly position: Position; readonly lastEvent: string | null };
type Shared = { readonly numbers: ReadonlySet<number>; readonly position: Position; readonly lastEvent: string | null };

export type SqliteShared = {
  /** Call for each build as it is opened: it may be further than its own row says. */
  applyTo(build: Build): void;
  /** Whether it speaks for exactly these. */
  speaksFor(builds: readonly Build[]): boolean;
  /** Within a transaction that writes the builds' own checkpoints. */
  share(builds: readonly Build[]): void;
  /** Within the transaction that takes the build out of use. */
  leave(build: Build): void;
  /** Within the commit's transaction. */
  advance(checkpoint: Omit<SharedCheckpoint, 'builds'>): void;
  /** Reads it again, after a transaction that ended or was rolled back. */
  refresh(): void;
  has(build: Build): boolean;
};

const NONE: Shared = { numbers: new Set(), position: START, lastEvent: null };

/** @throws ReadModelError READ_MODELS_DAMAGED */
function numbersIn(text: string): readonly number[] {
  let numbers: unknown;
  try {
    numbers = JSON.parse(text);
  } catch {
    // Told below, like anything else that is no list of numbers.
  }
  if (Array.isArray(numbers) && numbers.every(Number.isInteger)) return numbers;
  throw new ReadModelError('READ_MODELS_DAMAGED', 'The shared checkpoint of the read models is damaged.');
}

export function createSqliteShared(db: Database.Database): SqliteShared {
  const read = db.prepare<[], Row>('SELECT builds, position, lastEvent FROM sharedCheckpoint');
  const save = db.prepare<[string, Position, string | null]>(
    'INSERT OR REPLACE INTO sharedCheckpoint (only, builds, position, lastEvent) VALUES (1, ?, ?, ?)',
  );
  const move = db.prepare<[Position, string | null]>(
    'UPDATE sharedCheckpoint SET position = ?, lastEvent = coalesce(?, lastEvent)',
  );
  let shared = load();

  function load(): Shared {
    const row = read.get();
    return row ? { ...row, numbers: new Set(numbersIn(row.builds)) } : NONE;
  }

  return {
    applyTo: (build) => {
      if (!shared.numbers.has(build.number)) return;
      build.checkpoint = laterOf(build.checkpoint, shared.position);
      build.lastEvent = laterOf(build.lastEvent, shared.lastEvent);
    },
    speaksFor: (builds) =>
      builds.length === shared.numbers.size && builds.every(({ number }) => shared.numbers.has(number)),
    share: (builds) => {
      const last = lastOf(builds);
      const numbers = builds.map(({ number }) => number);
      save.run(JSON.stringify(numbers), last?.checkpoint ?? START, last?.lastEvent ?? null);
    },
    leave: ({ number }) => {
      if (!shared.numbers.has(number)) return;
      const numbers = [...shared.numbers].filter((other) => other !== number);
      save.run(JSON.stringify(numbers), shared.position, shared.lastEvent);
    },
    advance: ({ position, lastEvent }) => {
      if (position > shared.position) move.run(position, lastEvent ?? null);
    },
    refresh: () => {
      shared = load();
    },
    has: ({ number }) => shared.numbers.has(number),
  };
}
