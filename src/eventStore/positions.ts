/** Conversion between the port's positions and a store's numbers. */
import { EventStoreError, type Position } from './eventStore.ts';

export function toPosition(position: bigint): Position {
  return position.toString().padStart(20, '0');
}

/** Stores count in 63 bits. */
const LAST = 2n ** 63n - 1n;

/** @throws EventStoreError INVALID_POSITION for an invalid position. */
export function fromPosition(position: Position): bigint {
  const number = /^\d{20}$/.test(position) ? BigInt(position) : LAST + 1n;
  if (number > LAST)
    throw new EventStoreError('INVALID_POSITION', `${JSON.stringify(position)} is not a position of the log.`);
  return number;
}
