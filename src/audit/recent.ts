/** Answers about the last things that were asked about. Pure, but stateful. */

/**
 * The same function, which keeps its answers about the last `most` things (up to twice as many) as long as these exist:
 * several checks in a row ask about one page, and all answers about thousands of pages would not fit into memory.
 */
export function keepingRecent<K extends object, V>(answer: (of: K) => V, most = 64): (of: K) => V {
  let [recent, before] = [new WeakMap<K, V>(), new WeakMap<K, V>()];
  let count = 0;
  return (of) => {
    const known = recent.get(of);
    if (known !== undefined) return known;
    const value = before.get(of) ?? answer(of);
    if (count >= most) {
      [recent, before] = [new WeakMap(), recent];
      count = 0;
    }
    recent.set(of, value);
    count += 1;
    return value;
  };
}
