/** The state of a snapshot as bytes: compressed, off the event loop, and bounded. */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';

/** A document of MongoDB has 16 MB at most, its other fields included. */
const MOST_BYTES = 15 * 1024 * 1024;
/** Characters. What is longer would not fit however well it is compressed, and would take long to find out. */
const MOST_TEXT = 20 * MOST_BYTES;

/** With the library's own 16 KB, putting the pieces together takes longer than unpacking them. */
const chunkSize = 1024 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Null when it is too large to be kept. */
export async function packed(state: string): Promise<Buffer | null> {
  if (state.length > MOST_TEXT) return null;
  const bytes = await compress(state, { level: constants.Z_BEST_SPEED, chunkSize });
  return bytes.length <= MOST_BYTES ? bytes : null;
}

/** Null when it cannot be read: it was cut off, or it is something else. */
export async function unpacked(bytes: Uint8Array): Promise<string | null> {
  try {
    return (await decompress(bytes, { maxOutputLength: 4 * MOST_TEXT, chunkSize })).toString('utf8');
  } catch {
    return null;
  }
}
