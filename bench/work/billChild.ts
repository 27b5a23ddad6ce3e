/** The first submission after a start, in a process of its own: `bill.ts` asks for it. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { contextOf } from '../../src/commands/context.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { snapshotsOfAccount } from '../../src/commands/snapshots/kinds.ts';
import { openStores } from '../../src/start/openStores.ts';
import { timed } from '../measure.ts';

/** `isSnapped`: the process before has left a snapshot; else it is removed. */
export type FirstCommand = {
  readonly dir: string;
  readonly submission: Parameters<typeof submitJobs>[1];
  readonly isSnapped: boolean;
};

async function first({ dir, submission, isSnapped }: FirstCommand): Promise<number> {
  const stores = await openStores({ servers: null, DATA_DIR: dir }, pino({ level: 'error' }, pino.destination(2)));
  for (const place of snapshotsOfAccount(submission.userId)) {
    if (!isSnapped) await stores.snapshots.remove(place);
    else if ((await stores.snapshots.list({ limit: 1 })).length === 0) throw new Error('There is no snapshot.');
  }
  const now = (): string => new Date().toISOString();
  const context = contextOf(
    { store: stores.store, now, commandId: randomUUID(), actor: { kind: 'system', id: 'bench' } },
    null,
  );
  const ms = await timed(() => submitJobs(context, submission));
  // With the snapshot that was made of what was folded.
  await stores.close();
  return ms;
}

process.on('message', async (asked: FirstCommand) => process.send?.({ ms: await first(asked) }));
