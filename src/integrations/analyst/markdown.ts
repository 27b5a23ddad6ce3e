/** Site text in markdown: whatever a page says, it comes out as text, never as a link, a heading, an image or HTML. */

/** Control characters, line breaks, and the marks that turn reading direction around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;

/** One line, printable, at most `max` characters (an ellipsis shows a cut). */
export function oneLine(text: string, max = 300): string {
  // Cut roughly first: a page may hand over megabytes.
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

/** A value in a code span, whose fence is longer than any run of backticks in it. Empty values read as words. */
export function code(value: string, max = 160): string {
  const line = oneLine(value, max);
  if (line === '') return '(empty)';
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${line} ${fence}` : `\`${line}\``;
}

/** A code block, whose fence is longer than any run of backticks in it. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

/** What a renderer would turn into a link, or take for HTML, even when its characters are escaped: tags, and words that hold an address. */
const SPECIAL = /<[^<>]{0,200}>|(?<![^\s<>("'“‘[])[^\s<>("'“‘[]*(?::\/\/|www\.|@)[^\s<>]*/gi;

function escapeText(text: string): string {
  return text
    .replace(/`/g, "'")
    .replace(/[\\*[\]~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&');
}

/** One line of site text, ready to stand inside a line of markdown: addresses and tags in code spans, the rest escaped where it must be. */
export function escapeLine(line: string): string {
  let out = '';
  let from = 0;
  for (const match of line.matchAll(SPECIAL)) {
    // A full stop or bracket after an address belongs to the sentence.
    const token = match[0].startsWith('<') ? match[0] : match[0].replace(/(?<![.,;:!?)'\]"”’])[.,;:!?)'\]"”’]+$/, '');
    out += escapeText(line.slice(from, match.index));
    // Two code spans that touch would read as one.
    out += (out.endsWith('`') ? ' ' : '') + code(token.replace(/`/g, "'"));
    from = match.index + token.length;
  }
  return out + escapeText(line.slice(from));
}

/** What would make a heading, a quote, a list or a rule at the start of a line, escaped there. */
export function escapeStart(line: string): string {
  return line.replace(/^(#|>|\+|-|=)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

/** A sentence that may hold site text, at the start of a line or inside one. */
export function prose(text: string, max = 600): string {
  return escapeStart(escapeLine(oneLine(text, max)));
}

/** The end of a sentence, exactly once. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
