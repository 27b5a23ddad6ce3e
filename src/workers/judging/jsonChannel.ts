/** Large plain JSON between threads: neither side is busy with all of it at once. */
import { on } from 'node:events';
import type { MessagePort, Worker } from 'node:worker_threads';
import { createJsonLinesReader } from '../jsonLines.ts';
import { jsonPieces } from '../jsonPieces.ts';

type Port = Worker | MessagePort;

export type JsonChannel = {
  /** Piece by piece, each once the other side has read the one before. */
  readonly send: (value: unknown) => Promise<void>;
  readonly receive: () => Promise<unknown>;
};

const READ = 'read';
const END = 'end';

/** One value goes one way at a time. @throws the signal's reason once it is aborted */
export function createJsonChannel(port: Port, signal?: AbortSignal): JsonChannel {
  // Its messages are events of both kinds of port.
  const inbox = on(port as Worker, 'message', signal ? { signal } : {});
  const next = async (): Promise<string> => {
    const { value } = await inbox.next();
    return (value as readonly [string])[0];
  };
  return {
    send: async (value) => {
      for await (const piece of jsonPieces(value)) {
        port.postMessage(piece);
        await next();
      }
      port.postMessage(END);
    },
    receive: async () => {
      const reader = createJsonLinesReader();
      for (let piece = await next(); piece !== END; piece = await next()) {
        for (const line of piece.split('\n')) reader.add(line);
        port.postMessage(READ);
      }
      return reader.end();
    },
  };
}
