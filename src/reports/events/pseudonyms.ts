/**
 * Stable pseudonyms that cannot be reversed without the key: a value gets the same one in every export made with that
 * key.
 */
import { createHmac } from 'node:crypto';

export type Pseudonyms = {
  readonly id: (id: string) => string;
  /** A host under a reserved name that never resolves: `site-….invalid`. */
  readonly host: (host: string) => string;
  /** Distinguishes keys without revealing anything about them. */
  readonly fingerprint: string;
};

/** 128 bits, to rule out collisions. */
const LENGTH = 32;
/** Cache size; most ids recur soon. */
const REMEMBERED = 20_000;

export function createPseudonyms(key: string): Pseudonyms {
  const hmac = (purpose: string, value: string): string =>
    createHmac('sha256', key).update(`${purpose}:${value}`).digest('hex').slice(0, LENGTH);
  const known = new Map<string, string>();
  return {
    id(id) {
      if (id === '') return '';
      const found = known.get(id);
      if (found !== undefined) return found;
      if (known.size >= REMEMBERED) known.clear();
      const pseudonym = hmac('id', id);
      known.set(id, pseudonym);
      return pseudonym;
    },
    host: (host) => (host === '' ? '' : `site-${hmac('host', host.toLowerCase())}.invalid`),
    fingerprint: hmac('export', 'fingerprint').slice(0, 8),
  };
}
