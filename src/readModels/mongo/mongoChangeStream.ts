/**
 * On a replica set the server announces the batches of the outbox. This only tells the reader that there is one to
 * read: the sequence is the same as without, and a broken stream costs only time.
 */
import { ChangeStream, type ChangeStreamInsertDocument } from 'mongodb';
import type { Batch } from './mongoBatch.ts';
import type { Outbox } from './mongoOutbox.ts';
import { createPause } from './mongoPause.ts';
import type { Tailer } from './mongoTailer.ts';

export type Announcements = { close(): Promise<void> };

const RETRY_MS = 1_000;

export function followChangeStream(
  outbox: Pick<Outbox, 'batches'>,
  tailer: Pick<Tailer, 'announce' | 'setAnnounced'>,
  onFailure: (error: unknown) => void,
): Announcements {
  const pause = createPause();
  let closed = false;
  let stream: ChangeStream<Batch, ChangeStreamInsertDocument<Batch>> | null = null;

  async function follow(): Promise<void> {
    while (!closed) {
      try {
        stream = outbox.batches.watch<Batch, ChangeStreamInsertDocument<Batch>>([
          { $match: { operationType: 'insert' } },
          { $project: { 'documentKey._id': 1 } },
        ]);
        // With the server's first answer: whatever is written from then on will be announced.
        stream.once(ChangeStream.RESUME_TOKEN_CHANGED, () => tailer.setAnnounced(!closed));
        for await (const { documentKey } of stream) tailer.announce(Number(documentKey._id));
      } catch (error) {
        if (!closed) onFailure(error);
      }
      tailer.setAnnounced(false);
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
