/** The state of a snapshot as bytes: compressed off the event loop, and bounded. */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

/** A MongoDB document holds at most 16 MB, its other fields included. */
const MOST_BYTES = 15 * 1024 * 1024;
/** Characters. Anything longer would not fit however well it compresses, and would take long to try. */
const MOST_TEXT = 20 * MOST_BYTES;

/** With the library's default of 16 KB, joining the chunks takes longer than decompressing them. */
const chunkSize = 1024 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Null if it is too large to be stored. */
export async function packed(state: string): Promise<Buffer | null> {
  if (state.length > MOST_TEXT) return null;
  const bytes = await compress(state, { level: constants.Z_BEST_SPEED, chunkSize });
  return bytes.length <= MOST_BYTES ? bytes : null;
}

/** Null if it cannot be read: truncated, or something else. */
export async function unpacked(bytes: Uint8Array): Promise<string | null> {
  try {
    return (await decompress(bytes, { maxOutputLength: 4 * MOST_TEXT, chunkSize })).toString('utf8');
  } catch {
    return null;
  }
}
