/** Untrusted text in Markdown: page text always renders as text, never as a link, heading, image or HTML. */

/** Control, bidirectional and invisible characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** One printable line of at most `limit` characters; an ellipsis marks a cut. */
export function oneLine(text: string, limit = 300): string {
  const line = text
    .slice(0, limit * 4)
    .replace(UNPRINTABLE, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length <= limit
    ? line
    : `${characters
        .slice(0, limit - 1)
        .join('')
        .trimEnd()}…`;
}

/** A code span that its content cannot terminate. */
export function codeSpan(text: string, limit = 200): string {
  const line = oneLine(text, limit);
  if (line === '') return '(empty)';
  const fence = '`'.repeat(longestRun(line) + 1);
  return fence === '`' ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}

/** The same for a table cell, where a vertical bar would end the cell even inside code. */
export function cellCode(text: string, limit = 200): string {
  return codeSpan(text.replace(/\|/g, '¦'), limit);
}

/** A fenced block that its content cannot terminate. Keeps newlines and drops other control characters. */
export function codeBlock(text: string, language = ''): string {
  const lines = text
    .slice(0, 4000)
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(UNPRINTABLE, ' ').trimEnd());
  const body = lines.join('\n').trim();
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${fence}${language}\n${body}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Text that renderers turn into links automatically. */
const ADDRESS = /:\/\/|www\.|@|mailto:/i;

/** A sentence that may quote a page: words with an address become code, and all Markdown syntax is escaped. */
export function prose(text: string, limit = 600): string {
  return escapeStart(escapeWords(oneLine(text, limit)));
}

/** An escaped character, or a code span: its fence, then its content. */
const INLINE = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.*?[^`])\2(?!`)/g;

/** A line of inline Markdown: keeps code spans, resolves escapes, and passes all other text through `prose`. */
export function inlineMarkdown(markdown: string, limit = 600): string {
  const line = oneLine(markdown, limit);
  let out = '';
  let plain = '';
  let from = 0;
  for (const match of line.matchAll(INLINE)) {
    plain += line.slice(from, match.index) + (match[1] ?? '');
    from = match.index + match[0].length;
    if (match[3] === undefined) continue;
    out = beside(beside(out, escapeWords(plain)), codeSpan(match[3], limit));
    plain = '';
  }
  return escapeStart(beside(out, escapeWords(plain + line.slice(from))));
}

/** Adjacent code spans would merge into one. */
function beside(left: string, right: string): string {
  return left.endsWith('`') && right.startsWith('`') ? `${left} ${right}` : left + right;
}

function escapeWords(line: string): string {
  return line
    .split(' ')
    .map((word) => (ADDRESS.test(word) ? addressWord(word) : escapeWord(word)))
    .join(' ');
}

function escapeStart(line: string): string {
  return line.replace(/^(?:([#>+=-])|(\d{1,9})([.)]))/, (_, mark?: string, digits?: string, dot?: string) =>
    mark === undefined ? `${digits}\\${dot}` : `\\${mark}`,
  );
}

/** Punctuation after an address is part of the sentence. */
function addressWord(word: string): string {
  const end = /[.,;:!?)'"”\]]{0,10}$/.exec(word)?.[0] ?? '';
  const address = end === '' ? word : word.slice(0, -end.length);
  return (address === '' ? '' : codeSpan(address)) + escapeWord(end);
}

function escapeWord(word: string): string {
  return word.replace(/[\\`*_[\]<>|~&]/g, (character) => (character === '&' ? '&amp;' : `\\${character}`));
}
