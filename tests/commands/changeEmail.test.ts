import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../src/commands/account/changeEmail.ts';
import { emailStreamOf } from '../../src/commands/account/emailStreamOf.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { loadState } from '../../src/commands/handle.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { emailDecider } from '../../src/domain/account/email.ts';
import { accountStream } from '../../src/domain/account/events.ts';
import { type Product, userOf, withAdmin } from '../given/commands.ts';

const NEW = 'new@example.com';
const OLD = 'ann@example.com';

const ownerOf = async ({ store }: Product, email: string) =>
  (await loadState(store, emailDecider, emailStreamOf(email))).state.userId;
const emailOf = async ({ store }: Product, userId: string) => {
  const { state } = await loadState(store, accountDecider, accountStream(userId));
  return state.status === 'active' ? state.email : null;
};

describe('changing the email address', () => {
  it('claims the new one, in any spelling, and releases the old one', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await changeEmail(made.context(), { userId: ann, email: ' NEW@example.com' });
    expect([await emailOf(made, ann), await ownerOf(made, NEW), await ownerOf(made, OLD)]).toEqual([NEW, ann, null]);
    const bob = await signUp(made.context(), { email: OLD, name: 'Bob', passwordHash: 'hash' });
    expect(await ownerOf(made, OLD)).toBe(bob.userId);
  });

  it('is refused when the address is taken, and changes nothing', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await userOf(made, NEW);
    await expect(changeEmail(made.context(), { userId: ann, email: NEW })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect([await emailOf(made, ann), await ownerOf(made, OLD)]).toEqual([OLD, ann]);
  });

  it('and changing it back keeps the account intact', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    await changeEmail(made.context(), { userId: ann, email: NEW });
    await changeEmail(made.context(), { userId: ann, email: OLD });
    expect([await emailOf(made, ann), await ownerOf(made, OLD), await ownerOf(made, NEW)]).toEqual([OLD, ann, null]);
  });
});
