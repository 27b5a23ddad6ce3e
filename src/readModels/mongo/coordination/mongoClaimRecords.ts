/** A claim as MongoDB stores it: its keys, its slot in the lane, and which of an item's documents counts. */
import type { Claim, Claimed, ClaimNotes } from '../../claims.ts';

export type ClaimRecord = Claim & {
  /** `kind/item/opening/number`: one document for each holding. */
  readonly _id: string;
  /** `kind/item`. */
  readonly item: string;
  /**
   * Held: the slot it occupies, `held/kind/lane/number`. Otherwise a unique value, since no two documents may share
   * one.
   */
  readonly slot: string;
  /** Which attempt to claim the item created this document. */
  readonly insertion: string;
};

/** Digits of a number in a key, so that keys sort numerically. */
const NUMBER_DIGITS = 16;

const encoded = (...names: readonly string[]): string => names.map(encodeURIComponent).join('/');

export const itemKey = (kind: string, itemId: string): string => encoded(kind, itemId);

export function idOf({ kind, itemId, opening, number }: Claimed & Pick<Claim, 'number'>): string {
  return `${encoded(kind, itemId, opening)}/${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Keys under these names; names that merely share a prefix are excluded. `after`: only keys after this one. */
export function keysIn(prefix: string, after = `${prefix}/`): { readonly $gt: string; readonly $lt: string } {
  // 0 is the character after the slash.
  return { $gt: after, $lt: `${prefix}0` };
}

export const kindKeys = (kind: string, after?: string) =>
  keysIn(encoded(kind), after === undefined ? undefined : itemKey(kind, after));

/** The occupied slots: all of them, of a kind, or of a lane. */
export const placesTaken = (...names: readonly string[]) =>
  keysIn(['held', ...names.map(encodeURIComponent)].join('/'));

export const placeOf = ({ kind, lane }: Claimed, number: number): string => `held/${encoded(kind, lane)}/${number}`;

export const noPlace = (claim: Claimed & Pick<Claim, 'number'>): string => `free/${idOf(claim)}`;

/** A free slot in the lane; null if it is full. */
export function freePlace(
  item: Claimed,
  laneLimit: number,
  taken: readonly Pick<ClaimRecord, 'slot'>[],
): string | null {
  if (taken.length >= laneLimit) return null;
  const known = new Set(taken.map(({ slot }) => slot));
  return (
    Array.from({ length: laneLimit }, (_, number) => placeOf(item, number)).find((place) => !known.has(place)) ?? null
  );
}

/** A held record outranks one that is not; otherwise the latest holding counts. */
export function newestOf(records: readonly ClaimRecord[]): ClaimRecord | null {
  const rank = ({ holder, _id }: ClaimRecord): string => `${holder === null ? 0 : 1}${_id}`;
  return records.reduce<ClaimRecord | null>(
    (best, record) => (best && rank(best) > rank(record) ? best : record),
    null,
  );
}

export function newestOfEach(records: readonly ClaimRecord[]): readonly Claim[] {
  const newest = new Map<string, ClaimRecord>();
  for (const record of records)
    newest.set(record.item, newestOf([newest.get(record.item) ?? record, record]) ?? record);
  return [...newest.values()].map(asClaim);
}

export function asClaim(record: ClaimRecord): Claim {
  const {
    kind,
    itemId,
    opening,
    lane,
    number,
    attempts,
    vanishings,
    steps,
    failure,
    notBefore,
    settledAt,
    holder,
    vanished,
  } = record;
  return {
    kind,
    itemId,
    opening,
    lane,
    number,
    attempts,
    vanishings,
    steps,
    failure,
    notBefore,
    settledAt,
    holder,
    vanished,
  };
}

const NOTES = [
  'attempts',
  'vanishings',
  'steps',
  'failure',
  'notBefore',
  'settledAt',
] as const satisfies readonly (keyof ClaimNotes)[];

/** Only the notes that are given. */
export function notesOf(notes: Partial<ClaimNotes>): Partial<ClaimNotes> {
  return Object.fromEntries(NOTES.filter((name) => notes[name] !== undefined).map((name) => [name, notes[name]]));
}
