/**
 * An opaque position in one query's result: the sort values and id of the last document returned, bound to that query.
 */
import { createHash } from 'node:crypto';
import { type Query, ReadModelError, type Scalar } from './readModels.ts';

export type Place = { readonly values: readonly Scalar[]; readonly id: string };

const MAX_LENGTH = 8192;

export function writeCursor(model: string, query: Query, place: Place): string {
  const content = [...place.values, place.id];
  return Buffer.from(JSON.stringify([seal(model, query, content), ...content])).toString('base64url');
}

/** @throws ReadModelError INVALID_CURSOR when it was altered, or comes from another query */
export function readCursor(model: string, query: Query, sortFields: number): Place | null {
  const { cursor } = query;
  if (cursor === undefined) return null;
  if (typeof cursor !== 'string' || cursor.length > MAX_LENGTH) throw invalidCursor();
  const [given, ...content] = parse(cursor);
  const id = content.at(-1);
  if (content.length !== sortFields + 1 || typeof id !== 'string' || given !== seal(model, query, content))
    throw invalidCursor();
  return { values: content.slice(0, -1) as Scalar[], id };
}

function parse(cursor: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Not JSON: rejected below like any other invalid cursor.
  }
  throw invalidCursor();
}

function seal(model: string, query: Query, content: readonly unknown[]): string {
  const where = Object.entries(query.where ?? {}).sort(byName);
  const text = JSON.stringify([
    model,
    where.map(([field, condition]) => [field, inOrder(condition)]),
    query.sort ?? [],
    content,
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

function inOrder(condition: unknown): unknown {
  return typeof condition === 'object' && condition !== null ? Object.entries(condition).sort(byName) : condition;
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function invalidCursor(): ReadModelError {
  return new ReadModelError('INVALID_CURSOR', 'The cursor is not one of this query.');
}
