/**
 * The lease port: processes that share the stores use a named lease to agree on which of them does a piece of work.
 * Adapter: `mongoLeases.ts`. Contract suite: `tests/contract/leases.ts`. The store keeps no time: lease duration is
 * measured by the processes watching it, each with its own clock (`leadership.ts`), so clocks that disagree or jump do
 * no harm.
 */

/** A lease as stored. */
export type LeaseRecord = {
  readonly name: string;
  /** The holder; null: released. */
  readonly owner: string | null;
  /** Greater than that of every earlier holding, so it orders them. */
  readonly token: number;
  /** Incremented on each renewal: a value that stands still means that the lease is not being renewed. */
  readonly beat: number;
};

export type Leases = {
  /** Null if there is no such lease (yet, or any longer). */
  read(name: string): Promise<LeaseRecord | null>;
  /**
   * Acquires the lease for `owner` if it is still as `seen` (null: absent), with a token above that of `seen` and above
   * `tokenAbove`. Null if another owner was faster. A concurrent renewal may go unnoticed: the owner must already have
   * given up by its own clock. After an error the holder is unknown: call `read`.
   */
  acquire(claim: {
    readonly name: string;
    readonly owner: string;
    readonly seen: LeaseRecord | null;
    readonly tokenAbove: number;
  }): Promise<LeaseRecord | null>;
  /** Renews the heartbeat. False if this owner no longer holds the lease with this token; it never will again. */
  renew(held: LeaseRecord): Promise<boolean>;
  /** Releases the lease so that it can be acquired immediately. Does nothing if it is no longer `held`. */
  release(held: LeaseRecord): Promise<void>;
  /** Leases whose name starts with `prefix`. */
  list(prefix: string): Promise<readonly LeaseRecord[]>;
  /**
   * Removes the lease if it is still as `seen`, for names that are never used again. If it was held after all, the
   * holder has lost it, as with any lease that vanished.
   */
  remove(seen: LeaseRecord): Promise<void>;
};
