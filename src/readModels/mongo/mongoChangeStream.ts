/**
 * On a replica set the server announces that the outbox has grown. This only wakes the reader, which reads as it would without it: the sequence is the same
 * either way, and a broken stream costs only time.
 */
import type { ChangeStream } from 'mongodb';
import type { Outbox } from './mongoOutbox.ts';
import { createPause } from './mongoPause.ts';

export type Waker = { close(): Promise<void> };

const RETRY_MS = 1_000;

export function wakeByChangeStream(outbox: Pick<Outbox, 'batches'>, wake: () => void, onFailure: (error: unknown) => void): Waker {
  const pause = createPause();
  let closed = false;
  let stream: ChangeStream | null = null;

  async function follow(): Promise<void> {
    while (!closed) {
      try {
        stream = outbox.batches.watch([{ $match: { operationType: 'insert' } }, { $project: { _id: 1 } }]);
        // Picks up anything written while there was no stream.
        wake();
        for await (const _ of stream) wake();
      } catch (error) {
        if (!closed) onFailure(error);
      }
      if (!closed) await pause.wait(RETRY_MS);
    }
  }

  const following = follow();
  return {
    close: async () => {
      closed = true;
      pause.end();
      await stream?.close().catch(() => undefined);
      await following;
    },
  };
}
