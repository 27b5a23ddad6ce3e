/** Log-ins under way while a second factor is turned on: whatever comes first, no session without a code outlives it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import type { SqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { codeOf } from '../given/secondFactor.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { preparedReadModels } from '../given/stores/readModels.ts';

let interrupt: (() => Promise<void>) | null = null;
/** Calls `interrupt` right before each operation. */
function interruptible(store: SqliteEventStore): SqliteEventStore {
  const around =
    <Input extends readonly unknown[], Output>(operation: (...input: Input) => Promise<Output>) =>
    async (...input: Input): Promise<Output> => {
      await interrupt?.();
      return operation(...input);
    };
  const inherited: SqliteEventStore = Object.create(store);
  const { append, read } = store satisfies EventStore;
  return Object.assign(inherited, { append: around(append), read: around(read) });
}

let app: TestApp;
beforeAll(async () => {
  const store = memoryEventStore();
  app = await startTestApp({ stores: { store, readModels: await preparedReadModels() }, deps: { store: interruptible(store) } });
});
afterAll(() => app.close());

const logIn = ({ email, password }: TestUser) => app.call('POST', '/api/v1/auth/login', { body: { email, password } });

/** Does `other` right before the nth operation on the store that `act` makes; false if it makes fewer. */
async function interruptedAt(nth: number, act: () => Promise<unknown>, other: () => Promise<unknown>): Promise<boolean> {
  let count = 0;
  interrupt = async () => {
    count += 1;
    if (count !== nth) return;
    interrupt = null;
    await other();
  };
  await act();
  const done = interrupt === null;
  interrupt = null;
  return done;
}

async function enrolling(): Promise<{ readonly user: TestUser; readonly confirm: () => Promise<{ readonly status: number }> }> {
  const user = await app.signUp();
  const { secret } = (await user.call('POST', '/api/v1/auth/mfa/enrol', { password: user.password })).body.data;
  return { user, confirm: () => user.call('POST', '/api/v1/auth/mfa/confirm', { code: codeOf(secret, app.deps.now()) }) };
}

type Attempt = (given: { readonly logIn: () => Promise<unknown>; readonly confirm: () => Promise<unknown> }, nth: number) => Promise<boolean>;

describe('a log-in with the right password alone', () => {
  it.each<[string, Attempt]>([
    ['while the second factor is turned on in between', ({ logIn: act, confirm: other }, nth) => interruptedAt(nth, act, other)],
    ['in between, while the second factor is turned on', ({ confirm: act, logIn: other }, nth) => interruptedAt(nth, act, other)],
  ])('%s leaves no session', async (_, attempt) => {
    let moments = 0;
    for (let goesOn = true; goesOn; moments += 1) {
      const { user, confirm } = await enrolling();
      const answers: { readonly login?: Awaited<ReturnType<typeof logIn>>; readonly confirmed?: number }[] = [];
      goesOn = await attempt(
        {
          logIn: async () => void answers.push({ login: await logIn(user) }),
          confirm: async () => void answers.push({ confirmed: (await confirm()).status }),
        },
        moments + 1,
      );
      if (!goesOn) break;
      const login = answers.find((answer) => answer.login)?.login;
      expect(answers).toContainEqual({ confirmed: 200 });
      const profile = async (token: string) => (await app.call('GET', '/api/v1/auth/profile', { token })).status;
      expect([login?.status, await profile(user.token)], `at ${moments}`).toEqual([200, 200]);
      // Either the answer already asks for a code, or the session has ended.
      if (login?.body.token) expect(await profile(login.body.token), `at ${moments}`).toBe(401);
      else expect(login?.body).toMatchObject({ mfa_required: true });
    }
    expect(moments).toBeGreaterThan(5);
  });

  it('is answered like any other if the factor is turned on and off again in between', async () => {
    const { user, confirm } = await enrolling();
    const onAndOff = async (): Promise<void> => {
      await confirm();
      await user.call('POST', '/api/v1/auth/mfa/remove', { password: user.password });
    };
    const answers: Awaited<ReturnType<typeof logIn>>[] = [];
    await interruptedAt(1, async () => void answers.push(await logIn(user)), onAndOff);
    expect(answers[0]?.body.token).toBeDefined();
  });
});
