/** A binary heap: smallest element first. */
export type Heap<T> = {
  readonly push: (value: T) => void;
  readonly pop: () => T | undefined;
  readonly peek: () => T | undefined;
};

export function createHeap<T>(isBefore: (a: T, b: T) => boolean): Heap<T> {
  const values: T[] = [];
  const before = (a: number, b: number): boolean => isBefore(values[a] as T, values[b] as T);
  const swap = (a: number, b: number): void => {
    [values[a], values[b]] = [values[b] as T, values[a] as T];
  };
  const rise = (from: number): void => {
    for (let at = from; at > 0 && before(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
  };
  const sink = (): void => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= values.length) return;
      const least = left + 1 < values.length && before(left + 1, left) ? left + 1 : left;
      if (!before(least, at)) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    push: (value) => {
      values.push(value);
      rise(values.length - 1);
    },
    pop: () => {
      const least = values[0];
      const last = values.pop();
      if (values.length > 0 && last !== undefined) {
        values[0] = last;
        sink();
      }
      return least;
    },
    peek: () => values[0],
  };
}
