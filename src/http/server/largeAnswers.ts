/**
 * Large answers, and the parts of downloads that were read ahead, are kept in memory until the client has read them: how
 * much of that one client, and all together, may cause.
 */
import type { ServerResponse } from 'node:http';
import { HttpError } from '../request/errors.ts';
import { createRoom } from './room.ts';

/** Smaller ones are limited by the number of requests. */
const LARGE = 64 * 1024;

export type LargeAnswers = {
  /**
   * Call before an answer of that many characters is sent. `reader`: the user, or the address.
   * @throws HttpError BUSY
   */
  begin(reader: string, chars: number, response: ServerResponse): void;
};

export function createLargeAnswers(limits?: Parameters<typeof createRoom>[0]): LargeAnswers {
  const room = createRoom({ ...limits, firstAlways: true });
  return {
    begin(reader, chars, response) {
      // Of text that is not Latin, a character has two.
      const bytes = 2 * chars;
      if (bytes >= LARGE && room.hold(reader, bytes, response) !== 'held') throw busy();
    },
  };
}

const busy = (): HttpError =>
  new HttpError('BUSY', 'Large answers are still on their way to you. Please read them first, and try again.', {
    headers: { 'Retry-After': '5' },
  });
