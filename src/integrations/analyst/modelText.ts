/** Makes a language model's text safe to show: plain sentences, code spans, and links to known places only. */
import { parseUrl } from '../../model/parseUrl.ts';
import { code, escapeLine, escapeStart, oneLine } from './markdown.ts';

/** Documentation sites that an answer may link to. */
const DOCUMENTATION: ReadonlySet<string> = new Set([
  'developer.chrome.com',
  'developer.mozilla.org',
  'developers.google.com',
  'html.spec.whatwg.org',
  'llmstxt.org',
  'ogp.me',
  'schema.org',
  'validator.schema.org',
  'web.dev',
  'www.rfc-editor.org',
  'www.robotstxt.org',
  'www.sitemaps.org',
  'www.w3.org',
]);

const bare = (host: string): string => host.replace(/^www\./, '');

/** The site's own host or a documentation host. */
export function isKnownHost(host: string, siteUrl: string): boolean {
  return DOCUMENTATION.has(host) || bare(parseUrl(siteUrl)?.hostname ?? '') === bare(host);
}

/** The address in linkable form; null if it may not be linked. */
export function allowedLink(address: string, siteUrl: string): string | null {
  const [url, site] = [parseUrl(address), parseUrl(siteUrl)];
  if (url === null || site === null) return null;
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username !== '' || url.password !== '')
    return null;
  const known = bare(url.host) === bare(site.host) || (url.protocol === 'https:' && DOCUMENTATION.has(url.host));
  return known ? url.href.replace(/[()<>[\]\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`) : null;
}

/** Image or link · code span · bare address. */
const TOKEN =
  /!?\[([^[\]]{0,300})\]\(\s*<?([^\s()<>]{0,2000})(?:[<>\s][^()]{0,300})?\)|(`{1,20})([^`]{1,400})\3|<?((?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s<>"'`)\]]+)>?/gi;

function linked(text: string, address: string, siteUrl: string): string {
  const href = allowedLink(address, siteUrl);
  return href === null ? escapeLine(text) : `[${escapeLine(text).trim() || code(href)}](${href})`;
}

/** Keeps the punctuation after a bare address; drops an unknown address. */
function bareAddress(address: string, siteUrl: string): string {
  const trimmed = address.replace(/(?<![.,;:!?*_])[.,;:!?*_]+$/, '');
  const href = allowedLink(trimmed, siteUrl);
  return (href === null ? '' : `<${href}>`) + address.slice(trimmed.length);
}

function codeSpan(content: string, siteUrl: string): string {
  const address = content.match(/(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s"'<>]+/i)?.[0];
  return address !== undefined && allowedLink(address, siteUrl) === null ? '' : code(content, 300);
}

/** One paragraph. Markup other than code spans and known links becomes plain text. */
export function modelLine(text: string, siteUrl: string, max: number): string {
  const line = oneLine(text.replace(/\*\*|__/g, ''), max);
  let out = '';
  let from = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [whole, linkText, linkTarget, , codeText, bare] = match;
    out += escapeLine(line.slice(from, match.index));
    if (linkText !== undefined)
      out += whole.startsWith('!') ? escapeLine(linkText) : linked(linkText, linkTarget ?? '', siteUrl);
    else if (codeText !== undefined) out += (out.endsWith('`') ? ' ' : '') + codeSpan(codeText, siteUrl);
    else out += bareAddress(bare ?? '', siteUrl);
    from = match.index + whole.length;
  }
  out += escapeLine(line.slice(from));
  return escapeStart(
    out
      .replace(/ {2,}/g, ' ')
      .replace(/ ([.,;:!?])/g, '$1')
      .trim(),
  );
}

/** Several paragraphs, separated by blank lines. */
export function modelParagraphs(text: string, siteUrl: string, max: number): string {
  return text
    .slice(0, max)
    .split(/\n\s*\n/)
    .map((paragraph) => modelLine(paragraph, siteUrl, max))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** Titles are shown as plain text: no markup, no addresses. Null if nothing is left or the page count is wrong. */
export function modelTitle(text: string, pages: number): string | null {
  const words = text
    .slice(0, 1000)
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(?<!\S)\S*(?::\/\/|www\.|@)\S*/gi, ' ')
    .replace(/[<>[\]*_`#|~\\!]/g, ' ');
  const title = oneLine(words, 120);
  return title.length < 4 || !countsPagesRight(title, pages) ? null : title;
}

/** False if the text states another number of pages than the findings have. */
export function countsPagesRight(text: string, pages: number): boolean {
  return [...text.matchAll(/(\d[\d,.]{0,30})\s+(?:\w{1,40}\s+)?pages?\b/gi)].every(
    (match) => Number((match[1] ?? '').replace(/\D/g, '')) === pages,
  );
}
