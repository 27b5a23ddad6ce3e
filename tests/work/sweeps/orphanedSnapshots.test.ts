import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../../src/commands/account/eraseAccount.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { billForm } from '../../../src/commands/snapshots/billForm.ts';
import { snapshotKinds } from '../../../src/commands/snapshots/kinds.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import { type Snapshot, snapshotPosition } from '../../../src/readModels/snapshots.ts';
import { createDeletedAccounts } from '../../../src/work/followers/deletedAccounts.ts';
import { createOrphanedSnapshots } from '../../../src/work/sweeps/orphanedSnapshots.ts';
import { product, userOf, withAdmin } from '../../given/commands.ts';
import { ownedOf } from '../../given/leaver.ts';
import { startedOn } from '../../given/stores/keptSnapshots.ts';
import { memoryReadModels } from '../../given/stores/readModels.ts';
import { asOfIf, followLog } from '../../given/work/following.ts';

const still = new AbortController().signal;

/** Users, each with a bill and a snapshot of it. */
async function kept(...names: readonly string[]) {
  const made = await withAdmin(product());
  const { snapshots } = memoryReadModels();
  const process = startedOn(made.store, { snapshots, forms: [billForm] });
  const users: Record<string, string> = {};
  for (const name of names) {
    const userId = await userOf(made, `${name}@example.com`);
    const grant = {
      type: 'GrantCredits',
      userId,
      grantId: 'grant-1',
      credits: 3,
      noteId: 'note-1',
      at: made.now(),
    } as const;
    await handle(made.context(), billingDecider, billingStream(userId), grant);
    await loadState(process.store, { ...billingDecider, keptFrom: 1 }, billingStream(userId));
    users[name] = userId;
  }
  await process.settled();
  const sweep = createOrphanedSnapshots({ snapshots, kinds: snapshotKinds(made.store) });
  return {
    made,
    snapshots,
    users,
    place: (name: string) => ({ name: billForm.name, key: billingStream(users[name] ?? '') }),
    sweep: async () => (await sweep.run(null, still)).done,
    left: async () =>
      (await snapshots.list({ limit: 1_000 }))
        .map(({ key }) => Object.keys(users).find((name) => key === billingStream(users[name] ?? '')) ?? key)
        .sort(),
  };
}

describe('orphaned snapshots', () => {
  it('are removed, and no others', async () => {
    const { made, snapshots, place, sweep, left } = await kept(
      'stays',
      'other event',
      'beyond',
      'earlier version',
      'later version',
    );
    const change = async (name: string, changes: Partial<Snapshot>) => {
      const snapshot = await snapshots.read(place(name));
      if (!snapshot) throw new Error('None was kept.');
      await snapshots.remove(snapshot);
      await snapshots.write({ ...snapshot, ...changes });
    };
    await change('other event', { hash: 'of another' });
    await change('beyond', { position: snapshotPosition(77n) });
    await change('earlier version', { version: billForm.version - 1 });
    await change('later version', { version: billForm.version + 1 });
    await change('stays', {});
    const other = await snapshots.read(place('stays'));
    await snapshots.write({ ...other!, name: 'report-revenue', key: 'now' });
    await snapshots.write({ ...other!, key: billingStream('nobody') });
    expect(await sweep()).toBe(5);
    expect(await left()).toEqual(['now', 'stays']);
    expect(await sweep()).toBe(0);
    expect((await loadState(made.store, billingDecider, place('stays').key)).state.credits).toBe(3);
  });

  it('are found among many', async () => {
    const { snapshots, place, sweep, left } = await kept('stays');
    const snapshot = await snapshots.read(place('stays'));
    for (let nth = 0; nth < 450; nth += 1) await snapshots.write({ ...snapshot!, key: billingStream(`gone-${nth}`) });
    expect(await sweep()).toBe(450);
    expect(await left()).toEqual(['stays']);
  });

  it('are removed with their account: by the follower, and by the sweep if written at that moment', async () => {
    const { made, snapshots, users, place, sweep, left } = await kept('leaves', 'stays');
    const userId = users.leaves ?? '';
    const late = await snapshots.read(place('leaves'));
    await deleteAccount(made.context(), { userId });
    await eraseAccount(made.context(), { userId, owned: ownedOf(made) });
    await followLog(
      made.store,
      createDeletedAccounts({
        context: made.context,
        owned: ownedOf(made),
        asOf: asOfIf(true),
        mailer: null,
        snapshots,
      }),
    );
    expect(await left()).toEqual(['stays']);
    await snapshots.write(late!);
    expect(await sweep()).toBe(1);
    expect(await left()).toEqual(['stays']);
  });
});
