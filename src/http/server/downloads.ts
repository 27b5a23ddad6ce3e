import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/**
 * The body of a download. One that fails midway ends the connection, so that the client knows that its file is
 * incomplete; a client that goes away ends the source. Said here because the compression between the two passes on
 * neither.
 */
export function downloadFor(response: ServerResponse, chunks: AsyncIterable<string>): Readable {
  const source = Readable.from(chunks);
  source.once('error', () => response.destroy());
  response.once('close', () => source.destroy());
  return source;
}
