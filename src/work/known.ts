/**
 * What the read models say as of a log position, for those who act on what is missing: 'none' must not be mistaken for
 * 'not known yet' or 'not any more'.
 */
import type { ListOwned } from '../commands/account/accountParts.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { ReadModels } from '../readModels/readModels.ts';
import { NotYet } from './follower.ts';

/**
 * What `read` returns once the read models have reached that position; null if they have not, or may have been deleted
 * while it read.
 */
export type ReadAsOf = <T>(position: Position, read: () => Promise<T>) => Promise<{ readonly answer: T } | null>;

export function readAsOf(
  readModels: Pick<ReadModels, 'readAsOf'>,
  models: readonly string[],
  timeoutMs: number,
): ReadAsOf {
  return (position, read) => readModels.readAsOf(models, position, timeoutMs, read);
}

/** @throws NotYet saying that `what` is not known yet */
export async function known<T>(asOf: ReadAsOf, position: Position, what: string, read: () => Promise<T>): Promise<T> {
  const found = await asOf(position, read);
  if (found === null) throw new NotYet(`Not known yet: ${what}.`);
  return found.answer;
}

/** What a user has, as of that position: each list is complete before its first name is used. @throws NotYet */
export function ownedAsOf(asOf: ReadAsOf, position: Position, owned: ListOwned): ListOwned {
  return async function* (model, ...of) {
    yield* await known(asOf, position, `what a user has in ${model}`, () => gathered(owned(model, ...of)));
  };
}

/** Reads everything before any item is processed, since processing may change the list being read. */
export async function gathered<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const read: T[] = [];
  for await (const item of items) read.push(item);
  return read;
}
