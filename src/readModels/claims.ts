/**
 * The ports of coordination: who works on what (claims), and how far what runs in the background has come (marks). Both are kept beside the read
 * models, and neither is part of a build: they survive a rebuild. Losing them costs repeated work, never work: what is pending stands in the log.
 * Adapters: `sqliteClaims.ts` (one process), `mongoClaims.ts` (many). Contract suites: `tests/contract/claims.ts`, `tests/contract/marks.ts`.
 */
import type { Position } from './readModels.ts';

/** An item of work with the event that opened it: opened again, it starts fresh. */
export type Claimed = {
  readonly kind: string;
  readonly itemId: string;
  /** Of the event that opened the item (again). */
  readonly opening: Position;
  /** Work is shared fairly among lanes (users). */
  readonly lane: string;
};

/** What is remembered of an item's tries, for as long as its opening is the same. */
export type ClaimNotes = {
  /** Tries that failed. */
  readonly attempts: number;
  /** Holders that vanished since the item's stream last had a step that ended; one less, so perhaps -1, while its holder has not begun. */
  readonly vanishings: number;
  /** Steps of the item's stream that had ended when it was last looked at. */
  readonly steps: number;
  /** What the last failed try said; without personal data. */
  readonly failure: string | null;
  /** UTC ISO; null: at once. */
  readonly notBefore: string | null;
  /** Position of the outcome: nobody takes the item until the list of items has passed it. */
  readonly settledAt: Position | null;
};

export type Claim = Claimed &
  ClaimNotes & {
    /** Counts the holdings of this opening, from 1. */
    readonly number: number;
    /** Null: nobody has it in hand. */
    readonly holder: string | null;
    /** Its last holder neither settled it nor gave it back. */
    readonly vanished: boolean;
  };

export const NOTHING_NOTED: ClaimNotes = { attempts: 0, vanishings: 0, steps: 0, failure: null, notBefore: null, settledAt: null };

export type Claims = {
  /** The newest claim on each of these items, of whatever opening; those that were never taken are left out. */
  read(kind: string, itemIds: readonly string[]): Promise<readonly Claim[]>;
  /**
   * Takes the item for `holder`, if its newest claim still is as `seen` (null: none, or one of another opening) and nobody holds it. The notes go over from a
   * claim of the same opening, `vanished` too; a new opening starts with `NOTHING_NOTED`.
   * `taken`: somebody was faster. `lane_full`: the lane has `laneLimit` holdings of this kind, counted over all processes.
   */
  take(request: {
    readonly item: Claimed;
    readonly seen: Claim | null;
    readonly holder: string;
    readonly laneLimit: number;
  }): Promise<Claim | 'taken' | 'lane_full'>;
  /** Changes the notes of a claim that is held; clears `vanished`. False when it is no longer this holding's. */
  note(claim: Claim, notes: Partial<ClaimNotes>): Promise<boolean>;
  /** Gives it back with these notes: nobody holds it, nobody vanished. False when it is no longer this holding's. */
  letGo(claim: Claim, notes: Partial<ClaimNotes>): Promise<boolean>;
  /** Holdings by lane, over all processes. */
  running(kind: string): Promise<ReadonlyMap<string, number>>;
  /** Everybody who holds something. */
  holders(): Promise<readonly string[]>;
  /** The holder is gone: what it held is free and marked as vanished. Answers how many claims that were. */
  vacate(holder: string): Promise<number>;
  /** Removes claims that were settled at or before a position that the list of items has passed. */
  forgetSettled(kind: string, upTo: Position): Promise<number>;
  /** A page of all claims in the order of their items, `after` the last one of the page before. */
  list(query: { readonly kind: string; readonly after?: string; readonly limit: number }): Promise<readonly Claim[]>;
  /** Removes claims that nobody holds, such as those whose items are gone. */
  remove(kind: string, itemIds: readonly string[]): Promise<void>;
};

/** Small values by name: positions of followers, what sweeps keep. */
export type Marks = {
  read(name: string): Promise<string | null>;
  write(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
};
