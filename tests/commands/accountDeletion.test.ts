/** The deletion of an account, dying at every write, is finished by its owner: the reconciler. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ListOwned } from '../../src/commands/accountParts.ts';
import { createApiKey } from '../../src/commands/createApiKey.ts';
import { deleteAccount } from '../../src/commands/deleteAccount.ts';
import { eraseAccount } from '../../src/commands/eraseAccount.ts';
import { reconcileAccountDeletions } from '../../src/commands/reconcileAccountDeletions.ts';
import { signUp } from '../../src/commands/signUp.ts';
import { startSession } from '../../src/commands/startSession.ts';
import { submitJobs } from '../../src/commands/submitJobs.ts';
import { START } from '../../src/eventStore/eventStore.ts';
import { completeJob } from '../given/auditedJob.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';

const EMAIL = 'planted@example.com';
const KINDS = { sessions: 'SessionStarted', jobs: 'JobSubmitted' } as const;

/** As the read models would list them: what the log says was begun. */
const ownedOf = (made: Product): ListOwned =>
  async function* (model, userId) {
    for (const { type, data, stream } of await made.log()) {
      if (type === KINDS[model as keyof typeof KINDS] && (data as { userId: string }).userId === userId) yield stream.replace(/^(session|job)-/, '');
    }
  };

async function livedIn(): Promise<{ made: Product; userId: string }> {
  const made = await withAdmin();
  const userId = await userOf(made, EMAIL);
  const newToken = () => randomBytes(32).toString('base64url');
  await startSession(made.context(), { userId, newToken });
  await createApiKey(made.context(), { userId, name: 'PLANTED', scope: 'read', expiresAt: null, newToken });
  const site = { url: 'https://planted.example/', host: 'planted.example' };
  const { jobIds } = await submitJobs(made.context(), { userId, sites: [site, { ...site, url: `${site.url}b` }], bounds: { maxPages: 5, maxMs: 1_000 } });
  await completeJob(made, jobIds[0] ?? '', userId);
  return { made, userId };
}

const traces = async (made: Product): Promise<readonly string[]> =>
  (await made.log()).filter((event) => /planted|hash of/i.test(JSON.stringify(event.data))).map((event) => event.type);

describe('deleting an account', () => {
  it('keeps the facts and nothing of what it knew', async () => {
    const { made, userId } = await livedIn();
    expect((await traces(made)).length).toBeGreaterThan(3);
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await traces(made)).toEqual([]);
    expect(await made.types(`account-${userId}`)).toEqual(['AccountDeleted']);
    expect(await made.types('session-')).toEqual(['SessionEnded']);
    expect(await made.types('job-')).toEqual(['JobDeleted', 'JobDeleted']);
    expect(await made.types('api-keys-')).toEqual(['ApiKeysClosed']);
    expect(await made.types('billing-')).toEqual(['AnalysisReserved', 'AnalysisReserved', 'AnalysisConsumed', 'AnalysisReleased']);
  });

  it('can be repeated at any time, and leaves who has the address now alone', async () => {
    const { made, userId } = await livedIn();
    for (let nth = 0; nth < 2; nth += 1) {
      await deleteAccount(made.context(), { userId });
      await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    }
    const next = await signUp(made.context(), { email: EMAIL, name: 'Next', passwordHash: 'x' });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    expect(await made.types(`account-${next.userId}`)).toEqual(['AccountRegistered']);
    await expect(signUp(made.context(), { email: EMAIL, name: 'Third', passwordHash: 'x' })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  it('that dies on the way is finished by the reconciler', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, userId } = await livedIn();
      const context = made.context('command-1', breaking(made.store));
      const died = await orCrash(
        (async () => {
          await deleteAccount(context, { userId });
          await eraseAccount(context, { userId, owned: ownedOf(made) });
        })(),
      );
      const deleted = (await made.types(`account-${userId}`)).includes('AccountDeleted');
      if (died !== 'crashed') expect(deleted).toBe(true);
      await reconcileAccountDeletions(made.context(), { after: START, owned: ownedOf(made), reached: async () => true });
      if (deleted) expect(await traces(made)).toEqual([]);
      else expect((await traces(made)).length).toBeGreaterThan(3);
    });
    expect(deaths).toBeGreaterThan(15);
  });

  it('is gone over again for ten minutes, because of what was under way, and then left behind', async () => {
    const { made, userId } = await livedIn();
    await deleteAccount(made.context(), { userId });
    const round = (after: string) => reconcileAccountDeletions(made.context(), { after, owned: ownedOf(made), reached: async () => true });
    expect((await round(START)).next).toBe(START);
    made.pass(11);
    const { next } = await round(START);
    expect(next > START).toBe(true);
    expect((await round(next)).next >= next).toBe(true);
  });

  it('waits for the read models that its lists come from', async () => {
    const { made, userId } = await livedIn();
    await deleteAccount(made.context(), { userId });
    await reconcileAccountDeletions(made.context(), { after: START, owned: ownedOf(made), reached: async () => false });
    expect((await traces(made)).length).toBeGreaterThan(3);
  });
});
