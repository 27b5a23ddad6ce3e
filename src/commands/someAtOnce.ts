/** Enough to share a write of the store: thousands of sequential writes take minutes. */
export const AT_ONCE = 20;

/** Runs the work for all items, a few at a time, in order. */
export async function someAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  atOnce = AT_ONCE,
): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) await Promise.all(items.slice(from, from + atOnce).map(work));
}
