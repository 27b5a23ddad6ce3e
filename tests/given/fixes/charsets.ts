/** Text as the bytes of a page's own encoding. */

/** @throws Error for text that the encoding cannot write, and for UTF-16, which no fix is written in */
export function encoded(text: string, charset: string): Uint8Array {
  if (charset.toLowerCase() === 'utf-8') return new TextEncoder().encode(text);
  if (/^utf-16/i.test(charset)) throw new Error(`Nothing is written in ${charset}.`);
  const bytes = bytesOf(charset);
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const written = bytes.get(character);
      if (written === undefined) throw new Error(`${charset} cannot write "${character}".`);
      return written;
    }),
  );
}

type Bytes = ReadonlyMap<string, readonly number[]>;
const known = new Map<string, Bytes>();

/** Of every character of one or two bytes, as the decoder reads them. */
function bytesOf(charset: string): Bytes {
  const found = known.get(charset);
  if (found !== undefined) return found;
  const decoder = new TextDecoder(charset);
  const bytes = new Map<string, readonly number[]>();
  const add = (...written: number[]): void => {
    // As a stream, since Node takes windows-1252 for ISO 8859-1 otherwise.
    const text = decoder.decode(Uint8Array.from(written), { stream: true }) + decoder.decode();
    if ([...text].length === 1 && text !== '\uFFFD' && !bytes.has(text)) bytes.set(text, written);
  };
  for (let byte = 0; byte < 256; byte += 1) add(byte);
  for (let lead = 0x81; lead < 256; lead += 1) for (let trail = 0x40; trail < 256; trail += 1) add(lead, trail);
  known.set(charset, bytes);
  return bytes;
}
