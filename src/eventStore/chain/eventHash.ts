import { hash } from 'node:crypto';
import type { NewEvent, RecordedEvent } from '../eventStore.ts';
import type { SerialisedEvent } from '../newEvents.ts';

export type Hashed = Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'data' | 'metadata'>;

/**
 * The hash by which the next event of a stream names its predecessor: SHA-256 (base64url) of the JSON text, in UTF-8,
 * of the array
 *
 *     [id, type, stream, data, metadata]
 *
 * with the id in lower case, and data and metadata as stored, before any upcast, with their fields in the order
 * written. `metadata` contains the hash of the preceding event, so one hash covers the whole stream up to there.
 * Neither revision nor position is included: the chain defines the order, and a copy of the log in another store has
 * its own numbers.
 */
export function hashOf({ id, type, stream, data, metadata }: Hashed): string {
  return hash('sha256', JSON.stringify([id.toLowerCase(), type, stream, data, metadata]), 'base64url');
}

/** The same for an event whose data and metadata are already JSON text. Its id is a UUID, which needs no escaping. */
export function hashOfText({ id, type, dataJson, metadataJson }: SerialisedEvent, stream: string): string {
  return hash(
    'sha256',
    `["${id.toLowerCase()}",${JSON.stringify(type)},${JSON.stringify(stream)},${dataJson},${metadataJson}]`,
    'base64url',
  );
}

/** Without the hash that an event of another stream brings along. */
export function unlinked(event: NewEvent): NewEvent {
  if (event.metadata.previousHash === undefined) return event;
  const { id, type, data } = event;
  const { previousHash: _, ...metadata } = event.metadata;
  return { id, type, data, metadata };
}
