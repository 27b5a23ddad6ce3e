/** JSON from strangers: measured on its text, in one pass, before it is parsed. */

export type JsonLimits = {
  readonly depth: number;
  /** Of all objects together. */
  readonly keys: number;
  /** Elements of all lists, after the first of each. */
  readonly items: number;
  /** Half of a surrogate pair in a string is no fault. */
  readonly anyUnicode?: true;
};

/** Ample for every body: the largest is a batch of 100 addresses. */
export const JSON_LIMITS: JsonLimits = { depth: 32, keys: 1_000, items: 1_000 };

/** For a signed delivery, which is kept as it came: whoever signed it decides what it holds. */
const SIGNED_LIMITS: JsonLimits = {
  ...JSON_LIMITS,
  keys: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
  anyUnicode: true,
};

export type JsonFault = 'TOO_DEEP' | 'TOO_MANY_KEYS' | 'TOO_MANY_ITEMS' | 'MALFORMED_UNICODE';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const [LETTER_U, SPACE] = [0x75, 0x20];

/**
 * The first limit that the text exceeds, or half of a surrogate pair in one of its strings; null if there is none. Says
 * nothing about whether it is JSON.
 */
export function jsonFault(text: string, limits: JsonLimits = JSON_LIMITS): JsonFault | null {
  const lists: boolean[] = [];
  let [keys, items] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at, limits.anyUnicode === true);
      if (at < 0) return 'MALFORMED_UNICODE';
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (lists.push(code === OPEN_LIST) > limits.depth) return 'TOO_DEEP';
      // Of a list, each item but the first follows a comma.
      if (code === OPEN_LIST && !endsAfter(text, at)) items += 1;
      if (items > limits.items) return 'TOO_MANY_ITEMS';
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) lists.pop();
    else if (code === COLON) {
      keys += 1;
      if (keys > limits.keys) return 'TOO_MANY_KEYS';
    } else if (code === COMMA && lists.at(-1)) {
      items += 1;
      if (items > limits.items) return 'TOO_MANY_ITEMS';
    }
  }
  return null;
}

/** The same for the bytes of a signed delivery. All that counts is ASCII, so that they need no decoding. */
export const signedFault = (bytes: Buffer): JsonFault | null => jsonFault(bytes.toString('latin1'), SIGNED_LIMITS);

/** Whether the list that begins there is empty. */
function endsAfter(text: string, from: number): boolean {
  let at = from + 1;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return text.charCodeAt(at) === CLOSE_LIST;
}

/** Where the string that begins there ends; negative if it contains half of a surrogate pair. */
function stringEnd(text: string, from: number, anyUnicode: boolean): number {
  let at = from + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code !== BACKSLASH) at += 1;
    else if (anyUnicode || text.charCodeAt(at + 1) !== LETTER_U) at += 2;
    else {
      const unit = escapedUnit(text, at);
      const isHigh = unit >= 0xd800 && unit <= 0xdbff;
      const next = isHigh ? escapedUnit(text, at + 6) : 0;
      if (isHigh && (next < 0xdc00 || next > 0xdfff)) return -1;
      if (unit >= 0xdc00 && unit <= 0xdfff) return -1;
      at += isHigh ? 12 : 6;
    }
  }
  return text.length;
}

/** The code unit of `\uXXXX` at that place; 0 if there is none. */
function escapedUnit(text: string, at: number): number {
  if (text.charCodeAt(at) !== BACKSLASH || text.charCodeAt(at + 1) !== LETTER_U) return 0;
  const digits = text.slice(at + 2, at + 6);
  return /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0;
}
