/**
 * Node 24.19 and later 24.x abort the process when an object of this driver is finalized by a garbage collection that
 * runs between two turns of JavaScript (https://github.com odejs ode/issues/65446). An object that is never collected
 * is never finalized: on those versions databases and statements are kept for the life of the process. The stores
 * prepare a fixed set of statements, so the total stays small.
 */
import type Database from 'better-sqlite3';

type Native = { prepare(this: Native, ...input: readonly unknown[]): object };

const kept = new Set<object>();
let guarded = false;

/** Whether this Node version aborts. */
export function abortsOnFinalizers(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 24 && minor >= 19;
}

/** Applies to every database of the process from the first call on, including those opened by others. */
export function keepFromFinalizers(db: Database.Database, version: string = process.versions.node): void {
  if (guarded || !abortsOnFinalizers(version)) return;
  // The driver's own handle, under an unexported symbol: all statements go through its prepare, pragmas and
  // transactions included.
  const handles = Object.getOwnPropertySymbols(db).map((symbol) => (db as unknown as Record<symbol, unknown>)[symbol]);
  const native = handles.find(
    (value): value is Native => typeof (value as Partial<Native> | null)?.prepare === 'function',
  );
  if (!native)
    throw new Error('The SQLite driver has changed: its statements cannot be kept from a fault of this Node version.');
  const shared = Object.getPrototypeOf(native) as Native;
  const { prepare } = shared;
  shared.prepare = function (...input) {
    const statement = prepare.apply(this, [...input]);
    kept.add(this).add(statement);
    return statement;
  };
  kept.add(native);
  guarded = true;
}
