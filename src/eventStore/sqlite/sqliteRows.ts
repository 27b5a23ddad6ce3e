/** Converts rows of the events table to the port's events. */
import type { RecordedEvent, RecordedText, ScannedEvent } from '../eventStore.ts';
import { toPosition } from '../positions.ts';

/** The columns of an event, in the order expected by `toEvent`. */
export const EVENT_COLUMNS = 'position, stream, revision, type, id, metadata, data';

export type EventRow = readonly [position: bigint, stream: string, revision: bigint, type: string, id: string, metadata: string, data: string];

export function toEvent(row: EventRow): RecordedEvent {
  return {
    id: row[4],
    type: row[3],
    data: JSON.parse(row[6]) as object,
    metadata: JSON.parse(row[5]) as RecordedEvent['metadata'],
    stream: row[1],
    revision: row[2],
    position: toPosition(row[0]),
  };
}

export function toText([position, stream, revision, type, id, metadataJson, dataJson]: EventRow): RecordedText {
  return { id, type, stream, revision, position: toPosition(position), dataJson, metadataJson };
}

/** The columns of a scanned event, in the order expected by `toScanned`. */
export const SCANNED_COLUMNS = 'position, type, metadata, data';

export type ScannedRow = readonly [position: bigint, type: string, metadata: string, data: string];

export function toScanned(row: ScannedRow): ScannedEvent {
  return { type: row[1], data: JSON.parse(row[3]) as object, metadata: JSON.parse(row[2]) as ScannedEvent['metadata'], position: toPosition(row[0]) };
}
