/** So many share a write of the store: one after the other, thousands take minutes. */
export const AT_ONCE = 20;

/** Does the work for all, some at once, in their order. */
export async function someAtOnce<T>(items: readonly T[], work: (item: T) => Promise<unknown>, atOnce = AT_ONCE): Promise<void> {
  for (let from = 0; from < items.length; from += atOnce) await Promise.all(items.slice(from, from + atOnce).map(work));
}
