/** Converts rows of the events table to the port's events. */
import type { RecordedEvent, RecordedText, ScannedEvent } from '../eventStore.ts';
import { toPosition } from '../positions.ts';

/** The columns of an event, in the order expected by `toEvent`. */
export const EVENT_COLUMNS = 'position, stream, revision, type, id, metadata, data';

export type EventRow = readonly [
  position: bigint,
  stream: string,
  revision: bigint,
  type: string,
  id: string,
  metadata: string,
  data: string,
];

export function toEvent(row: EventRow): RecordedEvent {
  // All fields at once: every read comes through here, and an object that others are copied into is made more slowly.
  return marked({
    id: row[4],
    type: row[3],
    data: objectIn(row[6]),
    metadata: objectIn(row[5]),
    stream: row[1],
    revision: row[2],
    position: toPosition(row[0]),
  });
}

type Parsed = { readonly data: object | null; readonly metadata: object | null };
type Marked = Pick<RecordedEvent, 'data' | 'metadata' | 'unreadable'>;

/** A damaged text must not keep readers from the events after it. Metadata that can be read say when and by whom. */
function marked<Event extends Parsed>(event: Event): Omit<Event, keyof Marked> & Marked {
  if (event.data !== null && event.metadata !== null) return event as Event & Marked;
  return {
    ...event,
    data: {},
    metadata: (event.metadata ?? {}) as Marked['metadata'],
    unreadable: 'it is not a JSON object',
  };
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

export function toText([position, stream, revision, type, id, metadataJson, dataJson]: EventRow): RecordedText {
  return { id, type, stream, revision, position: toPosition(position), dataJson, metadataJson };
}

/** The columns of a scanned event, in the order expected by `toScanned`. */
export const SCANNED_COLUMNS = 'position, type, metadata, data';

export type ScannedRow = readonly [position: bigint, type: string, metadata: string, data: string];

export function toScanned(row: ScannedRow): ScannedEvent {
  return marked({ type: row[1], data: objectIn(row[3]), metadata: objectIn(row[2]), position: toPosition(row[0]) });
}
