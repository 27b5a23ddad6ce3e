/** Leases in memory with a manual clock: each step can be delayed on its way to the store and back, or refused. */
import type { LeaseRecord, Leases } from '../../../src/readModels/leases.ts';

export type MemoryLeases = Leases & {
  /** The store is unavailable: every step fails. */
  fail(isUnavailable: boolean): void;
  /** As someone would on the store's console. */
  removeByHand(name: string): void;
};

/** `onTheWay` is awaited before and after each step reaches the store. */
export function memoryLeases(onTheWay: () => Promise<void> = async () => undefined): MemoryLeases {
  const records = new Map<string, LeaseRecord>();
  let unavailable = false;
  async function step<T>(change: () => T): Promise<T> {
    await onTheWay();
    if (unavailable) throw new Error('The store is away.');
    const result = change();
    await onTheWay();
    return result;
  }
  const isHeld = (held: LeaseRecord): boolean => {
    const stored = records.get(held.name);
    return stored?.owner === held.owner && stored.token === held.token;
  };
  return {
    read: (name) => step(() => records.get(name) ?? null),
    acquire: ({ name, owner, seen, tokenAbove }) =>
      step(() => {
        const stored = records.get(name) ?? null;
        if (stored && (!seen || !isHeld(seen) || stored.beat !== seen.beat)) return null;
        if (!stored && seen) return null;
        const taken = { name, owner, token: Math.max(seen?.token ?? 0, tokenAbove) + 1, beat: (seen?.beat ?? 0) + 1 };
        records.set(name, taken);
        return taken;
      }),
    renew: (held) =>
      step(() => {
        const stored = records.get(held.name);
        if (!stored || !isHeld(held)) return false;
        records.set(held.name, { ...stored, beat: stored.beat + 1 });
        return true;
      }),
    release: (held) =>
      step(() => {
        const stored = records.get(held.name);
        if (stored && isHeld(held)) records.set(held.name, { ...stored, owner: null });
      }),
    list: (prefix) => step(() => [...records.values()].filter(({ name }) => name.startsWith(prefix))),
    remove: (seen) =>
      step(() => {
        const stored = records.get(seen.name);
        if (stored && isHeld(seen) && stored.beat === seen.beat) records.delete(seen.name);
      }),
    fail(isUnavailable) {
      unavailable = isUnavailable;
    },
    removeByHand: (name) => void records.delete(name),
  };
}
