import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { NotYet } from '../../../src/work/follower.ts';
import { createDeletedAccounts } from '../../../src/work/followers/deletedAccounts.ts';
import { atEveryCrash, orCrash, type Product } from '../../given/commands.ts';
import { leaver, ownedOf, traces } from '../../given/leaver.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';

function follow(made: Product, reached = true, forgotten: string[] = []): Promise<void> {
  const snapshots = { remove: async () => undefined };
  const mailer = { forget: async (userId: string) => void forgotten.push(userId) };
  return followLog(
    made.store,
    createDeletedAccounts({ context: made.context, owned: ownedOf(made), asOf: asOfIf(reached), mailer, snapshots }),
  );
}

describe('a deleted account', () => {
  it('is erased, with emails to it, after its command crashed', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const { made, userId } = await leaver();
      const context = made.context('command-1', breaking(made.store));
      await orCrash(
        deleteAccount(context, { userId }).then(() => eraseAccount(context, { userId, owned: ownedOf(made) })),
      );
      const deleted = (await made.types(`account-${userId}`)).includes('AccountDeleted');
      const forgotten: string[] = [];
      await follow(made, true, forgotten);
      expect((await traces(made)).length > 0).toBe(!deleted);
      expect(forgotten).toEqual(deleted ? [userId] : []);
      const before = (await made.log()).length;
      await follow(made);
      expect(await made.log()).toHaveLength(before);
    });
    expect(deaths).toBeGreaterThan(30);
  });

  it('is erased alongside its owner’s own command, which succeeds', async () => {
    const { made, userId } = await leaver();
    await deleteAccount(made.context(), { userId });
    await Promise.all([eraseAccount(made.context(), { userId, owned: ownedOf(made) }), follow(made), follow(made)]);
    expect(await traces(made)).toEqual([]);
  });

  it('waits for the read models of its lists, unless nothing of it is left', async () => {
    const { made, userId } = await leaver();
    await deleteAccount(made.context(), { userId });
    await expect(follow(made, false)).rejects.toBeInstanceOf(NotYet);
    expect((await traces(made)).length).toBeGreaterThan(3);
    await follow(made);
    await follow(made, false);
    expect(await traces(made)).toEqual([]);
  });
});
