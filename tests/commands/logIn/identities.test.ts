import { beforeEach, describe, expect, it } from 'vitest';
import { loadState } from '../../../src/commands/handle.ts';
import { closeLogIn } from '../../../src/commands/logIn/closeLogIn.ts';
import { accountOfIdentity, linkIdentity, unlinkIdentity } from '../../../src/commands/logIn/identities.ts';
import { logInStream } from '../../../src/domain/logIn/events.ts';
import { logInDecider, MOST_IDENTITIES } from '../../../src/domain/logIn/logIn.ts';
import { type Product, product, userOf, withAdmin } from '../../given/commands.ts';

const ID = { provider: 'example', issuer: 'https://id.example.com', subject: '42', email: 'ann@example.com' };
let made: Product;
let ann: string;
let bob: string;
beforeEach(async () => {
  made = await withAdmin(product());
  ann = await userOf(made);
  bob = await userOf(made, 'bob@example.com');
});

const link = (userId: string, identity = ID) => linkIdentity(made.context(), { userId, ...identity });
const unlink = (userId: string, identityId: string, hasOtherWay = true) =>
  unlinkIdentity(made.context(), { userId, identityId, reason: 'owner', hasOtherWay });
const identitiesOf = async (userId: string) =>
  Object.keys((await loadState(made.store, logInDecider, logInStream(userId))).state.identities);
const refusedWith = (code: string) => expect.objectContaining({ code });

describe('an identity', () => {
  it('opens the account that added it, and no other can add it', async () => {
    expect(await accountOfIdentity(made.context(), ID)).toBeNull();
    const { identityId } = await link(ann);
    expect(await accountOfIdentity(made.context(), ID)).toBe(ann);
    expect(await identitiesOf(ann)).toEqual([identityId]);
    await expect(link(bob)).rejects.toEqual(refusedWith('identity_already_exists'));
    expect(await identitiesOf(bob)).toEqual([]);
  });

  it('is another one at another issuer, or with another subject', async () => {
    await link(ann);
    await link(bob, { ...ID, issuer: 'https://other.example.com' });
    await link(bob, { ...ID, subject: '43' });
    expect(await accountOfIdentity(made.context(), { ...ID, subject: '43' })).toBe(bob);
    expect(await accountOfIdentity(made.context(), ID)).toBe(ann);
  });

  it('that was removed opens nothing, and is free for others', async () => {
    const { identityId } = await link(ann);
    await unlink(ann, identityId);
    expect(await accountOfIdentity(made.context(), ID)).toBeNull();
    await link(bob);
    expect(await accountOfIdentity(made.context(), ID)).toBe(bob);
  });

  it('of another account cannot be removed, nor the last way to log in', async () => {
    const { identityId } = await link(ann);
    await expect(unlink(bob, identityId)).rejects.toEqual(refusedWith('identity_not_found'));
    await expect(unlink(ann, identityId, false)).rejects.toEqual(refusedWith('single_identity_not_deletable'));
    expect(await accountOfIdentity(made.context(), ID)).toBe(ann);
  });

  it('beyond the limit stays free', async () => {
    for (let nth = 0; nth < MOST_IDENTITIES; nth += 1) await link(ann, { ...ID, subject: `s${nth}` });
    await expect(link(ann)).rejects.toEqual(refusedWith('TOO_MANY_IDENTITIES'));
    expect(await accountOfIdentity(made.context(), ID)).toBeNull();
  });

  it('is free again once the account is deleted, which then takes none', async () => {
    await link(ann);
    await closeLogIn(made.context(), ann);
    await closeLogIn(made.context(), ann);
    expect(await accountOfIdentity(made.context(), ID)).toBeNull();
    await expect(link(ann)).rejects.toEqual(refusedWith('ACCOUNT_NOT_FOUND'));
    expect(await accountOfIdentity(made.context(), ID)).toBeNull();
    const { events } = (await made.store.read(logInStream(ann))) as { readonly events: readonly { type: string }[] };
    expect(events.map(({ type }) => type)).toEqual(['LogInClosed']);
  });
});
