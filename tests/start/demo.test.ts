/** The demo admin: created once, and its password printed only while it is valid. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { changeEmail } from '../../src/commands/account/changeEmail.ts';
import { changePassword } from '../../src/commands/account/changePassword.ts';
import { deleteAccount } from '../../src/commands/account/deleteAccount.ts';
import { eraseAccount } from '../../src/commands/account/eraseAccount.ts';
import { logIn } from '../../src/commands/session/logIn.ts';
import { StoreUnavailable } from '../../src/eventStore/eventStore.ts';
import { openDemoAdmin } from '../../src/start/demo.ts';
import { product, userOf } from '../given/commands.ts';
import { temporaryData } from '../given/product/builtServer.ts';

const folders: ReturnType<typeof temporaryData>[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

/** Like argon2, without the cost. */
const passwords = {
  hash: async (password: string) => `hash of ${password}`,
  verify: async (hash: string | null, password: string) => hash === `hash of ${password}`,
};

async function installation() {
  const made = product();
  const data = temporaryData();
  folders.push(data);
  const start = () => openDemoAdmin(made.context(randomUUID()), passwords, data.dir);
  const userIdOf = async (password: string) =>
    (await logIn({ store: made.store }, { email: 'admin@example.com', password, verifyPassword: passwords.verify }))
      .userId;
  return { made, data, start, userIdOf, file: join(data.dir, 'demo-admin-password') };
}

describe('the demo admin', () => {
  it('is created once, with a password file that only its owner can read, printed at each start', async () => {
    const { made, start, userIdOf, file } = await installation();
    const first = await start();
    expect(await start()).toEqual(first);
    expect(readFileSync(file, 'utf8').trim()).toBe(first?.password);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(await made.types(`account-${await userIdOf(first?.password ?? '')}`)).toEqual([
      'AccountRegistered',
      'AccountAdminGranted',
    ]);
  });

  it('has no password to print once it was changed', async () => {
    const { made, start, userIdOf } = await installation();
    const userId = await userIdOf((await start())?.password ?? '');
    await changePassword(made.context(randomUUID()), { userId, passwordHash: 'hash of another', keptSessionId: 'one' });
    expect(await start()).toEqual({ email: 'admin@example.com', password: null, isLost: false });
  });

  it('is left out if the store does not say whether its password is valid', async () => {
    const { made, data } = await installation();
    const context = made.context(randomUUID());
    await openDemoAdmin(context, passwords, data.dir);
    const read: typeof made.store.read = async (stream, how) => {
      if (stream.startsWith('account-')) throw new StoreUnavailable('gone');
      return made.store.read(stream, how);
    };
    const store = new Proxy(made.store, { get: (target, key) => (key === 'read' ? read : Reflect.get(target, key)) });
    expect(await openDemoAdmin({ ...context, store }, passwords, data.dir)).toBeNull();
  });

  it('says that its password is lost if the file is missing, as after a restore', async () => {
    const { start, file } = await installation();
    await start();
    rmSync(file);
    expect(await start()).toEqual({ email: 'admin@example.com', password: null, isLost: true });
  });

  it('is not created again after its address was changed or it was deleted', async () => {
    const moved = await installation();
    const userId = await moved.userIdOf((await moved.start())?.password ?? '');
    await changeEmail(moved.made.context(randomUUID()), { userId, email: 'ada@example.com' });
    expect(await moved.start()).toBeNull();
    const gone = await installation();
    const id = await gone.userIdOf((await gone.start())?.password ?? '');
    await deleteAccount(gone.made.context(randomUUID()), { userId: id });
    await eraseAccount(gone.made.context(randomUUID()), { userId: id, owned: async function* () {} });
    expect(await gone.start()).toBeNull();
  });

  it('is created in an installation with other users, and after an interrupted first start', async () => {
    const lived = await installation();
    await userOf(lived.made);
    const first = await lived.start();
    expect(await lived.made.types(`account-${await lived.userIdOf(first?.password ?? '')}`)).toContain(
      'AccountAdminGranted',
    );
    const broken = await installation();
    await openDemoAdmin(
      broken.made.context(),
      { ...passwords, hash: async () => Promise.reject(new Error('power cut')) },
      join(broken.file, '..'),
    ).catch(() => undefined);
    expect(existsSync(broken.file)).toBe(true);
    expect(await broken.userIdOf((await broken.start())?.password ?? '')).toBeTruthy();
  });
});
