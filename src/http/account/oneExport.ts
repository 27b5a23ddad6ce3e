/** A user's exports are sent one at a time: several at once are read no sooner, and hold others up. */
import { takeSlot, untilRead } from '../request/slots.ts';

/** Null while an earlier one of the same user is read. `owner`: of what is read, such as the process's read models. */
export function oneAtATime<T>(
  owner: object,
  userId: string,
  signal: AbortSignal,
  read: () => AsyncGenerator<T>,
): AsyncIterable<T> | null {
  const end = takeSlot(owner, userId, 1, signal);
  return end && untilRead(read(), end);
}
