/** Cursors for lists that never change: the number of preceding rows. */
import { HttpError } from '../request/errors.ts';
import { type CursorList, readCursor, writeCursor } from '../request/listCursor.ts';

export const writeOffset = (list: CursorList, offset: number): string => writeCursor(list, String(offset));

/** @throws HttpError INVALID_CURSOR */
export function readOffset(list: CursorList, cursor: string | undefined): number {
  const offset = readCursor(list, cursor) ?? '0';
  if (!/^\d{1,9}$/.test(offset)) throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
  return Number(offset);
}

/** Only the named columns; all by default. */
export function columnsIn<Row extends object>(row: Row, columns: string | undefined): Partial<Row> {
  if (columns === undefined) return row;
  const wanted = new Set(columns.split(','));
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name))) as Partial<Row>;
}
