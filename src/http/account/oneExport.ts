/** A user's exports are sent one at a time: several at once are read no sooner, and hold others up. */
const UNDER_WAY = new WeakMap<object, Set<string>>();

/**
 * Null while an earlier one of the same user is read. It ends with the last chunk, or when nobody takes any more.
 * `owner`: of what is read, such as the process's read models.
 */
export function oneAtATime<T>(
  owner: object,
  userId: string,
  signal: AbortSignal,
  read: () => AsyncGenerator<T>,
): AsyncIterable<T> | null {
  const underWay = UNDER_WAY.get(owner) ?? new Set<string>();
  UNDER_WAY.set(owner, underWay);
  if (signal.aborted || underWay.has(userId)) return null;
  underWay.add(userId);
  let isOver = false;
  const end = (): void => {
    if (!isOver) underWay.delete(userId);
    isOver = true;
    signal.removeEventListener('abort', end);
  };
  signal.addEventListener('abort', end);
  const chunks = read();
  // Not a generator: one that never began would not notice that nobody wants it.
  const iterator: AsyncIterator<T> = {
    next: async () => {
      try {
        const result = await chunks.next();
        if (result.done) end();
        return result;
      } catch (error) {
        end();
        throw error;
      }
    },
    return: async () => {
      end();
      return chunks.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
