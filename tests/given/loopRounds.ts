/** How many rounds the event loop made while something ran: as often could anything else have had its turn. */
export async function roundsDuring(work: () => Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return rounds;
}

/** A read takes longer than a loop may go on without letting others in, however fast the machine is, ms. */
const READ_MS = 8;

/** The store, slow enough for every page that is read from it to use up a slice of time. */
export function slowly<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'read' && name !== 'readAll') return value.bind(target);
      return (...given: readonly unknown[]) => {
        for (const until = performance.now() + READ_MS; performance.now() < until; );
        return value.apply(target, given);
      };
    },
  });
}
