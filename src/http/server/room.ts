/** Memory that clients may have the server hold: so much for each of them, and so much for all together. */
import type { ServerResponse } from 'node:http';

const MIB = 1024 * 1024;

/** `full_for_holder`: there is no more room for this one; `full`: for anyone. */
export type Held = 'held' | 'full_for_holder' | 'full';

export type Room = {
  /** Holds that many bytes for `holder`, a user or an address, until the response is closed. */
  hold(holder: string, bytes: number, response: ServerResponse): Held;
};

type Limits = {
  readonly ofOne?: number;
  readonly ofAll?: number;
  /** Up to this, there is always room: the number of requests is limited elsewhere. */
  readonly small?: number;
  /**
   * Whoever holds nothing yet gets room for one, however large. For what only known users can cause: addresses can be
   * had in any number.
   */
  readonly firstAlways?: boolean;
};

export function createRoom({ ofOne = 48 * MIB, ofAll = 256 * MIB, small = 0, firstAlways = false }: Limits = {}): Room {
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
      if (response.destroyed || bytes === 0) return 'held';
      const own = held.get(holder) ?? 0;
      if (bytes > small && !(firstAlways && own === 0)) {
        if (own + bytes > ofOne) return 'full_for_holder';
        if (total + bytes > ofAll) return 'full';
      }
      add(holder, bytes);
      response.once('close', () => add(holder, -bytes));
      return 'held';
    },
  };
}
