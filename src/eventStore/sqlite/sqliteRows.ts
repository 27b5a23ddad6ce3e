/** Converts rows of the events table to the port's events. */
import type { RecordedEvent } from '../eventStore.ts';
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
