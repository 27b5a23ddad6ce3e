import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { startSession } from '../../../src/commands/session/startSession.ts';
import type { RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { createLateWrites } from '../../../src/work/sweeps/lateWrites.ts';
import type { Product } from '../../given/commands.ts';
import { leaver, ownedOf, traces } from '../../given/leaver.ts';
import { metadataAt } from '../../given/stores/metadata.ts';
import { asOfIf, still } from '../../given/work/following.ts';

function sweep(made: Product, kept: string | null = null, { reached = true, forgotten = [] as string[] } = {}) {
  const mailer = { forget: async (userId: string) => void forgotten.push(userId) };
  return createLateWrites({ context: made.context, owned: ownedOf(made), asOf: asOfIf(reached), mailer }).run(
    kept,
    still,
  );
}

/** A log-in and a submission that had read the account before it was deleted. */
async function writeLate(made: Product, userId: string, before: readonly RecordedEvent[]): Promise<void> {
  const account = before.filter(({ stream }) => stream === `account-${userId}`);
  const asItWas = Object.assign(Object.create(made.store) as typeof made.store, {
    read: async (...input: Parameters<typeof made.store.read>) =>
      input[0] === `account-${userId}`
        ? { status: 'found', events: account, revision: account.at(-1)?.revision ?? 0n }
        : made.store.read(...input),
  });
  await startSession(made.context(undefined, asItWas), { userId, newToken: () => 'x'.repeat(43) });
  const sites = [{ url: 'https://planted.example/', host: 'planted.example' }];
  await submitJobs(made.context(undefined, asItWas), { userId, sites, bounds: { maxPages: 1, maxMs: 1 } });
  const key = {
    id: crypto.randomUUID(),
    type: 'RequestAccepted',
    data: { bodyHash: 'hash', plan: 'planted', acceptedAt: made.now() },
    metadata: metadataAt(made.now(), { kind: 'user', id: userId }),
  };
  await made.store.append('request-late', [key], { expected: 'no_stream' });
}

describe('a deleted account', () => {
  it('is erased once more after ten minutes, because of concurrent writes', async () => {
    const { made, userId } = await leaver();
    const before = await made.log();
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    made.pass(1);
    await writeLate(made, userId, before);
    expect((await traces(made)).length).toBeGreaterThan(1);
    const early = await sweep(made);
    expect(early.done).toBe(0);
    made.pass(10);
    const forgotten: string[] = [];
    const { done, kept } = await sweep(made, early.kept, { forgotten });
    expect([done, forgotten]).toEqual([1, [userId]]);
    expect(await traces(made)).toEqual([]);
    expect((await made.types('session-')).filter((type) => type !== 'SessionEnded')).toEqual([]);
    const written = (await made.log()).length;
    expect((await sweep(made, kept)).done).toBe(0);
    expect(await made.log()).toHaveLength(written);
  });

  it('waits for the read models', async () => {
    const { made, userId } = await leaver();
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    made.pass(11);
    const waiting = await sweep(made, null, { reached: false });
    expect(waiting.done).toBe(0);
    expect((await sweep(made, waiting.kept)).done).toBe(1);
  });
});
