/**
 * Path patterns of robots.txt: `*` matches anything, `$` the end. Matching is linear in path and pattern for any input.
 */

export type Pattern = {
  /** The literal text before the first star. */
  readonly first: string;
  /** The literal text after each star; empty if there is no star. */
  readonly rest: readonly string[];
  /** Ends with `$`. */
  readonly anchored: boolean;
};

/** `escaped` must come from `escapePattern`. */
export function compilePattern(escaped: string): Pattern {
  const anchored = escaped.endsWith('$');
  const [first = '', ...rest] = (anchored ? escaped.slice(0, -1) : escaped).split(/\*+/);
  // A trailing star changes nothing: patterns match prefixes anyway.
  if (rest.at(-1) === '') return { first, rest: rest.slice(0, -1), anchored: false };
  return { first, rest, anchored };
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
  return text.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
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

export function patternMatches({ first, rest, anchored }: Pattern, path: string): boolean {
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !anchored || path.length === first.length;
  let at = first.length;
  // Leftmost matches leave the most room for the next piece.
  for (const [index, piece] of rest.entries()) {
    if (anchored && index === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = findFrom(path, piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** From this length on, the built-in search may take quadratic time on hostile input. */
const LONG_PIECE = 32;

function findFrom(text: string, piece: string, from: number): number {
  return piece.length < LONG_PIECE ? text.indexOf(piece, from) : findLong(text, piece, from);
}

/** Knuth-Morris-Pratt: reads each character of the text once. */
function findLong(text: string, piece: string, from: number): number {
  if (piece.length > text.length - from) return -1;
  const fallback = fallbacks(piece);
  let matched = 0;
  for (let index = from; index < text.length; index++) {
    while (matched > 0 && text[index] !== piece[matched]) matched = fallback[matched - 1] ?? 0;
    if (text[index] === piece[matched]) matched++;
    if (matched === piece.length) return index - matched + 1;
  }
  return -1;
}

function fallbacks(piece: string): Uint32Array {
  const table = new Uint32Array(piece.length);
  let length = 0;
  for (let index = 1; index < piece.length; index++) {
    while (length > 0 && piece[index] !== piece[length]) length = table[length - 1] ?? 0;
    if (piece[index] === piece[length]) length++;
    table[index] = length;
  }
  return table;
}
