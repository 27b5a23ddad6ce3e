/** Escapes site text for Markdown: page text always renders as text, never as a link, heading, image or HTML. */

/** Control characters, line breaks and bidirectional marks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** One printable line of at most `max` characters; an ellipsis marks a cut. */
export function oneLine(text: string, max = 300): string {
  // Cut roughly first: page text may be megabytes long.
  const line = text
    .slice(0, max * 4)
    .replace(UNPRINTABLE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : line;
}

/** A value as a code span, with a fence longer than any run of backticks in it. Empty values become words. */
export function code(value: string, max = 160): string {
  const line = oneLine(value, max);
  if (line === '') return '(empty)';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `\`${line}\``;
}

/** A code block with a fence longer than any run of backticks in it. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/** What renderers turn into a link or HTML even when escaped: tags, and words that contain an address. */
const SPECIAL = /<[^<>]{0,200}>|(?<![^\s<>("'“‘[])[^\s<>("'“‘[]*(?::\/\/|www\.|@)[^\s<>]*/gi;

function escapeText(text: string): string {
  return text
    .replace(/`/g, "'")
    .replace(/[\\*[\]~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&');
}

/**
 * One line of site text for use inside a Markdown line: addresses and tags become code spans, the rest is escaped where
 * needed.
 */
export function escapeLine(line: string): string {
  let out = '';
  let from = 0;
  for (const match of line.matchAll(SPECIAL)) {
    // A period or bracket after an address is part of the sentence.
    const token = match[0].startsWith('<') ? match[0] : match[0].replace(/(?<![.,;:!?)'\]"”’])[.,;:!?)'\]"”’]+$/, '');
    out += escapeText(line.slice(from, match.index));
    // Adjacent code spans would merge into one.
    out += (out.endsWith('`') ? ' ' : '') + code(token.replace(/`/g, "'"));
    from = match.index + token.length;
  }
  return out + escapeText(line.slice(from));
}

/** Escapes what would start a heading, quote, list or rule at the start of a line. */
export function escapeStart(line: string): string {
  return line.replace(/^(#|>|\+|-|=)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** A sentence that may contain site text, at the start of a line or within one. */
export function prose(text: string, max = 600): string {
  return escapeStart(escapeLine(oneLine(text, max)));
}

/** Ends a sentence with a period, unless it already has an end mark. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
