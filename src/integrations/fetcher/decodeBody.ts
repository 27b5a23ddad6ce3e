/** Decodes Content-Encoding with size limits: output is counted as it is produced. */
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Failure } from './failures.ts';

export type DecodeLimits = {
  /** Limit on the output of the last layer, bytes. */
  readonly maxBytes: number;
  /** Truncate instead of failing. */
  readonly cut: boolean;
  /** The input is only the beginning of a body, so an unexpected end is not an error. */
  readonly partial: boolean;
};

export type Decoded =
  | { readonly ok: true; readonly body: Uint8Array; readonly truncated: boolean }
  | ({ readonly ok: false } & Failure);

const MAX_LAYERS = 3;
/** A higher compression ratio is treated as a decompression bomb; below the floor any ratio is harmless. */
const MAX_RATIO = 100;
const RATIO_FLOOR = 1024 * 1024;

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** Missing in some supported versions of Node. */
const createZstd = (zlib as { createZstdDecompress?: (options: { params: Record<number, number> }) => Transform })
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

export async function decodeBody(wire: Uint8Array, contentEncoding: string, limits: DecodeLimits): Promise<Decoded> {
  const named = contentEncoding
    .toLowerCase()
    .split(',')
    .map((token) => token.trim());
  const unreadable = named.find((token) => UNREADABLE.has(token));
  if (unreadable) return bad(`The answer is compressed with ${unreadable}, which was not asked for.`);
  const codings = named.flatMap((token) => CODINGS[token] ?? []);
  if (codings.length > MAX_LAYERS) return bad('The answer is compressed many times over.');
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

function decodeLayer(input: Uint8Array, coding: Coding, wireBytes: number, limits: DecodeLimits): Promise<Decoded> {
  return new Promise((resolve) => {
    const decoder = decoderFor(coding, input, limits.partial);
    const chunks: Uint8Array[] = [];
    let size = 0;
    const end = (result: Decoded): void => {
      decoder.removeAllListeners();
      decoder.on('error', () => undefined);
      decoder.destroy();
      resolve(result);
    };
    const whole = (truncated: boolean): Decoded => ({ ok: true, body: Buffer.concat(chunks, size), truncated });
    decoder.on('data', (chunk: Buffer) => {
      if (size + chunk.length > RATIO_FLOOR && size + chunk.length > wireBytes * MAX_RATIO) {
        end({
          ok: false,
          failure: 'too_large',
          message: `The answer grows to over ${MAX_RATIO} times its size when decompressed.`,
        });
        return;
      }
      const room = limits.maxBytes - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += Math.min(chunk.length, room);
      if (chunk.length > room) end(limits.cut ? whole(true) : tooLarge());
    });
    decoder.on('end', () => end(whole(limits.partial)));
    decoder.on('error', () => {
      // zstd has no option for partial input, but what was decoded before the end is valid.
      const isCut = coding === 'zstd' && limits.partial && size > 0;
      end(isCut ? whole(true) : bad(`The answer is not valid ${coding} although it says so.`));
    });
    decoder.end(input);
  });
}

/** A partial body has no trailer, so what is there is flushed. A whole one must be complete. */
function decoderFor(coding: Coding, input: Uint8Array, partial: boolean): Transform {
  if (coding === 'zstd' && createZstd) return createZstd({ params: { [ZSTD_WINDOW_LOG_MAX]: ZSTD_WINDOW_LOG } });
  if (coding === 'br')
    return zlib.createBrotliDecompress(partial ? { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH } : {});
  const options = partial ? { finishFlush: zlib.constants.Z_SYNC_FLUSH } : {};
  if (coding === 'gzip') return zlib.createGunzip(options);
  // "deflate" comes with or without the zlib header, whose first byte names the method.
  return ((input[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(options) : zlib.createInflateRaw(options);
}

function bad(message: string): Decoded {
  return { ok: false, failure: 'bad_encoding', message };
}

function tooLarge(): Decoded {
  return { ok: false, failure: 'too_large', message: 'The answer is larger than the limit.' };
}
