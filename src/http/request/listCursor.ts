/**
 * Cursors of lists that are put together here: a place in one list, bound to that list, since in another one it would
 * skip the wrong rows.
 */
import { createHash } from 'node:crypto';
import { HttpError } from './errors.ts';

/** Its name, then what its rows and their order depend on: filter and sort, and whose it is. */
export type CursorList = readonly [
  name: string,
  ...on: readonly (string | boolean | Readonly<Record<string, string | undefined>>)[],
];

export const writeCursor = (list: CursorList, place: string): string =>
  Buffer.from(`${list[0]}:${sealOf(list)}:${place}`).toString('base64url');

/** Undefined without a cursor. @throws HttpError INVALID_CURSOR */
export function readCursor(list: CursorList, cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const head = `${list[0]}:${sealOf(list)}:`;
  if (!text.startsWith(head)) throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
  return text.slice(head.length);
}

const sealOf = (list: CursorList): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 16);
