/**
 * The lease port: by a named lease, processes that share the stores agree which one of them does a piece of work. Adapter: `mongoLeases.ts`.
 * Contract suite: `tests/contract/leases.ts`. The store keeps no time: how long a lease lasts is measured by those who watch it, each by a
 * clock of its own (`src/start/leadership.ts`), so clocks that disagree or jump do no harm.
 */

/** A lease as the store has it. */
export type LeaseRecord = {
  readonly name: string;
  /** Who holds it; null: it was given back. */
  readonly owner: string | null;
  /** Greater than that of every holding before: orders the holdings. */
  readonly token: number;
  /** Counts up with each renewal: who sees it stand still knows that nobody renews. */
  readonly beat: number;
};

export type Leases = {
  /** Null when there is no such lease (yet, or any more). */
  read(name: string): Promise<LeaseRecord | null>;
  /**
   * Takes the lease for `owner` if it still is as `seen` (null: absent), with a token above that of `seen` and above `tokenAbove`. Null when
   * somebody was faster. A renewal in that very moment may go unnoticed: the owner must have given up by its own clock before. After an error it is unknown who holds it: `read` tells.
   */
  acquire(claim: {
    readonly name: string;
    readonly owner: string;
    readonly seen: LeaseRecord | null;
    readonly tokenAbove: number;
  }): Promise<LeaseRecord | null>;
  /** Renews the heartbeat. False when the lease is no longer `held` by this owner with this token; it will not be again. */
  renew(held: LeaseRecord): Promise<boolean>;
  /** Lets anybody take it at once. Does nothing when it is no longer `held`. */
  release(held: LeaseRecord): Promise<void>;
  /** Those whose name begins so. */
  list(prefix: string): Promise<readonly LeaseRecord[]>;
  /** Removes it if it still is as `seen`: for names that nobody takes again. Whoever holds it after all has lost it, as with any lease that vanished. */
  remove(seen: LeaseRecord): Promise<void>;
};
