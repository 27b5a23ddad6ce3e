import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../../src/commands/account/changeEmail.ts';
import { type SignUp, signUp } from '../../../src/commands/account/signUp.ts';
import { loadState } from '../../../src/commands/handle.ts';
import { accountDecider } from '../../../src/domain/account/decide.ts';
import { accountStream } from '../../../src/domain/account/events.ts';
import { createFinishedSignUps } from '../../../src/work/followers/finishedSignUps.ts';
import { atEveryCrash, orCrash, type Product, product, userOf, withAdmin } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';

const ann: SignUp = { email: 'ann@example.com', name: 'Ann', passwordHash: 'hash' };
const follow = (made: Product, adminEmail?: string) =>
  followLog(made.store, createFinishedSignUps({ context: made.context, adminEmail }));

/** Who may administer. */
async function admins(made: Product): Promise<readonly string[]> {
  const ids = (await made.log())
    .filter(({ type }) => type === 'AccountRegistered')
    .map(({ data }) => (data as { userId: string }).userId);
  const states = await Promise.all(
    ids.map(async (userId) => (await loadState(made.store, accountDecider, accountStream(userId))).state),
  );
  return states.flatMap((state) => (state.status === 'active' && state.isAdmin ? [state.email] : []));
}

describe('a sign-up that crashed after its address was claimed', () => {
  it.each([
    ['the first account', undefined],
    ['the configured account', 'Ann@example.com'],
  ])('is completed: %s becomes admin', async (_who, adminEmail) => {
    const outcomes = new Set<number>();
    await atEveryCrash(async (breaking) => {
      const made = product();
      await orCrash(signUp(made.context('command-1', breaking(made.store)), { ...ann, adminEmail }));
      await follow(made, adminEmail);
      const claimed = (await made.types('email-')).includes('EmailClaimed');
      expect(await admins(made)).toEqual(claimed ? ['ann@example.com'] : []);
      outcomes.add((await admins(made)).length);
      const before = (await made.log()).length;
      await follow(made, adminEmail);
      expect(await made.log()).toHaveLength(before);
    });
    expect(outcomes).toEqual(new Set([0, 1]));
  });
});

describe('the right to administer', () => {
  it('is not given to the first stranger where an address is configured', async () => {
    const made = product();
    await signUp(made.context(), { ...ann, email: 'stranger@example.com', adminEmail: ann.email });
    await follow(made, ann.email);
    expect(await admins(made)).toEqual([]);
  });

  it('is not given for changing to the configured address', async () => {
    const made = await withAdmin();
    const userId = await userOf(made, 'bob@example.com');
    await changeEmail(made.context(), { userId, email: ann.email });
    await follow(made, ann.email);
    expect(await admins(made)).toEqual(['admin@example.com']);
  });
});
