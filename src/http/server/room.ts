/** Memory that clients may have the server hold: so much for each of them, and so much for all together. */
import type { ServerResponse } from 'node:http';

const MIB = 1024 * 1024;

export type Room = {
  /** Holds that many bytes for `holder`, a user or an address, until the response is closed. @returns false: there is no room for them */
  hold(holder: string, bytes: number, response: ServerResponse): boolean;
};

/** Whoever holds nothing yet always gets room, so that others cannot take all of it. */
export function createRoom({ ofOne = 48 * MIB, ofAll = 256 * MIB } = {}): Room {
  const held = new Map<string, number>();
  let total = 0;

  function add(holder: string, bytes: number): void {
    const sum = (held.get(holder) ?? 0) + bytes;
    if (sum > 0) held.set(holder, sum);
    else held.delete(holder);
    total += bytes;
  }

  return {
    hold(holder, bytes, response) {
      if (response.destroyed || bytes === 0) return true;
      const own = held.get(holder) ?? 0;
      if (own > 0 && (own + bytes > ofOne || total + bytes > ofAll)) return false;
      add(holder, bytes);
      response.once('close', () => add(holder, -bytes));
      return true;
    },
  };
}
