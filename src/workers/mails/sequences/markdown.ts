/**
 * The Markdown of emails: headings, lists, bold, italic, code, links, rules; a link alone in its paragraph is a button.
 * Anything else is text.
 */
import { ACCENT, anchor, escaped, type MailBlock } from '../layout.ts';

/** Characters that have a meaning in Markdown, or would turn text into a link. */
const SIGNS = /[\\`*_[\]()#+.!~<>|:@/&-]/g;
const PRIVATE = 0xe000;

/** Protects a value that is to be shown literally: its special characters are replaced until the Markdown is parsed. */
export const putAway = (value: string): string =>
  value
    .replaceAll(/[\ue000-\ue07f]/g, '')
    .replaceAll(SIGNS, (sign) => String.fromCharCode(PRIVATE + sign.charCodeAt(0)));
const brought = (text: string): string =>
  text.replaceAll(/[\ue000-\ue07f]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - PRIVATE));
const shown = (text: string): string => escaped(brought(text));

type Both = { readonly text: string; readonly html: string };

/** Linear in the text: each line is read once, whatever it holds. */
export function markdownBlocks(markdown: string): readonly MailBlock[] {
  // The Unicode separators end lines, too, so that `.` stands for any character of a line.
  const parts = markdown.replaceAll(/\r\n?|[\u2028\u2029]/g, '\n').split(/\n[ \t]*\n+/);
  return parts
    .map((part) => part.replace(/^\n+/, '').trimEnd())
    .flatMap((part) => (part.trim() === '' ? [] : blocksOf(part.split('\n').map(readLine))));
}

type Item = { readonly text: string; readonly isNumbered: boolean };

type Line = {
  readonly text: string;
  /** A heading or a rule, which is a block of its own at the start of one. */
  readonly own: MailBlock | null;
  readonly item: Item | null;
  /** Looks like a heading or an item, and so ends the block before it. */
  readonly isBreak: boolean;
};

function readLine(text: string): Line {
  const item = readItem(text);
  return {
    text,
    own: readHeading(text) ?? (isRule(text) ? RULE : null),
    item,
    isBreak: item !== null || isMarked(text),
  };
}

const isMarked = (line: string): boolean => /^#{1,3}[ \t]/.test(line);
const isRule = (line: string): boolean => /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/.test(line);

function readHeading(line: string): MailBlock | null {
  const level = /^(#{1,3})[ \t]./.exec(line)?.[1]?.length;
  return level === undefined ? null : headingBlock(level, line.slice(level));
}

function readItem(line: string): Item | null {
  const [mark, number] = /^ {0,3}(?:[-*+]|(\d{1,4})[.)])[ \t](?=.)/.exec(line) ?? [];
  return mark === undefined
    ? null
    : { text: line.slice(mark.length).replace(/^[ \t]+/, ''), isNumbered: number !== undefined };
}

/** A heading or a rule needs no blank line after it. */
function blocksOf(lines: readonly Line[]): readonly MailBlock[] {
  const blocks: MailBlock[] = [];
  /** From here on, all lines are items. */
  const list = lines.findLastIndex(({ item }) => item === null) + 1;
  let at = 0;
  while (at < lines.length) {
    const own = lines[at]?.own ?? null;
    let end = at + 1;
    if (own !== null) blocks.push(own);
    else {
      while (end < lines.length && (at >= list || lines[end]?.isBreak === false)) end += 1;
      blocks.push(blockOf(lines.slice(at, end)));
    }
    at = end;
  }
  return blocks;
}

function blockOf(lines: readonly Line[]): MailBlock {
  const texts = lines.map(({ text }) => text);
  return listBlock(lines.map(({ item }) => item)) ?? buttonBlock(texts) ?? paragraphBlock(texts);
}

const RULE: MailBlock = {
  kind: 'rich',
  text: '----',
  html: '<hr style="margin:8px 0 20px;border:0;border-top:1px solid #e0e1e6">',
};

function headingBlock(level: number, line: string): MailBlock {
  const { text, html } = inline(line.trim());
  return {
    kind: 'rich',
    text,
    html: `<h2 style="margin:4px 0 10px;font-size:${level === 1 ? 18 : 16}px;line-height:1.3">${html}</h2>`,
  };
}

function paragraphBlock(lines: readonly string[]): MailBlock {
  const parts = lines.map((line) => inline(line.trim()));
  const html = parts.map((part) => part.html).join('<br>');
  return {
    kind: 'rich',
    text: parts.map((part) => part.text).join('\n'),
    html: `<p style="margin:0 0 16px">${html}</p>`,
  };
}

function buttonBlock(lines: readonly string[]): MailBlock | null {
  const [, label = '', address = ''] = (lines.length === 1 && LINK.exec(lines[0]?.trim() ?? '')) || [];
  const url = safeUrl(address);
  return url === null || !/^https?:/.test(url) ? null : { kind: 'button', label: inline(label).text, url };
}

const LINK = /^\[([^\]\n]{1,200})\]\(([^\s()]{1,2000})\)$/;
/** Null if not every line is an item. */
function listBlock(items: readonly (Item | null)[]): MailBlock | null {
  if (items.some((item) => item === null)) return null;
  const ordered = items[0]?.isNumbered === true;
  const parts = items.map((item) => inline(item?.text ?? ''));
  const tag = ordered ? 'ol' : 'ul';
  const html = parts.map((part) => `<li style="margin:0 0 6px">${part.html}</li>`).join('');
  return {
    kind: 'rich',
    text: parts.map((part, nth) => `${ordered ? `${nth + 1}.` : '-'} ${part.text}`).join('\n'),
    html: `<${tag} style="margin:0 0 16px;padding-left:22px">${html}</${tag}>`,
  };
}

/** Inline markup ends on its line, which bounds the parsing time. */
const MARKED =
  /\\([\\`*_[\]()#+.!>-])|`([^`\n]+)`|\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|(?<![A-Za-z0-9])_([^_\s][^_\n]*)_(?![A-Za-z0-9])|\[([^\]\n]{1,200})\]\(([^\s()]{1,2000})\)|(https?:\/\/[^\s<>()"']{1,2000})/g;

function inline(line: string): Both {
  const parts: Both[] = [];
  let end = 0;
  for (const match of line.matchAll(MARKED)) {
    parts.push(plain(line.slice(end, match.index)), marked(match));
    end = match.index + match[0].length;
  }
  parts.push(plain(line.slice(end)));
  return { text: parts.map(({ text }) => text).join(''), html: parts.map(({ html }) => html).join('') };
}

const plain = (text: string): Both => ({ text: brought(text), html: shown(text) });
const wrapped = (tag: string, { text, html }: Both): Both => ({ text, html: `<${tag}>${html}</${tag}>` });

function marked([whole, sign, code, bold, italic, underlined, label, address, bare]: RegExpMatchArray): Both {
  if (sign !== undefined) return plain(sign);
  if (code !== undefined) return wrapped('code', plain(code));
  if (bold !== undefined) return wrapped('strong', inline(bold));
  if (italic !== undefined || underlined !== undefined) return wrapped('em', inline(italic ?? underlined ?? ''));
  if (bare !== undefined) return link(bare, plain(bare));
  return link(address ?? '', plain(label ?? whole ?? ''));
}

function link(address: string, label: Both): Both {
  const url = safeUrl(address);
  if (url === null) return label;
  const text = label.text === url ? url : `${label.text} (${url.replace(/^mailto:/, '')})`;
  return { text, html: anchor(url, label.text, `color:${ACCENT}`) };
}

/** Also restores protected characters from values. Null: not an allowed link target in an email. */
function safeUrl(address: string): string | null {
  const url = brought(address);
  return /^(https?:\/\/[^\s]+|mailto:[^\s@]+@[^\s@]+)$/i.test(url) && URL.canParse(url) ? url : null;
}
