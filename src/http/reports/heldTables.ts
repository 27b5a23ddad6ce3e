/** Tables of audits as they were last read, so that the next page, sort, or filter of a list decodes nothing again. */

/** Of all tables of this process, in bytes. */
const MOST_BYTES = 40 * 1024 * 1024;

type Held = { readonly table: Promise<unknown>; bytes: number };

export type HeldTables = {
  /** `bytes`: about what the table takes. Those that were not used for longest go first. */
  get<T extends object>(key: string, make: () => Promise<T>, bytes: (table: T) => number): Promise<T>;
};

export function createHeldTables(mostBytes: number = MOST_BYTES): HeldTables {
  const held = new Map<string, Held>();
  let total = 0;

  function remove(key: string): void {
    total -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  }

  return {
    get<T extends object>(key: string, make: () => Promise<T>, bytes: (table: T) => number): Promise<T> {
      const known = held.get(key);
      if (known) {
        held.delete(key);
        held.set(key, known);
        return known.table as Promise<T>;
      }
      // Those who ask meanwhile wait for the same one.
      const table = make();
      const entry: Held = { table, bytes: 0 };
      held.set(key, entry);
      table.then(
        (made) => {
          if (held.get(key) !== entry) return;
          entry.bytes = bytes(made);
          total += entry.bytes;
          for (const oldest of held.keys()) {
            if (total <= mostBytes) break;
            remove(oldest);
          }
        },
        () => {
          if (held.get(key) === entry) held.delete(key);
        },
      );
      return table;
    },
  };
}

/** Of this process. */
export const heldTables = createHeldTables();
