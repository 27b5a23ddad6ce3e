/** Cursors for lists that never change: the number of preceding rows. */
import { HttpError } from '../errors.ts';

export const writeOffset = (offset: number): string => Buffer.from(`from:${offset}`).toString('base64url');

/** @throws HttpError INVALID_CURSOR */
export function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const offset = /^from:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (offset === undefined) throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
  return Number(offset);
}

/** Only the named columns; all by default. */
export function columnsIn<Row extends object>(row: Row, columns: string | undefined): Partial<Row> {
  if (columns === undefined) return row;
  const wanted = new Set(columns.split(','));
  return Object.fromEntries(Object.entries(row).filter(([name]) => wanted.has(name))) as Partial<Row>;
}
