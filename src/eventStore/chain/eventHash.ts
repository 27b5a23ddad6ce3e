import { hash } from 'node:crypto';
import type { RecordedEvent } from '../eventStore.ts';
import type { SerialisedEvent } from '../newEvents.ts';

export type Hashed = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'data' | 'metadata'>;

/**
 * The hash by which the next event of its stream names an event: SHA-256 (base64url) of the JSON text, in UTF-8, of the array
 *
 *     [id, type, stream, data, metadata]
 *
 * with the id in lower case, and data and metadata as they are stored, before any upcast, their fields in the order in which they were written. `metadata` has
 * the hash of the event before it, so one hash stands for all of the stream up to there. Neither revision nor position is in it: the chain says which comes
 * after which, and a copy of the log in another store has numbers of its own.
 */
export function hashOf({ id, type, stream, data, metadata }: Hashed): string {
  return hash('sha256', JSON.stringify([id.toLowerCase(), type, stream, data, metadata]), 'base64url');
}

/** The same of an event whose data and metadata are JSON text already. */
export function hashOfText({ id, type, data, metadata }: SerialisedEvent, stream: string): string {
  const names = `${JSON.stringify(id.toLowerCase())},${JSON.stringify(type)},${JSON.stringify(stream)}`;
  return hash('sha256', `[${names},${data},${metadata}]`, 'base64url');
}
