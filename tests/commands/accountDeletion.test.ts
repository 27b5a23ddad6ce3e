/** The rest of an account after its deletion. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type ListOwned, MODELS_OF_ACCOUNT_PARTS } from '../../src/commands/account/accountParts.ts';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../src/commands/account/eraseAccount.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { deleteJob } from '../../src/commands/job/deleteJob.ts';
import { countingReads } from '../given/commands.ts';
import { LEAVER, leaver, ownedOf, traces } from '../given/leaver.ts';
import { metadataAt } from '../given/stores/metadata.ts';

describe('deleting an account', () => {
  it('keeps the facts and erases all content', async () => {
    const { made, userId } = await leaver();
    expect((await traces(made)).length).toBeGreaterThan(3);
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await traces(made)).toEqual([]);
    expect(await made.types(`account-${userId}`)).toEqual(['AccountDeleted']);
    expect(await made.types('session-')).toEqual(['SessionEnded']);
    expect(await made.types('job-')).toEqual(['JobDeleted', 'JobDeleted']);
    expect(await made.types('api-keys-')).toEqual(['ApiKeysClosed']);
    expect(await made.types('billing-')).toEqual([
      'AnalysisReserved',
      'AnalysisReserved',
      'AnalysisConsumed',
      'AnalysisReleased',
    ]);
  });

  it('can be repeated at any time, without touching the next holder of the address', async () => {
    const { made, userId } = await leaver();
    for (let nth = 0; nth < 2; nth += 1) {
      await deleteAccount(made.context(), { userId });
      await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    }
    const next = await signUp(made.context(), { email: LEAVER, name: 'Next', passwordHash: 'x' });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await made.types(`account-${next.userId}`)).toEqual(['AccountRegistered']);
    await expect(signUp(made.context(), { email: LEAVER, name: 'Third', passwordHash: 'x' })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
  });

  it('reads no more events when other users have thousands of sessions and keyed requests', async () => {
    const readFor = async (others: number): Promise<number> => {
      const { made, userId } = await leaver();
      const by = (owner: string) => metadataAt(made.now(), { kind: 'user', id: owner });
      const session = {
        accessTokenHash: 'a',
        refreshTokenHash: 'r',
        startedAt: made.now(),
        accessExpiresAt: made.now(),
        refreshExpiresAt: made.now(),
      };
      const keyed = { bodyHash: 'h', plan: 'planted', acceptedAt: made.now() };
      await Promise.all(
        Array.from({ length: others + 1 }, async (_, index) => {
          const owner = index === 0 ? userId : `other-${index}`;
          const started = {
            id: randomUUID(),
            type: 'SessionStarted',
            data: { ...session, sessionId: `s-${index}`, userId: owner },
            metadata: by(owner),
          };
          await made.store.append(`session-s-${index}`, [started], { expected: 'no_stream' });
          const accepted = { id: randomUUID(), type: 'RequestAccepted', data: keyed, metadata: by(owner) };
          await made.store.append(`request-r-${index}`, [accepted], { expected: 'no_stream' });
        }),
      );
      await deleteAccount(made.context(), { userId });
      const lists = new Map<string, string[]>(MODELS_OF_ACCOUNT_PARTS.map((model) => [model, []]));
      for (const [model, list] of lists) for await (const name of ownedOf(made)(model, userId)) list.push(name);
      const counting = countingReads(made.store);
      const owned: ListOwned = async function* (model) {
        yield* lists.get(model) ?? [];
      };
      await eraseAccount(made.context(undefined, counting.store), { userId, owned });
      expect((await made.store.read('session-s-0')).status).toBe('found');
      expect(await made.types('session-s-0')).toEqual(['SessionEnded']);
      expect((await made.store.read('request-r-0')).status).toBe('deleted');
      expect(await made.types('request-')).toHaveLength(others);
      return counting.events();
    };
    expect(await readFor(3_000)).toBe(await readFor(0));
  });

  it('erases submitted data of jobs that their owner deleted earlier', async () => {
    const { made, userId } = await leaver();
    const done = (await made.log()).find(({ type }) => type === 'JobCompleted')?.data as { readonly jobId: string };
    await deleteJob(made.context(), done);
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await traces(made)).toEqual([]);
    expect(await made.types('job-')).toEqual(['JobDeleted', 'JobDeleted']);
  });
});
