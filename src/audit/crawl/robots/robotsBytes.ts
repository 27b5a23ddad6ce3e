/** Decodes robots.txt as Google's parser does: a partial byte order mark and invalid octets are tolerated. Pure. */
import { escapedOctet } from './robotsPattern.ts';

const MARK = [0xef, 0xbb, 0xbf];

/**
 * Octets that are not UTF-8 become percent-escapes: that is their meaning in a path, and they have none elsewhere. A
 * byte order mark is kept for the parser; a partial one is completed.
 */
export function textOfRobots(bytes: Uint8Array): string {
  const marked = MARK.findIndex((octet, index) => bytes[index] !== octet);
  return marked > 0 ? `\uFEFF${decoded(bytes.subarray(marked))}` : decoded(bytes);
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return withEscapes(bytes);
  }
}

function withEscapes(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      parts.push(decoder.decode(bytes.subarray(from, at)), escapedOctet(bytes[at] ?? 0));
      from = at + 1;
    }
    at += Math.max(length, 1);
  }
  parts.push(decoder.decode(bytes.subarray(from)));
  return parts.join('');
}

/** Length in octets of the character that starts here; 0 if none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  for (let index = 1; index < length; index++) if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1] ?? 0;
  // Overlong forms, surrogates, and anything above U+10FFFF.
  if (
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f)
  )
    return 0;
  return length;
}
