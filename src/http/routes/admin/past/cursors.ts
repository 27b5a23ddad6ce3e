/** Cursors of the past: places in the log, which may not be valid. */
import { EventStoreError } from '../../../../eventStore/eventStore.ts';
import { HttpError } from '../../../request/errors.ts';

export const POSITION = /^\d{20}$/;
export const REVISION = /^\d{1,15}$/;

/** @throws HttpError INVALID_CURSOR */
export function checked(cursor: string | undefined, shape: RegExp): string | undefined {
  if (cursor !== undefined && !shape.test(cursor))
    throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
  return cursor;
}

/** For reads that continue from a given position, which may not be valid. @throws HttpError INVALID_CURSOR */
export async function fromCursor<Found>(find: () => Promise<Found>): Promise<Found> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof EventStoreError && error.code === 'INVALID_POSITION')
      throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
    throw error;
  }
}
