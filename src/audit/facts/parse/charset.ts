/** Determines a page's encoding as browsers do, and decodes it. */
import type { PageFacts } from '../pageFacts.ts';

export type DecodedPage = { readonly text: string; readonly charset: PageFacts['charset'] };

/**
 * How far to search for a late <meta charset>, bytes. The standard ignores declarations after the first 1,024; some
 * browsers do not.
 */
const META_SEARCH = 16_384;

const LABEL = /charset\s*=\s*(?:["']\s*)?([\w.:()-]{2,40})/i;

type Decoder = InstanceType<typeof TextDecoder>;

/** The charset of a Content-Type; null if it has none. */
export function charsetOfContentType(contentType: string | null): string | null {
  return contentType === null ? null : (LABEL.exec(contentType.slice(0, 500))?.[1] ?? null);
}

function decoderFor(label: string | null): Decoder | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function bomOf(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}

/** The first complete <meta> that declares a charset: its label and end offset. Skips comments. */
function metaCharset(bytes: Uint8Array): { label: string; offset: number } | null {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, META_SEARCH));
  let at = 0;
  while (at >= 0 && at < start.length) {
    at = start.indexOf('<', at);
    if (at < 0) return null;
    if (start.startsWith('<!--', at)) {
      const end = start.indexOf('-->', at + 4);
      if (end < 0) return null;
      at = end + 3;
      continue;
    }
    if (start.slice(at + 1, at + 5).toLowerCase() === 'meta' && /[\s/]/.test(start.charAt(at + 5))) {
      const end = start.indexOf('>', at);
      if (end < 0) return null;
      const label = LABEL.exec(start.slice(at, Math.min(end, at + 500)))?.[1];
      if (label !== undefined) return { label: label.toLowerCase(), offset: end + 1 };
    }
    at += 1;
  }
  return null;
}

/** A page cannot be UTF-16 if its declaration was readable as ASCII. */
function declared(label: string | null): Decoder | null {
  const decoder = decoderFor(label);
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : decoder;
}

/** Precedence: BOM, header, meta; otherwise UTF-8 if the bytes are valid UTF-8, else windows-1252. */
export function decodePage(body: Uint8Array, contentType: string | null): DecodedPage {
  const bom = bomOf(body);
  const header = charsetOfContentType(contentType);
  const meta = metaCharset(body);
  const decoder = decoderFor(bom) ?? decoderFor(header) ?? declared(meta?.label ?? null);
  const facts = { header, meta: meta?.label ?? null, metaOffset: meta?.offset ?? null, bom: bom !== null };
  if (decoder !== null) return { text: decoder.decode(body), charset: { used: decoder.encoding, ...facts } };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body), charset: { used: 'utf-8', ...facts } };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(body), charset: { used: 'windows-1252', ...facts } };
  }
}
