/** Giving up an item ends the attempt that its holder knows of, never one that another worker has begun since. */
import { describe, expect, it } from 'vitest';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { dropPending, giveUpHeld } from '../../src/commands/work/giveUpWork.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { decideOn } from '../given/audit/auditedJob.ts';
import { type Product, userOf, withAdmin } from '../given/commands.ts';

async function running() {
  const made = await withAdmin();
  const userId = await userOf(made);
  const sites = [{ url: 'https://one.example/', host: 'one.example' }];
  const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: { maxPages: 50, maxMs: 180_000 } });
  const item = { kind: 'audit', itemId: jobIds[0] ?? '', lane: userId, opener: { type: 'JobSubmitted' } };
  await decideOn(made, item.itemId, { type: 'StartJob', at: made.now() });
  return { made, item };
}

/** Another worker starts the job between the read of its stream and the write. */
function takenUpMeanwhile(made: Product, jobId: string): EventStore {
  let taken = false;
  return Object.assign(Object.create(made.store) as EventStore, {
    append: async (...input: Parameters<EventStore['append']>) => {
      if (!taken) {
        taken = true;
        await decideOn(made, jobId, { type: 'StartJob', at: made.now() });
      }
      return made.store.append(...input);
    },
  });
}

describe('giving up an item', () => {
  it('writes the event, and returns its position', async () => {
    const { made, item } = await running();
    const position = await giveUpHeld(made.context(), item, 'failed', () => true);
    expect((await made.log()).at(-1)).toMatchObject({ type: 'JobFailed', position });
    expect(await giveUpHeld(made.context(), item, 'failed', () => true)).toBe(position);
  });

  it('writes nothing once another attempt has begun', async () => {
    const { made, item } = await running();
    const context = { ...made.context(), store: takenUpMeanwhile(made, item.itemId) };
    expect(await giveUpHeld(context, item, 'vanished', () => true)).toBeNull();
    expect((await made.types('job-')).slice(-2)).toEqual(['JobStarted', 'JobStarted']);
  });

  it('writes nothing once the claim is lost', async () => {
    const { made, item } = await running();
    await expect(giveUpHeld(made.context(), item, 'failed', () => false)).rejects.toThrow('Another worker');
    expect(await made.types('job-')).not.toContain('JobFailed');
  });
});

it('by an operator drops it whoever holds it', async () => {
  const { made, item } = await running();
  await dropPending({ ...made.context(), store: takenUpMeanwhile(made, item.itemId) }, item);
  expect((await made.types('job-')).slice(-2)).toEqual(['JobStarted', 'JobFailed']);
});
