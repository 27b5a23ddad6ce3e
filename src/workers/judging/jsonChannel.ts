/** Large plain JSON between processes: neither side is busy with all of it at once. */
import { on } from 'node:events';
import { createJsonLinesReader } from '../jsonLines.ts';
import { jsonPieces } from '../jsonPieces.ts';

/** A process that was started with such a channel, or the present one if it was. */
type Port = NodeJS.EventEmitter & { send?: (message: string, sent: (error: Error | null) => void) => boolean };

export type JsonChannel = {
  /** Piece by piece, each once the other side has read the one before. */
  readonly send: (value: unknown) => Promise<void>;
  readonly receive: () => Promise<unknown>;
};

const READ = 'read';
const END = 'end';

/** One value goes one way at a time. @throws the signal's reason once it is aborted */
export function createJsonChannel(port: Port, signal?: AbortSignal): JsonChannel {
  const inbox = on(port, 'message', signal ? { signal } : {});
  // One that has just died says so by its exit.
  const post = (message: string): void => void port.send?.(message, () => undefined);
  const next = async (): Promise<string> => {
    const { value } = await inbox.next();
    return (value as readonly [string])[0];
  };
  return {
    send: async (value) => {
      for await (const piece of jsonPieces(value)) {
        post(piece);
        await next();
      }
      post(END);
    },
    receive: async () => {
      const reader = createJsonLinesReader();
      for (let piece = await next(); piece !== END; piece = await next()) {
        for (const line of piece.split('\n')) reader.add(line);
        post(READ);
      }
      return reader.end();
    },
  };
}
