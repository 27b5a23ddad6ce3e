/** Notifying several listeners of one change: an error in one of them is its own, and the others are still called. */

/** Calls `call` with every item. Errors go to the console. */
export function callEach<Item>(items: Iterable<Item>, call: (item: Item) => void): void {
  for (const item of [...items]) {
    try {
      call(item);
    } catch (error) {
      console.error(error);
    }
  }
}

/** `listener` for a caller that would skip the listeners after one that throws. */
export const isolated =
  (listener: () => void): (() => void) =>
  () =>
    callEach([listener], (call) => call());
