/** Positions as the port tells them, from the number that a store counts with. */
import { EventStoreError, type Position } from './eventStore.ts';

export function toPosition(position: bigint): Position {
  return position.toString().padStart(20, '0');
}

/** @throws EventStoreError INVALID_POSITION for what is not a position. */
export function fromPosition(position: Position): bigint {
  if (!/^\d{20}$/.test(position)) throw new EventStoreError('INVALID_POSITION', `${JSON.stringify(position)} is not a position of the log.`);
  return BigInt(position);
}
