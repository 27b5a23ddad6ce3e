/** A claim as MongoDB keeps it: its keys, the lane's place that it takes, and which of an item's documents counts. */
import type { Claim, Claimed, ClaimNotes } from '../../claims.ts';

export type ClaimRecord = Claim & {
  /** `kind/item/opening/number`: one document for each holding. */
  readonly _id: string;
  /** `kind/item`. */
  readonly item: string;
  /** In hand: the place that it takes, `held/kind/lane/n`. Else a value of its own: no two documents have the same. */
  readonly slot: string;
  /** Which attempt to take the item made this document. */
  readonly insertion: string;
};

/** Digits of a number in a key: they sort as numbers. */
const NUMBER_DIGITS = 16;

const encoded = (...names: readonly string[]): string => names.map(encodeURIComponent).join('/');

export const itemKey = (kind: string, itemId: string): string => encoded(kind, itemId);

export function idOf({ kind, itemId, opening, number }: Claimed & Pick<Claim, 'number'>): string {
  return `${encoded(kind, itemId, opening)}/${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Keys that begin with these names; names that only begin alike are left out. `after`: those behind this key. */
export function keysIn(prefix: string, after = `${prefix}/`): { readonly $gt: string; readonly $lt: string } {
  // What comes after a slash.
  return { $gt: after, $lt: `${prefix}0` };
}

export const kindKeys = (kind: string, after?: string) => keysIn(encoded(kind), after === undefined ? undefined : itemKey(kind, after));

/** The places taken: all of them, of a kind, or of a lane. */
export const placesTaken = (...names: readonly string[]) => keysIn(['held', ...names.map(encodeURIComponent)].join('/'));

export const placeOf = ({ kind, lane }: Claimed, number: number): string => `held/${encoded(kind, lane)}/${number}`;

export const noPlace = (claim: Claimed & Pick<Claim, 'number'>): string => `free/${idOf(claim)}`;

/** A place of the lane that is not among those taken; null when it is full. */
export function freePlace(item: Claimed, laneLimit: number, taken: readonly Pick<ClaimRecord, 'slot'>[]): string | null {
  if (taken.length >= laneLimit) return null;
  const known = new Set(taken.map(({ slot }) => slot));
  return Array.from({ length: laneLimit }, (_, number) => placeOf(item, number)).find((place) => !known.has(place)) ?? null;
}

/** What is in hand counts before what is not; the rest by the order of their holdings. */
export function newestOf(records: readonly ClaimRecord[]): ClaimRecord | null {
  const rank = ({ holder, _id }: ClaimRecord): string => `${holder === null ? 0 : 1}${_id}`;
  return records.reduce<ClaimRecord | null>((best, record) => (best && rank(best) > rank(record) ? best : record), null);
}

export function newestOfEach(records: readonly ClaimRecord[]): readonly Claim[] {
  const newest = new Map<string, ClaimRecord>();
  for (const record of records) newest.set(record.item, newestOf([newest.get(record.item) ?? record, record]) ?? record);
  return [...newest.values()].map(asClaim);
}

export function asClaim(record: ClaimRecord): Claim {
  const { kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished } = record;
  return { kind, itemId, opening, lane, number, attempts, vanishings, steps, failure, notBefore, settledAt, holder, vanished };
}

const NOTES = ['attempts', 'vanishings', 'steps', 'failure', 'notBefore', 'settledAt'] as const satisfies readonly (keyof ClaimNotes)[];

/** The notes that are named, and nothing else. */
export function notesOf(notes: Partial<ClaimNotes>): Partial<ClaimNotes> {
  return Object.fromEntries(NOTES.filter((name) => notes[name] !== undefined).map((name) => [name, notes[name]]));
}
