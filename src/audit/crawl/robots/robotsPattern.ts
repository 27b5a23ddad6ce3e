/**
 * Path patterns of robots.txt: `*` matches anything, `$` the end. Matching is linear in path and pattern for any input.
 */

/** `search`: of a long text, made when it is first sought. */
type Piece = { readonly text: string; search: Search | null };

/** Characters, and where the search goes on after a mismatch at each of them. */
type Search = { readonly codes: Uint16Array; readonly fallback: Uint16Array };

export type Pattern = {
  /** The literal text before the first star. */
  readonly first: string;
  /** The literal text after each star; empty if there is no star. */
  readonly rest: readonly Piece[];
  /** Ends with `$`. */
  readonly anchored: boolean;
};

/** `escaped` must come from `escapePattern`. */
export function compilePattern(escaped: string): Pattern {
  const anchored = escaped.endsWith('$');
  // Most of the thousands that a file may have.
  if (!anchored && !escaped.includes('*')) return { first: escaped, rest: [], anchored };
  const [first = '', ...rest] = (anchored ? escaped.slice(0, -1) : escaped).split(/\*+/);
  // A trailing star changes nothing: patterns match prefixes anyway.
  const pieces = rest.map((text): Piece => ({ text, search: null }));
  if (rest.at(-1) === '') return { first, rest: pieces.slice(0, -1), anchored: false };
  return { first, rest: pieces, anchored };
}

/**
 * `/a/index.htm…` also covers its directory: returns the pattern that matches exactly `/a/`; null for other patterns.
 */
export function directoryPattern(escaped: string): string | null {
  const slash = escaped.lastIndexOf('/');
  return slash >= 0 && escaped.startsWith('/index.htm', slash) ? `${escaped.slice(0, slash + 1)}$` : null;
}

const encoder = new TextEncoder();

/** Upper-cases escapes and escapes non-ASCII octets; decodes nothing. The result's length is its length in octets. */
export function escapePattern(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is meant
  return capitalEscapes(text).replace(/[^\u0000-\u007f]+/g, (characters) =>
    Array.from(encoder.encode(characters), escapedOctet).join(''),
  );
}

export function escapedOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}

export function capitalEscapes(text: string): string {
  // Those that are not, since serialized addresses may consist of thousands that are.
  return text.replace(/%(?:[a-f][0-9a-fA-F]|[0-9A-F][a-f])/g, (octet) => octet.toUpperCase());
}

/** Path, parameters and query as written in the URL; '/' if there are none. */
export function pathOf(url: string): string {
  const from = url.startsWith('//') ? 2 : 0;
  const early = indexOfAny(url, from);
  const scheme = url.indexOf('://', from);
  const start = indexOfAny(url, scheme >= 0 && scheme < early ? scheme + 3 : from);
  if (start === url.length) return '/';
  const fragment = url.indexOf('#', from);
  if (fragment >= 0 && fragment < start) return '/';
  const path = url.slice(start, fragment < 0 ? url.length : fragment);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Index where a path, parameters or a query start; the text's length if none do. */
function indexOfAny(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '/' || text[at] === '?' || text[at] === ';') return at;
  return text.length;
}

/**
 * Octets of a path that stars reach into; neither RFC 9309 nor Google names a limit, and longer addresses are in no
 * sitemap. Literal rules, and the end after a star, are compared with the whole path.
 */
export const STAR_REACH = 2048;

/** `reached`: the characters of the path that stars reach into, from `reachedBy`. */
export function patternMatches({ first, rest, anchored }: Pattern, path: string, reached: Uint16Array): boolean {
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !anchored || path.length === first.length;
  let at = first.length;
  // Leftmost matches leave the most room for the next piece.
  for (const [index, piece] of rest.entries()) {
    const { text } = piece;
    if (anchored && index === rest.length - 1) return path.length - text.length >= at && path.endsWith(text);
    const found = findFrom(path, reached, piece, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return true;
}

export function reachedBy(path: string): Uint16Array {
  return codesOf(path.slice(0, STAR_REACH));
}

/** From this length on, the built-in search may take far longer on hostile input than its length suggests. */
const LONG_PIECE = 8;

function findFrom(path: string, reached: Uint16Array, piece: Piece, from: number): number {
  const { length } = piece.text;
  if (length > reached.length - from) return -1;
  if (length < LONG_PIECE) {
    const found = path.indexOf(piece.text, from);
    return found + length > reached.length ? -1 : found;
  }
  piece.search ??= searchFor(piece.text);
  return findLong(reached, piece.search, from);
}

/** Knuth-Morris-Pratt: reads each character of the path once. */
function findLong(path: Uint16Array, { codes, fallback }: Search, from: number): number {
  let matched = 0;
  for (let index = from; index < path.length; index++) {
    const code = path[index];
    while (matched > 0 && code !== codes[matched]) matched = fallback[matched - 1] ?? 0;
    if (code === codes[matched]) matched++;
    if (matched === codes.length) return index - matched + 1;
  }
  return -1;
}

function searchFor(piece: string): Search {
  const codes = codesOf(piece);
  const fallback = new Uint16Array(piece.length);
  let length = 0;
  for (let index = 1; index < codes.length; index++) {
    while (length > 0 && codes[index] !== codes[length]) length = fallback[length - 1] ?? 0;
    if (codes[index] === codes[length]) length++;
    fallback[index] = length;
  }
  return { codes, fallback };
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let index = 0; index < text.length; index++) codes[index] = text.charCodeAt(index);
  return codes;
}
