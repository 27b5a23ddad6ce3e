import { describe, expect, it } from 'vitest';
import { grantAdmin } from '../../../src/commands/account/grantAdmin.ts';
import { createApiKey } from '../../../src/commands/apiKeys/createApiKey.ts';
import { handle, loadState } from '../../../src/commands/handle.ts';
import { accountDecider } from '../../../src/domain/account/decide.ts';
import { accountStream } from '../../../src/domain/account/events.ts';
import { apiKeysDecider } from '../../../src/domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../../src/domain/apiKeys/events.ts';
import type { ApiKeyScope } from '../../../src/model/programs.ts';
import { createAnalystKeys } from '../../../src/work/followers/analystKeys.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { followLog } from '../../given/work/following.ts';

let drawn = 0;
const newToken = (): string => {
  drawn += 1;
  return `secret${String(drawn).padStart(37, '0')}`;
};

/** An admin with keys of each scope, whose right is withdrawn. */
async function withdrawn(): Promise<{
  readonly made: Product;
  readonly userId: string;
  readonly make: (scope: ApiKeyScope) => Promise<string>;
}> {
  const made = await withAdmin();
  const userId = await userOf(made);
  const make = async (scope: ApiKeyScope) =>
    (await createApiKey(made.context(), { userId, name: scope, scope, expiresAt: null, newToken })).keyId;
  await grantAdmin(made.context(), { userId, reason: 'operator' });
  return { made, userId, make };
}

const withdraw = ({ made, userId }: { readonly made: Product; readonly userId: string }) =>
  handle(made.context(), accountDecider, accountStream(userId), {
    type: 'RevokeAdmin',
    reason: 'operator',
    at: made.context().now(),
  });
const keysOf = async (made: Product, userId: string) =>
  Object.keys((await loadState(made.store, apiKeysDecider, apiKeysStream(userId))).state.keys);
const follow = (made: Product) => followLog(made.store, createAnalystKeys({ context: made.context }));

describe('the analyst keys of a former admin', () => {
  it('are revoked once, wherever it crashed', async () => {
    const deaths = await atEveryCrash(async (breaking) => {
      const given = await withdrawn();
      const { made, userId, make } = given;
      const own = await make('read');
      for (const scope of ['reports:read', 'events:read'] as const) await make(scope);
      await withdraw(given);
      const store = breaking(made.store);
      await orCrash(followLog(made.store, createAnalystKeys({ context: (cause) => made.context(cause, store) })));
      await follow(made);
      expect(await keysOf(made, userId)).toEqual([own]);
      const written = (await made.log()).length;
      await follow(made);
      expect(await made.log()).toHaveLength(written);
    });
    expect(deaths).toBe(4);
  });

  it('stay if created under a right granted again', async () => {
    const given = await withdrawn();
    const { made, userId, make } = given;
    await withdraw(given);
    made.pass(1);
    await grantAdmin(made.context(), { userId, reason: 'operator' });
    const kept = await make('reports:read');
    await follow(made);
    expect(await keysOf(made, userId)).toEqual([kept]);
  });

  it('are revoked even if a clock was ahead, or if created at that very moment', async () => {
    const given = await withdrawn();
    const { made, userId, make } = given;
    const ahead = { ...made.context(), now: () => '2026-03-10T12:00:01.000Z' };
    await createApiKey(ahead, { userId, name: 'Ahead', scope: 'reports:read', expiresAt: null, newToken });
    await withdraw(given);
    await make('reports:read');
    await follow(made);
    expect(await keysOf(made, userId)).toEqual([]);
  });

  it('stay while nothing is withdrawn, and other users’ keys always stay', async () => {
    const given = await withdrawn();
    const kept = await given.make('reports:read');
    await follow(given.made);
    expect(await keysOf(given.made, given.userId)).toEqual([kept]);
  });
});
