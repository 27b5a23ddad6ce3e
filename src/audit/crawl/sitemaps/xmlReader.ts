/**
 * Streaming XML reader that reports events without building a tree. It ignores entity declarations, so entities cannot
 * be expanded, and it never requests anything outside the document. Hand-written rather than saxes, which stops at a
 * bare &, the usual error in real sitemaps, and does not limit depth and length.
 */

export type XmlHandler = {
  /** `tag` is the text between the angle brackets. */
  readonly onOpen: (name: string, tag: string) => void;
  readonly onClose: (name: string) => void;
  /** Text with references unresolved; CDATA text is verbatim. */
  readonly onText: (text: string, verbatim: boolean) => void;
};

/** Longer tags and comments stop the reader. */
const MAX_TOKEN = 256 * 1024;
const MAX_DEPTH = 32;
const CDATA = '<![CDATA[';

/** Markup whose content is skipped. */
const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
];

export class XmlReader {
  /** Names of the open elements, outermost first. */
  readonly open: string[] = [];
  /** Why reading stopped; null while it continues. */
  fatal: string | null = null;
  /** Incomplete markup, kept for the next piece. */
  rest = '';
  /** What came since, in pieces. */
  #held: string[] = [];
  #heldLength = 0;
  readonly #handler: XmlHandler;

  constructor(handler: XmlHandler) {
    this.#handler = handler;
  }

  /** A tag that comes in tiny pieces is not read again with each: only once it is twice as long. */
  push(text: string): void {
    if (this.fatal) return;
    this.#held.push(text);
    this.#heldLength += text.length;
    if (this.#heldLength >= this.rest.length) this.end();
  }

  /** Reads all that was pushed. */
  end(): void {
    if (this.fatal) return;
    const input = this.rest + this.#held.join('');
    this.#held = [];
    this.#heldLength = 0;
    let at = 0;
    while (at < input.length && !this.fatal) {
      const open = input.indexOf('<', at);
      this.#handler.onText(input.slice(at, open < 0 ? input.length : open), false);
      at = open < 0 ? input.length : open;
      if (open < 0) break;
      const end = this.#readMarkup(input, open);
      if (end < 0) break;
      at = end;
    }
    this.rest = input.slice(at);
    if (this.rest.length > MAX_TOKEN) this.fatal = 'It has a tag without end.';
  }

  /** Reads the markup at `open`. Returns its end, or -1 if it is incomplete. */
  #readMarkup(input: string, open: number): number {
    for (const [begin, end] of SKIPPED)
      if (input.startsWith(begin, open)) return endOf(input, end, open + begin.length);
    if (input.startsWith(CDATA, open)) {
      const end = endOf(input, ']]>', open + CDATA.length);
      if (end > 0) this.#handler.onText(input.slice(open + CDATA.length, end - 3), true);
      return end;
    }
    if (input.length - open < CDATA.length && input.startsWith('<!', open)) return -1;
    const close = closingBracket(input, open);
    if (close < 0) return -1;
    if (input.startsWith('<!', open)) {
      if (input.slice(open, close).includes('[')) this.fatal = 'It declares entities of its own.';
    } else this.#readTag(input.slice(open + 1, close));
    return close + 1;
  }

  #readTag(tag: string): void {
    if (tag.startsWith('/')) {
      this.#close(tag.slice(1).trim());
      return;
    }
    const name = /^[^\s/]*/.exec(tag)?.[0] ?? '';
    if (name === '') {
      this.fatal = 'It is not well-formed: a tag has no name.';
      return;
    }
    this.open.push(name);
    if (this.open.length > MAX_DEPTH) this.fatal = 'Its elements are nested too deeply.';
    this.#handler.onOpen(name, tag);
    if (tag.endsWith('/') && !this.fatal) this.#close(name);
  }

  #close(name: string): void {
    const open = this.open.pop();
    if (open === name) this.#handler.onClose(name);
    else this.fatal = `It is not well-formed: <${(open ?? '').slice(0, 40)}> is closed by </${name.slice(0, 40)}>.`;
  }
}

function endOf(input: string, end: string, from: number): number {
  const at = input.indexOf(end, from);
  return at < 0 ? -1 : at + end.length;
}

/** The > that ends a tag, ignoring those inside quotes. */
function closingBracket(input: string, open: number): number {
  let quote = '';
  for (let at = open; at < input.length; at++) {
    const character = input[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if (character === '"' || character === "'") quote = character;
  }
  return -1;
}

/** The attributes of a tag with their raw values. */
export function attributesOf(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (let at = 0; ; ) {
    const equals = tag.indexOf('=', at);
    if (equals < 0) return attributes;
    const name = lastWord(tag.slice(at, equals));
    const quote = firstAfterBlanks(tag, equals + 1);
    const end = tag.indexOf(tag[quote] === "'" ? "'" : '"', quote + 1);
    if ((tag[quote] !== '"' && tag[quote] !== "'") || end < 0) return attributes;
    if (!attributes.has(name)) attributes.set(name, tag.slice(quote + 1, end));
    at = end + 1;
  }
}

function lastWord(text: string): string {
  const trimmed = text.trimEnd();
  let from = trimmed.length;
  while (from > 0 && !/\s/.test(trimmed[from - 1] ?? '')) from--;
  return trimmed.slice(from);
}

function firstAfterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Resolves the references predefined in XML; calls `onUnknown` for others and for a bare &, which stay unchanged. The
 * reference is undefined for a bare &.
 */
export function withoutReferences(text: string, onUnknown: (reference: string | undefined) => void): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,32});|&/gi, (whole, name: string | undefined) => {
    const known = name === undefined ? undefined : name.startsWith('#') ? characterOf(name) : ENTITIES[name];
    if (known === undefined) onUnknown(name === undefined ? undefined : whole);
    return known ?? whole;
  });
}

function characterOf(reference: string): string | undefined {
  const code = /^#x/i.test(reference)
    ? Number.parseInt(reference.slice(2), 16)
    : Number.parseInt(reference.slice(1), 10);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : undefined;
}
