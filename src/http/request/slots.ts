/** Long reads under way, by reader: how many one may have at once. */
const UNDER_WAY = new WeakMap<object, Map<string, number>>();

/**
 * Null while the reader has `most` of them; otherwise what ends this one, which may be called again. It also ends when
 * the client leaves. `owner`: of what is read, such as the process's read models.
 */
export function takeSlot(owner: object, reader: string, most: number, signal: AbortSignal): (() => void) | null {
  const underWay = UNDER_WAY.get(owner) ?? new Map<string, number>();
  UNDER_WAY.set(owner, underWay);
  const count = underWay.get(reader) ?? 0;
  if (signal.aborted || count >= most) return null;
  underWay.set(reader, count + 1);
  let isOver = false;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener('abort', end);
    const left = (underWay.get(reader) ?? 1) - 1;
    if (left === 0) underWay.delete(reader);
    else underWay.set(reader, left);
  };
  signal.addEventListener('abort', end);
  return end;
}

/** The chunks, and `end` with the last of them, when one fails, or when nobody takes any more. */
export function untilRead<T>(chunks: AsyncGenerator<T>, end: () => void): AsyncIterable<T> {
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
