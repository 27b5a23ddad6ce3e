/** Determines a page's encoding as browsers do, and decodes it. */
import type { PageFacts } from '../pageFacts.ts';
import { declaredCharset, xmlEncoding } from './declaredCharset.ts';

export type DecodedPage = { readonly text: string; readonly charset: PageFacts['charset'] };

type Decoder = InstanceType<typeof TextDecoder>;

/** Types whose documents are parsed by the rules of XML. */
const XML_TYPE = /^\s*(?:application\/xhtml\+xml|(?:text|application)\/xml)\s*(?:[;,]|$)/i;

export function isXmlType(contentType: string | null): boolean {
  return contentType !== null && XML_TYPE.test(contentType);
}

/** The charset of a Content-Type; null if it has none. */
function charsetOfContentType(contentType: string | null): string | null {
  for (const parameter of (contentType ?? '').slice(0, 500).split(/[;,]/)) {
    const value = /^\s*charset=(.*)$/is.exec(parameter)?.[1];
    const label = value?.replaceAll('"', '').trim() ?? '';
    if (label !== '') return label;
  }
  return null;
}

function decoderFor(label: string | null): Decoder | null {
  if (label === null) return null;
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

/** UTF-16 without a mark is known by the XML declaration. */
function bomOf(bytes: Uint8Array): { readonly label: string; readonly isMark: boolean } | null {
  const start = String.fromCharCode(...bytes.subarray(0, 6));
  if (start.startsWith('\xef\xbb\xbf')) return { label: 'utf-8', isMark: true };
  if (start.startsWith('\xfe\xff')) return { label: 'utf-16be', isMark: true };
  if (start.startsWith('\xff\xfe')) return { label: 'utf-16le', isMark: true };
  if (start === '<\0?\0x\0') return { label: 'utf-16le', isMark: false };
  return start === '\0<\0?\0x' ? { label: 'utf-16be', isMark: false } : null;
}

/**
 * A page cannot be UTF-16 if its declaration was readable as ASCII. Bytes without meaning (x-user-defined) are read as
 * Western text.
 */
function declared(label: string | null): Decoder | null {
  if (label?.trim().toLowerCase() === 'x-user-defined') return new TextDecoder('windows-1252');
  const decoder = decoderFor(label);
  return decoder?.encoding.startsWith('utf-16') ? new TextDecoder('utf-8') : decoder;
}

/** As a stream: Node reads a whole text in windows-1252 as ISO 8859-1, without its quotation marks and the euro. */
const decoded = (body: Uint8Array, decoder: Decoder): string =>
  decoder.decode(body, { stream: true }) + decoder.decode();

/**
 * Precedence: BOM, header, declaration in the document; otherwise UTF-8 if the bytes are valid UTF-8, else
 * windows-1252. XML is UTF-8 unless something else is declared.
 */
export function decodePage(body: Uint8Array, contentType: string | null): DecodedPage {
  const bom = bomOf(body);
  const header = charsetOfContentType(contentType);
  const isXml = isXmlType(contentType);
  const meta = isXml
    ? (xmlEncoding(body) ?? { label: 'utf-8', offset: 0 })
    : declaredCharset(body, (label) => declared(label) !== null);
  const decoder =
    decoderFor(bom?.isMark ? bom.label : null) ??
    decoderFor(header) ??
    decoderFor(bom?.label ?? null) ??
    declared(meta?.label ?? null);
  const facts = {
    header,
    meta: meta?.label ?? null,
    metaOffset: meta?.offset ?? null,
    bom: bom?.isMark === true,
  };
  if (decoder !== null) return { text: decoded(body, decoder), charset: { used: decoder.encoding, ...facts } };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(body), charset: { used: 'utf-8', ...facts } };
  } catch {
    return { text: decoded(body, new TextDecoder('windows-1252')), charset: { used: 'windows-1252', ...facts } };
  }
}
