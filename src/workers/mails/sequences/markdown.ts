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

export function markdownBlocks(markdown: string): readonly MailBlock[] {
  const parts = markdown.replaceAll(/\r\n?/g, '\n').split(/\n[ \t]*\n+/);
  return parts
    .map((part) => part.replace(/^\n+/, '').trimEnd())
    .flatMap((part) => (part.trim() === '' ? [] : blocksOf(part.split('\n'))));
}

/** A heading or a rule needs no blank line after it. */
function blocksOf(lines: readonly string[]): readonly MailBlock[] {
  const [first = '', ...rest] = lines;
  const heading = /^(#{1,3})[ \t]+(.+)$/.exec(first);
  const own = heading
    ? headingBlock(heading[1]?.length ?? 1, heading[2] ?? '')
    : /^ {0,3}(?:-{3,}|\*{3,}|_{3,})[ \t]*$/.test(first)
      ? RULE
      : null;
  if (own) return [own, ...(rest.length > 0 ? blocksOf(rest) : [])];
  const list = listBlock(lines);
  if (list) return [list];
  const breaks = lines.findIndex((line, nth) => nth > 0 && (isItem(line) || /^#{1,3}[ \t]/.test(line)));
  if (breaks > 0) return [...blocksOf(lines.slice(0, breaks)), ...blocksOf(lines.slice(breaks))];
  return [buttonBlock(lines) ?? paragraphBlock(lines)];
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
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,4})[.)])[ \t]+(.+)$/;
const isItem = (line: string): boolean => ITEM.test(line);

function listBlock(lines: readonly string[]): MailBlock | null {
  const items = lines.map((line) => ITEM.exec(line));
  if (items.some((item) => item === null)) return null;
  const ordered = items[0]?.[1] !== undefined;
  const parts = items.map((item) => inline(item?.[2] ?? ''));
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
