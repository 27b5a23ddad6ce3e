/** Large answers are kept in memory until the client has read them: how much of that one client, and all together, may cause. */
import type { ServerResponse } from 'node:http';
import { HttpError } from '../request/errors.ts';

const MIB = 1024 * 1024;
/** Smaller ones are limited by the number of requests. */
const LARGE = 64 * 1024;

export type LargeAnswers = {
  /** Call before an answer of that many characters is sent. `reader`: the user, or the address. @throws HttpError BUSY */
  begin(reader: string, chars: number, response: ServerResponse): void;
};

export function createLargeAnswers({ ofOne = 48 * MIB, ofAll = 256 * MIB } = {}): LargeAnswers {
  const unread = new Map<string, number>();
  let total = 0;

  function add(reader: string, bytes: number): void {
    const sum = (unread.get(reader) ?? 0) + bytes;
    if (sum > 0) unread.set(reader, sum);
    else unread.delete(reader);
    total += bytes;
  }

  return {
    begin(reader, chars, response) {
      // Of text that is not Latin, a character has two.
      const bytes = 2 * chars;
      if (bytes < LARGE || response.destroyed) return;
      const own = unread.get(reader) ?? 0;
      // Whoever reads none yet gets one, however large.
      if (own > 0 && (own + bytes > ofOne || total + bytes > ofAll)) throw busy();
      add(reader, bytes);
      response.once('close', () => add(reader, -bytes));
    },
  };
}

const busy = (): HttpError =>
  new HttpError('BUSY', 'Large answers are still on their way to you. Please read them first, and try again.', { headers: { 'Retry-After': '5' } });
