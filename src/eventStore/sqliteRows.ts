/** Rows of the events table as the port's events. */
import { EventStoreError, type Position, type RecordedEvent } from './eventStore.ts';

/** The columns of an event, in the order that `toEvent` takes them. */
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

export function toPosition(position: bigint): Position {
  return position.toString().padStart(20, '0');
}

/** @throws EventStoreError INVALID_POSITION for what is not a position. */
export function fromPosition(position: Position): bigint {
  if (!/^\d{20}$/.test(position)) throw new EventStoreError('INVALID_POSITION', `${JSON.stringify(position)} is not a position of the log.`);
  return BigInt(position);
}
