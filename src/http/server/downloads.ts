import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Download } from '../request/reply.ts';

/**
 * The body of a download. One that fails midway ends the connection, so that the client knows that its file is
 * incomplete; a client that goes away ends the source, and so does one that takes no chunk for `stalledMs`. Said here
 * because the compression between the two passes on neither.
 */
export function downloadFor(
  response: ServerResponse,
  { chunks, stalledMs }: Pick<Download, 'chunks' | 'stalledMs'>,
): Readable {
  const source = Readable.from(stalledMs === null ? chunks : watched(chunks, stalledMs, () => response.destroy()));
  source.once('error', () => response.destroy());
  response.once('close', () => source.destroy());
  return source;
}

/** Calls `stalled` if a chunk has been handed out for so long without another one being asked for. */
function watched(chunks: AsyncIterable<string>, ms: number, stalled: () => void): AsyncIterable<string> {
  const from = chunks[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  // Not a generator: one that never began would not pass on that nobody wants it.
  const iterator: AsyncIterator<string> = {
    next: async () => {
      clearTimeout(timer);
      const result = await from.next();
      if (!isOver && !result.done) timer = setTimeout(stalled, ms);
      return result;
    },
    return: async () => {
      isOver = true;
      clearTimeout(timer);
      return (await from.return?.()) ?? { done: true, value: undefined };
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
