/** Data of any size as compressed texts small enough for an event, made and read piece by piece. */
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { MAX_PART_BYTES } from '../domain/report/events.ts';
import { createPace } from '../eventStore/pacing.ts';
import { createJsonLinesReader } from './jsonLines.ts';
import { jsonPieces } from './jsonPieces.ts';

/** Base64 has four characters for three bytes. */
const BYTES_OF_PART = (MAX_PART_BYTES / 4) * 3;
/** Texts that are kept from counting them; more are made again. */
const KEPT = 8;

export type PackedParts = { readonly count: number; readonly texts: () => AsyncIterable<string> };

/** The data must not change before the texts are read. */
export async function packed(value: unknown): Promise<PackedParts> {
  const kept: string[] = [];
  let count = 0;
  for await (const text of packing(value)) {
    count += 1;
    if (count <= KEPT) kept.push(text);
    else kept.length = 0;
  }
  return { count, texts: () => (count <= KEPT ? listed(kept) : packing(value)) };
}

async function* listed(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function* packing(value: unknown): AsyncGenerator<string> {
  const gzip = createGzip({ level: 1 });
  // Errors of either end the loop below.
  pipeline(Readable.from(jsonPieces(value)), gzip, () => undefined);
  const waiting: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of gzip as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < BYTES_OF_PART) continue;
    const all = Buffer.concat(waiting.splice(0));
    let from = 0;
    for (; all.length - from >= BYTES_OF_PART; from += BYTES_OF_PART)
      yield all.toString('base64', from, from + BYTES_OF_PART);
    waiting.push(all.subarray(from));
    bytes = all.length - from;
  }
  yield Buffer.concat(waiting).toString('base64');
}

/** Also reads what former versions packed: JSON on a single line. */
export async function unpacked(texts: AsyncIterable<string>): Promise<unknown> {
  const gunzip = createGunzip();
  pipeline(Readable.from(bytesOf(texts)), gunzip, () => undefined);
  const pace = createPace('background');
  const reader = createJsonLinesReader();
  const decoder = new TextDecoder();
  const begun: string[] = [];
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    const [end = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n');
    begun.push(end);
    for (const next of lines) {
      reader.add(begun.splice(0).join(''));
      begun.push(next);
    }
    if (pace.isDue()) await pace.pass();
  }
  reader.add(begun.join(''));
  return reader.end();
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text, 'base64');
}
