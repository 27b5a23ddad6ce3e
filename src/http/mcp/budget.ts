/**
 * Keeps answers within what a language model can take: clients refuse larger ones as a whole. Tokens are estimated from
 * characters, as a rule twice of what they are, since a tokenizer would cost more time and memory than the answer.
 */
import { HttpError } from '../request/errors.ts';

/** Of one answer, in estimated tokens. */
export const TOKENS = { short: 2_000, full: 10_000 } as const;
export type Detail = keyof typeof TOKENS;

/** `before`: the code of the character before. Words are few tokens, ids are many. Halves of pairs count as one each. */
const perCharacter = (code: number, before: number): number => {
  if (isLower(code)) return isLower(before) || isUpper(before) || before === SPACE ? 0.45 : 0.9;
  if (code === SPACE) return 0.45;
  if (code < 0x80) return 0.9;
  if (code < 0x300) return 1;
  // Marks that are combined with the letter before.
  if (code < 0x370) return 2;
  if (code < 0x530) return 0.8;
  if (code < 0x700) return 0.9;
  if (code >= 0x3040 && code < 0x3100) return 1;
  if (code >= 0x3400 && code < 0xa000) return 2;
  if (code >= 0xac00 && code < 0xd7b0) return 1.5;
  if (code >= 0xd800 && code < 0xe000) return 2;
  return 3;
};
const SPACE = 0x20;
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
/** The first half of a pair. */
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;

/** More than what a text takes, in practice. */
export function tokensOf(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) tokens += perCharacter(text.charCodeAt(at), text.charCodeAt(at - 1));
  return Math.ceil(tokens);
}

const tokensOfValue = (value: unknown): number => tokensOf(JSON.stringify(value) ?? '');

/** The beginning of a text, in so many estimated tokens. */
export function clip(text: string, most = 100): string {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    tokens += perCharacter(text.charCodeAt(at), text.charCodeAt(at - 1));
    if (tokens > most) return `${text.slice(0, isHigh(text.charCodeAt(at - 1)) ? at - 1 : at)}…`;
  }
  return text;
}

/** Where a list goes on: in which part that a route sends at once, and after how many rows of it. */
export type Place = { readonly skip: number; readonly cursor: string | undefined };

/** @throws HttpError INVALID_CURSOR */
export function readPlace(text: string | undefined): Place {
  if (text === undefined) return { skip: 0, cursor: undefined };
  const [, skip, cursor] = /^(\d{1,6})~(.*)$/s.exec(text) ?? [];
  if (skip === undefined) throw new HttpError('INVALID_CURSOR', 'The cursor is not one of this list.');
  return { skip: Number(skip), cursor: cursor || undefined };
}

const writePlace = ({ skip, cursor }: Place): string => `${skip}~${cursor ?? ''}`;

type Rows = {
  /** The name of the list in the answer. */
  readonly name: string;
  readonly rows: readonly object[];
  readonly place: Place;
  /** Where the route goes on after these rows. */
  readonly next: string | null;
  readonly detail: Detail;
  /** How to ask for less. */
  readonly narrow: string;
};

/** What says that there is more, and how to get it, has its own room. */
const ROOM = 120;

/** An answer with as many rows of a list as there is room for, and where it goes on. */
export function withRows(head: object, { name, rows, place, next, detail, narrow }: Rows): object {
  const left = rows.slice(place.skip);
  let room = TOKENS[detail] - tokensOfValue(head) - ROOM;
  let shown = 0;
  while (shown < left.length) {
    room -= tokensOfValue(left[shown]) + 1;
    // A list that shows nothing could not go on.
    if (room < 0 && shown > 0) break;
    shown += 1;
  }
  const goesOn =
    shown < left.length
      ? writePlace({ skip: place.skip + shown, cursor: place.cursor })
      : next === null
        ? null
        : writePlace({ skip: 0, cursor: next });
  return {
    ...head,
    [name]: left.slice(0, shown),
    ...(goesOn === null
      ? { truncated: false }
      : { truncated: true, next_cursor: goesOn, narrow: `Pass next_cursor as cursor for more. ${narrow}` }),
  };
}

/** An answer with the beginnings of several lists: all get their first rows before any gets its last. */
export function withLists(
  head: object,
  lists: Readonly<Record<string, readonly unknown[]>>,
  { detail, narrow }: { readonly detail: Detail; readonly narrow: string },
): object {
  const shown: Record<string, unknown[]> = Object.fromEntries(Object.keys(lists).map((name) => [name, []]));
  let room = TOKENS[detail] - tokensOfValue(head) - ROOM;
  let open = Object.entries(lists);
  for (let nth = 0; open.length > 0; nth += 1) {
    open = open.filter(([name, rows]) => {
      if (nth >= rows.length) return false;
      room -= tokensOfValue(rows[nth]) + 1;
      if (room >= 0) shown[name]?.push(rows[nth]);
      return room >= 0;
    });
  }
  const leftOut = Object.fromEntries(
    Object.entries(lists)
      .map(([name, rows]) => [name, rows.length - (shown[name]?.length ?? 0)] as const)
      .filter(([, number]) => number > 0),
  );
  const truncated = Object.keys(leftOut).length > 0;
  return { ...head, ...shown, truncated, ...(truncated ? { left_out: leftOut, narrow } : {}) };
}
