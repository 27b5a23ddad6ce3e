/** Decodes Content-Encoding with size limits: output is counted as it is produced. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { GZIP_TRAILER, gzipDataStart } from '../../model/gzip.ts';
import type { Failure } from './failures.ts';

export type DecodeLimits = {
  /** Limit on the output of the last layer, bytes. */
  readonly maxBytes: number;
  /** Truncate instead of failing, and read what came of a body that ends too early. */
  readonly cut: boolean;
  /** The input is only the beginning of a body, so an unexpected end is not an error. */
  readonly partial: boolean;
};

export type Decoded =
  | { readonly ok: true; readonly body: Uint8Array; readonly truncated: boolean }
  | ({ readonly ok: false } & Failure);

const MAX_LAYERS = 3;
/** Of a body that is compressed more than once: each layer takes memory of its own. No server sends such bodies. */
const MAX_LAYERED = 5 * 1024 * 1024;
/** A higher compression ratio is treated as a decompression bomb; below the floor any ratio is harmless. */
const MAX_RATIO = 100;
const RATIO_FLOOR = 1024 * 1024;
/** Each member of a gzip body costs the same however small it is. Servers send one. */
const MAX_MEMBERS = 1000;

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

type Decoder = Transform & { readonly bytesWritten: number };

/** Missing in some supported versions of Node. */
const createZstd = (zlib as { createZstdDecompress?: (options: { params: Record<number, number> }) => Decoder })
  .createZstdDecompress;
/** The zstd parameter's number, and 8 MB, the largest window that HTTP allows. */
const ZSTD_WINDOW_LOG_MAX = 100;
const ZSTD_WINDOW_LOG = 23;

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  ...(createZstd ? { zstd: 'zstd' as const } : {}),
};
/** Real codings that cannot be decoded. Any other value is a server mistake that browsers ignore. */
const UNREADABLE = new Set(['zstd', 'compress', 'x-compress', 'dcb', 'dcz'].filter((coding) => !(coding in CODINGS)));

/** Value of the Accept-Encoding header. */
export const ACCEPT_ENCODING = `gzip, deflate, br${createZstd ? ', zstd' : ''}`;

export async function decodeBody(wire: Uint8Array, contentEncoding: string, given: DecodeLimits): Promise<Decoded> {
  const named = contentEncoding
    .toLowerCase()
    .split(',')
    .map((token) => token.trim());
  const unreadable = named.find((token) => UNREADABLE.has(token));
  if (unreadable) return bad(`The answer is compressed with ${unreadable}, which was not asked for.`);
  const codings = named.flatMap((token) => CODINGS[token] ?? []);
  if (codings.length > MAX_LAYERS) return bad('The answer is compressed many times over.');
  const limits = codings.length > 1 ? { ...given, maxBytes: Math.min(given.maxBytes, MAX_LAYERED) } : given;
  if (wire.length === 0) return { ok: true, body: wire, truncated: limits.partial };
  let current: Decoded = { ok: true, body: wire, truncated: limits.partial };
  for (const coding of codings.reverse()) {
    if (!current.ok) return current;
    current = await decodeLayer(current.body, coding, wire.length, { ...limits, partial: current.truncated });
  }
  return current.ok ? withinSize(current.body, current.truncated, limits) : current;
}

function withinSize(body: Uint8Array, truncated: boolean, limits: DecodeLimits): Decoded {
  if (body.length <= limits.maxBytes) return { ok: true, body, truncated };
  if (!limits.cut) return tooLarge();
  return { ok: true, body: body.subarray(0, limits.maxBytes), truncated: true };
}

/**
 * As lenient as browsers: what follows the end of the compressed data is ignored, and so are check sums; of data that
 * ends too early, what came is read where a cut body will do.
 */
async function decodeLayer(
  input: Uint8Array,
  coding: Coding,
  wireBytes: number,
  limits: DecodeLimits,
): Promise<Decoded> {
  const output = new Output(wireBytes, limits);
  const invalid = bad(`The answer is not valid ${coding} although it says so.`);
  let rest = input;
  for (let members = 0; members < MAX_MEMBERS; members += 1) {
    const start = coding === 'gzip' ? gzipDataStart(rest) : 0;
    if (start === null) return members === 0 ? invalid : output.whole(limits.partial);
    const { end, read } = await inflate(rest.subarray(start), coding, output);
    if (end === 'too_large') return output.tooLarge();
    if (end === 'invalid') return invalid;
    if (end === 'early') return limits.partial || (limits.cut && output.size > 0) ? output.whole(true) : invalid;
    rest = rest.subarray(start + read + GZIP_TRAILER);
    if (coding !== 'gzip' || rest.length === 0) break;
  }
  return output.whole(limits.partial);
}

/** Decompressed bytes within the limits. */
class Output {
  readonly #wireBytes: number;
  readonly #limits: DecodeLimits;
  readonly #chunks: Uint8Array[] = [];
  size = 0;
  #isBomb = false;

  constructor(wireBytes: number, limits: DecodeLimits) {
    this.#wireBytes = wireBytes;
    this.#limits = limits;
  }

  /** False if there was no room for all of it. */
  add(chunk: Uint8Array): boolean {
    const size = this.size + chunk.length;
    this.#isBomb = size > RATIO_FLOOR && size > this.#wireBytes * MAX_RATIO;
    if (this.#isBomb) return false;
    const fits = size <= this.#limits.maxBytes;
    this.#chunks.push(fits ? chunk : chunk.subarray(0, this.#limits.maxBytes - this.size));
    this.size = Math.min(size, this.#limits.maxBytes);
    return fits;
  }

  whole(truncated: boolean): Decoded {
    return { ok: true, body: Buffer.concat(this.#chunks, this.size), truncated };
  }

  tooLarge(): Decoded {
    if (!this.#isBomb) return this.#limits.cut ? this.whole(true) : tooLarge();
    const message = `The answer grows to over ${MAX_RATIO} times its size when decompressed.`;
    return { ok: false, failure: 'too_large', message };
  }
}

/** `early`: the input ended before the data did. `read`: how much of the input the data took. */
type Inflated = { readonly end: 'complete' | 'early' | 'invalid' | 'too_large'; readonly read: number };

function inflate(input: Uint8Array, coding: Coding, output: Output): Promise<Inflated> {
  return new Promise((resolve) => {
    const decoder = decoderFor(coding, input);
    const finish = (end: Inflated['end']): void => {
      decoder.removeAllListeners();
      decoder.on('error', () => undefined);
      decoder.destroy();
      resolve({ end, read: decoder.bytesWritten });
    };
    decoder.on('data', (chunk: Buffer) => {
      if (!output.add(chunk)) finish('too_large');
    });
    decoder.on('end', () => finish('complete'));
    decoder.on('error', (error: NodeJS.ErrnoException) => {
      // zstd does not tell an early end from other errors.
      const isEarly = error.code === 'Z_BUF_ERROR' || (coding === 'zstd' && output.size > 0);
      finish(isEarly ? 'early' : 'invalid');
    });
    // Ended only when all has been decoded: an error at the end loses no output then.
    decoder.write(input, (error) => {
      if (!error) decoder.end();
    });
  });
}

function decoderFor(coding: Coding, input: Uint8Array): Decoder {
  if (coding === 'zstd' && createZstd) return createZstd({ params: { [ZSTD_WINDOW_LOG_MAX]: ZSTD_WINDOW_LOG } });
  if (coding === 'br') return zlib.createBrotliDecompress();
  // "deflate" comes with or without the zlib header, whose first byte names the method.
  const hasHeader = coding === 'deflate' && ((input[0] ?? 0) & 0x0f) === 8;
  return hasHeader ? zlib.createInflate() : zlib.createInflateRaw();
}

function bad(message: string): Decoded {
  return { ok: false, failure: 'bad_encoding', message };
}

function tooLarge(): Decoded {
  return { ok: false, failure: 'too_large', message: 'The answer is larger than the limit.' };
}
