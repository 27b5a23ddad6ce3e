/** Converts rows of the events table to the port's events. */
import type { RecordedEvent, RecordedText, ScannedEvent } from '../eventStore.ts';
import { toPosition } from '../positions.ts';

/** The columns of an event, in the order expected by `toEvent`. */
export const EVENT_COLUMNS = 'position, stream, revision, type, id, metadata, data';

export type EventRow = readonly [position: bigint, stream: string, revision: bigint, type: string, id: string, metadata: string, data: string];

export function toEvent(row: EventRow): RecordedEvent {
  return { id: row[4], type: row[3], ...parsed(row[6], row[5]), stream: row[1], revision: row[2], position: toPosition(row[0]) };
}

type Parsed = Pick<RecordedEvent, 'data' | 'metadata' | 'unreadable'>;

/** A damaged text must not keep readers from the events after it. */
function parsed(dataJson: string, metadataJson: string): Parsed {
  const data = objectIn(dataJson);
  const metadata = objectIn(metadataJson) as Parsed['metadata'] | null;
  return data && metadata ? { data, metadata } : { data: {}, metadata: {} as Parsed['metadata'], unreadable: 'it is no JSON object' };
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
  return { type: row[1], ...parsed(row[3], row[2]), position: toPosition(row[0]) };
}
