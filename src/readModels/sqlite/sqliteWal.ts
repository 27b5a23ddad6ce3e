/**
 * The size of the write-ahead file. SQLite empties it by itself only while the database can grow and nobody reads an
 * older state; otherwise it would take the last space of the disk, which the log needs more. What cannot be written
 * meanwhile is projected again later.
 */
import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { ReadModelError } from '../readModels.ts';

/** The file is never larger than this, or than the database beside it if that is larger. */
export const WAL_BYTES = 8 * 1024 * 1024;
/** It is emptied from this share of its limit on: what is left is room for one transaction. */
const EMPTY_FROM = 0.5;
/** Emptying an even larger file takes too long at a time. */
const MOST_BEFORE_EMPTYING = 16 * 1024 * 1024;
const PAGE = 4096;
/** A document changes a page of its table and of each index, and those that lead to them. */
const PAGES_OF_A_DOCUMENT = 10;
/** Documents written in one transaction, estimated. */
const TRANSACTION_BYTES = 2 * 1024 * 1024;
/** After emptying has failed, ms. */
const AGAIN_MS = 1_000;

export type WalGuard = {
  /**
   * Call before a transaction.
   * @throws ReadModelError READ_MODELS_UNAVAILABLE when the file is at its limit and cannot be emptied
   */
  makeRoom(): void;
  /** Call before a transaction that may change every page of a table. @throws as `makeRoom` */
  makeAllRoom(): void;
};

/** `file`: of the database; null in memory. */
export function createWalGuard(
  db: Pick<Database.Database, 'pragma'>,
  file: string | null,
  now: () => number = () => performance.now(),
): WalGuard {
  if (file === null) return { makeRoom: () => undefined, makeAllRoom: () => undefined };
  const wal = `${file}-wal`;
  let failedAt = Number.NEGATIVE_INFINITY;

  function empty(): void {
    if (now() - failedAt < AGAIN_MS) return;
    try {
      db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // A full disk, or a lock: what that means is seen in the size.
    }
    failedAt = sizeOf(wal) > 0 ? now() : Number.NEGATIVE_INFINITY;
  }

  function makeRoom(most: number): void {
    const size = sizeOf(wal);
    if (size <= most) return;
    const limit = Math.max(WAL_BYTES, sizeOf(file ?? ''));
    if (most > 0 && size <= Math.min(limit * EMPTY_FROM, MOST_BEFORE_EMPTYING)) return;
    empty();
    if (sizeOf(wal) <= limit * EMPTY_FROM) return;
    throw new ReadModelError(
      'READ_MODELS_UNAVAILABLE',
      `The write-ahead file ${wal} is at its limit and cannot be emptied: the disk is full, or a program reads the file. Nothing is lost; it continues by itself.`,
    );
  }
  return { makeRoom: () => makeRoom(WAL_BYTES * EMPTY_FROM), makeAllRoom: () => makeRoom(0) };
}

/** Groups whose transactions stay small; each has at least one. */
export function inTransactions<Write extends { readonly json: string | null }>(
  writes: readonly Write[],
): readonly (readonly Write[])[] {
  const groups: Write[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const write of writes) {
    const more = (write.json?.length ?? 0) + PAGES_OF_A_DOCUMENT * PAGE;
    if (bytes + more > TRANSACTION_BYTES) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(write);
    bytes += more;
  }
  return groups;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
