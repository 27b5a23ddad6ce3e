/** Stable names that nobody can lead back without the key: the same value has the same one in every export that is made with it. */
import { createHmac } from 'node:crypto';

export type Pseudonyms = {
  readonly id: (id: string) => string;
  /** A host under the name that is never one: `site-….invalid`. */
  readonly host: (host: string) => string;
  /** Tells keys apart, and says nothing of them. */
  readonly fingerprint: string;
};

/** 128 bits, so that no two things share one. */
const LENGTH = 32;
/** Remembered, as most ids come again soon. */
const REMEMBERED = 20_000;

export function createPseudonyms(key: string): Pseudonyms {
  const hmac = (purpose: string, value: string): string => createHmac('sha256', key).update(`${purpose}:${value}`).digest('hex').slice(0, LENGTH);
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
