/** Path patterns of robots.txt: `*` for anything, `$` for the end. Matching takes time linear in path and pattern, whatever they hold. */

export type Pattern = {
  /** Octets of the pattern with its escapes: the longer one of two matching rules decides. */
  readonly length: number;
  /** The literal pieces between stars. */
  readonly pieces: readonly string[];
  /** Ends with `$`. */
  readonly anchored: boolean;
  /** The directory that an index.htm(l) stands for; null otherwise. */
  readonly directory: string | null;
};

export function compilePattern(text: string): Pattern {
  const escaped = escapePattern(text);
  const anchored = escaped.endsWith('$');
  const slash = escaped.lastIndexOf('/');
  return {
    length: escaped.length,
    pieces: (anchored ? escaped.slice(0, -1) : escaped).split(/\*+/),
    anchored,
    directory: slash >= 0 && escaped.startsWith('/index.htm', slash) ? escaped.slice(0, slash + 1) : null,
  };
}

const encoder = new TextEncoder();

/** Escapes in capitals; octets outside ASCII escaped. */
function escapePattern(text: string): string {
  const capital = text.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is meant
  return capital.replace(/[^\u0000-\u007f]+/g, (characters) =>
    Array.from(encoder.encode(characters), (octet) => `%${octet.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

/** Path and query of an address, '/' when there is none. The address is expected in its serialised form: nothing outside ASCII. */
export function pathToMatch(url: string): string {
  const afterScheme = url.replace(/^[a-z][a-z0-9+.-]*:(?=\/\/)/i, '').replace(/^\/\//, '');
  const withoutFragment = afterScheme.split('#', 1)[0] ?? '';
  const start = withoutFragment.search(/[/?;]/);
  if (start < 0) return '/';
  const path = withoutFragment.slice(start).replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
  return path.startsWith('/') ? path : `/${path}`;
}

export function patternMatches(pattern: Pattern, path: string): boolean {
  const { pieces, anchored } = pattern;
  const first = pieces[0] ?? '';
  if (!path.startsWith(first)) return false;
  const last = pieces.length - 1;
  if (last === 0) return !anchored || path.length === first.length;
  let at = first.length;
  // The leftmost place of each piece leaves the most room for the next.
  for (let index = 1; index <= last; index++) {
    const piece = pieces[index] ?? '';
    if (anchored && index === last) return path.length - piece.length >= at && path.endsWith(piece);
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

/** Knuth, Morris and Pratt: never looks at a character of the text twice from further back. */
function findLong(text: string, piece: string, from: number): number {
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
