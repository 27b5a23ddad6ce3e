/**
 * Decides whether an answer is an HTML page: by its content type, or by its first bytes if the type is missing or
 * implausible.
 */
import type { FetchAnswer } from '../../model/fetching.ts';
import { hasHtmlRoot } from '../facts/parse/xmlTree.ts';
import { mediaTypeOf } from './outcome.ts';

export type HtmlVerdict = { readonly html: true } | { readonly html: false; readonly why: string };

const HTML_TYPES = new Set(['text/html', 'application/xhtml+xml']);
/** A page only if its root says so: feeds and sitemaps have these types, too. */
const XML_TYPES = new Set(['text/xml', 'application/xml']);
const START = 4096;

/** Magic bytes of files often served as text/html by mistake. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xFF\xD8\xFF', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF-', 'a PDF file'],
  ['PK\x03\x04', 'a ZIP file'],
  ['\x1F\x8B', 'a gzip file'],
  ['\x7FELF', 'a program'],
  ['wOF', 'a font'],
];

export function htmlVerdict(answer: FetchAnswer): HtmlVerdict {
  const type = mediaTypeOf(answer.headers);
  if (type !== '' && !HTML_TYPES.has(type) && !(XML_TYPES.has(type) && isXmlPage(answer.body)))
    return { html: false, why: `The answer is ${type}, not an HTML page.` };
  if (answer.body.length === 0) return { html: false, why: 'The answer is empty.' };
  const start = String.fromCharCode(...answer.body.subarray(0, 1024));
  const signature = SIGNATURES.find(([bytes]) => start.startsWith(bytes));
  if (signature) return { html: false, why: `The answer is ${signature[1]}, not an HTML page.` };
  if (isBinary(start, answer.headers['content-type']?.[0] ?? ''))
    return { html: false, why: 'The answer is binary data, not an HTML page.' };
  if (type === '' && !/^\s*</.test(start.replace(/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/, '').replaceAll('\0', ''))) {
    return { html: false, why: 'The answer has no type and does not look like an HTML page.' };
  }
  return { html: true };
}

/** Latin-1 is enough for markup. In UTF-16 it has a NUL beside each character. */
function isXmlPage(body: Uint8Array): boolean {
  return hasHtmlRoot(new TextDecoder('latin1').decode(body.subarray(0, START)).replaceAll('\0', ''));
}

/** Text has almost no NUL bytes, unless it is UTF-16. */
function isBinary(start: string, contentType: string): boolean {
  const nuls = start.split('\0').length - 1;
  if (nuls <= start.length / 20) return false;
  const isUtf16 =
    /^(?:\xFF\xFE|\xFE\xFF)/.test(start) || /charset\s*=\s*"?utf-16/i.test(contentType) || /^(?:<\0|\0<)/.test(start);
  return !isUtf16;
}
