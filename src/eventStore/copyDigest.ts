/**
 * By what two logs are equal: the parts of their events that a copy keeps, as lines of text, and one hash over all of
 * them.
 */
import { createHash } from 'node:crypto';
import type { RecordedEvent, RecordedText } from './eventStore.ts';

/** Number of events, and SHA-256 (hex) over stream, id, type, data and metadata of all of them in order. */
export type LogDigest = { readonly events: number; readonly sha256: string };

/** Text hashed in one call: a call for each line takes longer than hashing it. */
const CHARACTERS = 64 * 1024;

export function newDigest() {
  const hash = createHash('sha256');
  let events = 0;
  let text = '';
  return {
    add(line: string): void {
      events += 1;
      text += `${line}\n`;
      if (text.length < CHARACTERS) return;
      hash.update(text);
      text = '';
    },
    events: () => events,
    end: (): LogDigest => ({ events, sha256: hash.update(text).digest('hex') }),
  };
}

export const textOf = ({ id, type, stream, revision, position, data, metadata }: RecordedEvent): RecordedText => ({
  id,
  type,
  stream,
  revision,
  position,
  dataJson: JSON.stringify(data),
  metadataJson: JSON.stringify(metadata),
});

/** The parts of an event that must be equal; its numbers are the store's own. */
export function lineOfTexts({
  stream,
  id,
  type,
  dataJson,
  metadataJson,
}: Omit<RecordedText, 'revision' | 'position'>): string {
  return `[${JSON.stringify([stream, id.toLowerCase(), type]).slice(1, -1)},${dataJson},${metadataJson}]`;
}
