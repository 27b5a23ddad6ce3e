/**
 * The coordination ports: who works on what (claims), and how far background work has come (marks). Both are stored
 * next to the read models but belong to no build: they survive a rebuild. Losing them costs repeated work but loses
 * none: pending work is in the log. Adapters: `sqliteClaims.ts` (one process), `mongoClaims.ts` (many). Contract
 * suites: `tests/contract/claims.ts`, `tests/contract/marks.ts`.
 */
import type { Position } from './readModels.ts';

/** A work item with the event that opened it. Reopened, it starts fresh. */
export type Claimed = {
  readonly kind: string;
  readonly itemId: string;
  /** Position of the event that (re)opened the item. */
  readonly opening: Position;
  /** Work is shared fairly among lanes (users). */
  readonly lane: string;
};

/** State kept about an item's attempts, as long as its opening stays the same. */
export type ClaimNotes = {
  /** Failed attempts. */
  readonly attempts: number;
  /**
   * Holders that vanished since the last step of the item's stream ended; one less, so possibly -1, while its holder
   * has not begun.
   */
  readonly vanishings: number;
  /** Finished steps in the item's stream at the last check. */
  readonly steps: number;
  /** Message of the last failed attempt, without personal data. */
  readonly failure: string | null;
  /** UTC ISO; null: immediately. */
  readonly notBefore: string | null;
  /** Position of the outcome: the item cannot be claimed until the list of items has passed it. */
  readonly settledAt: Position | null;
};

export type Claim = Claimed &
  ClaimNotes & {
    /** Numbers the holdings of this opening, from 1. */
    readonly number: number;
    /** Null if not held. */
    readonly holder: string | null;
    /** Its last holder neither settled nor released it. */
    readonly vanished: boolean;
  };

export const NOTHING_NOTED: ClaimNotes = {
  attempts: 0,
  vanishings: 0,
  steps: 0,
  failure: null,
  notBefore: null,
  settledAt: null,
};

export type Claims = {
  /** The newest claim on each of these items, whatever its opening; items never claimed are omitted. */
  read(kind: string, itemIds: readonly string[]): Promise<readonly Claim[]>;
  /**
   * Claims the item for `holder`, provided its newest claim is still `seen` (null: none, or one of another opening) and
   * not held. Notes, including `vanished`, carry over from a claim of the same opening; a new opening starts with
   * `NOTHING_NOTED`. `taken`: another holder was faster. `lane_full`: the lane has `laneLimit` holdings of this kind,
   * counted across all processes.
   */
  take(request: {
    readonly item: Claimed;
    readonly seen: Claim | null;
    readonly holder: string;
    readonly laneLimit: number;
    /** The lane's holdings, as far as known: a hint that saves a query. */
    readonly running?: number;
  }): Promise<Claim | 'taken' | 'lane_full'>;
  /** Changes the notes of a held claim and clears `vanished`. False if this holding no longer owns it. */
  note(claim: Claim, notes: Partial<ClaimNotes>): Promise<boolean>;
  /** Releases the claim with these notes: not held, not vanished. False if this holding no longer owns it. */
  letGo(claim: Claim, notes: Partial<ClaimNotes>): Promise<boolean>;
  /** Holdings per lane, across all processes. */
  running(kind: string): Promise<ReadonlyMap<string, number>>;
  /** Everyone who holds a claim. */
  holders(): Promise<readonly string[]>;
  /** The holder is gone: releases its claims and marks them as vanished. Returns how many there were. */
  vacate(holder: string): Promise<number>;
  /** Removes claims settled at or before a position that the list of items has passed. */
  forgetSettled(kind: string, upTo: Position): Promise<number>;
  /** A page of all claims, ordered by item, `after` the last one of the previous page. */
  list(query: { readonly kind: string; readonly after?: string; readonly limit: number }): Promise<readonly Claim[]>;
  /** Removes claims that are not held, such as those whose items are gone. */
  remove(kind: string, itemIds: readonly string[]): Promise<void>;
};

/** Small named values: follower positions and sweep state. */
export type Marks = {
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
  /** Writes it unless there is a value already; returns the one that is there then, the same for everybody. */
  writeFirst(name: string, value: string): Promise<string>;
  remove(name: string): Promise<void>;
};
