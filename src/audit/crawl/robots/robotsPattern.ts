/** Path patterns of robots.txt: `*` for anything, `$` for the end. Matching takes time linear in path and pattern, whatever they hold. */

export type Pattern = {
  /** The literal piece before the first star. */
  readonly first: string;
  /** The literal pieces after each star; empty when there is none. */
  readonly rest: readonly string[];
  /** Ends with `$`. */
  readonly anchored: boolean;
};

/** `escaped` as `escapePattern` gives it. */
export function compilePattern(escaped: string): Pattern {
  const anchored = escaped.endsWith('$');
  const [first = '', ...rest] = (anchored ? escaped.slice(0, -1) : escaped).split(/\*+/);
  // A star at the end takes whatever follows, as a pattern without one does.
  if (rest.at(-1) === '') return { first, rest: rest.slice(0, -1), anchored: false };
  return { first, rest, anchored };
}

/** `/a/index.htm…` also stands for its directory: the pattern that matches `/a/` alone; null for every other one. */
export function directoryPattern(escaped: string): string | null {
  const slash = escaped.lastIndexOf('/');
  return slash >= 0 && escaped.startsWith('/index.htm', slash) ? `${escaped.slice(0, slash + 1)}$` : null;
}

const encoder = new TextEncoder();

/** Escapes in capitals, octets outside ASCII escaped; no escape is undone. What comes out is as long as its octets. */
export function escapePattern(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is meant
  return capitalEscapes(text).replace(/[^\u0000-\u007f]+/g, (characters) => Array.from(encoder.encode(characters), escapedOctet).join(''));
}

export function escapedOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}

export function capitalEscapes(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

/** Path, parameters and query of an address as written; '/' when there is none. */
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

/** Where a path, its parameters or a query begins; the length of the text when none does. */
function indexOfAny(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '/' || text[at] === '?' || text[at] === ';') return at;
  return text.length;
}

export function patternMatches({ first, rest, anchored }: Pattern, path: string): boolean {
  if (!path.startsWith(first)) return false;
  if (rest.length === 0) return !anchored || path.length === first.length;
  let at = first.length;
  // The leftmost place of each piece leaves the most room for the next.
  for (const [index, piece] of rest.entries()) {
    if (anchored && index === rest.length - 1) return path.length - piece.length >= at && path.endsWith(piece);
    const found = findFrom(path, piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return true;
}

/** From this length on the built-in search may take quadratic time on hostile input. */
const LONG_PIECE = 32;

function findFrom(text: string, piece: string, from: number): number {
  return piece.length < LONG_PIECE ? text.indexOf(piece, from) : findLong(text, piece, from);
}

/** Knuth, Morris and Pratt: never looks at a character of the text twice. */
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
