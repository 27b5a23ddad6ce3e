/**
 * Log-ins under way while a second factor is turned on: whatever comes first, no session without a code outlives it.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadState } from '../../src/commands/handle.ts';
import { sessionStream } from '../../src/domain/account/events.ts';
import { sessionDecider } from '../../src/domain/account/session.ts';
import type { TestUser } from '../given/product/http.ts';
import { type InterruptedApp, startInterruptedApp } from '../given/product/interrupted.ts';
import { codeOf } from '../given/secondFactor.ts';

let app: InterruptedApp;
beforeAll(async () => {
  app = await startInterruptedApp();
});
afterAll(() => app.close());

const logIn = ({ email, password }: TestUser) => app.call('POST', '/api/v1/auth/login', { body: { email, password } });

async function enrolling(): Promise<{ readonly user: TestUser; readonly confirm: () => ReturnType<TestUser['call']> }> {
  const user = await app.signUp();
  const { secret } = (await user.call('POST', '/api/v1/auth/mfa/enrol', { password: user.password })).body.data;
  return {
    user,
    confirm: () => user.call('POST', '/api/v1/auth/mfa/confirm', { code: codeOf(secret, app.deps.now()) }),
  };
}

type Attempt = (
  given: { readonly logIn: () => Promise<unknown>; readonly confirm: () => Promise<unknown> },
  nth: number,
) => Promise<boolean>;

describe('a log-in with the right password alone', () => {
  it.each<[string, Attempt]>([
    [
      'while the second factor is turned on in between',
      ({ logIn: act, confirm: other }, nth) => app.interruptedAt(nth, act, other),
    ],
    [
      'in between, while the second factor is turned on',
      ({ confirm: act, logIn: other }, nth) => app.interruptedAt(nth, act, other),
    ],
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
    await app.interruptedAt(1, async () => void answers.push(await logIn(user)), onAndOff);
    expect(answers[0]?.body.token).toBeDefined();
  });
});

describe('a code entered in an open session', () => {
  it('proves nothing if the factor is turned off before the answer', async () => {
    const { user, confirm } = await enrolling();
    const recoveryCodes: readonly string[] = (await confirm()).body.data.recovery_codes;
    const stepUp = (nth: number) =>
      user.call('POST', '/api/v1/auth/mfa/step-up', { recovery_code: recoveryCodes[nth] });
    let last = 0;
    while (
      await app.interruptedAt(
        last + 1,
        () => stepUp(last),
        async () => undefined,
      )
    )
      last += 1;
    let answer: Awaited<ReturnType<typeof stepUp>> | undefined;
    // The operations before are those of one command each, which the other request waits for.
    await app.interruptedAt(
      last,
      async () => {
        answer = await stepUp(last + 1);
      },
      () => user.call('POST', '/api/v1/auth/mfa/remove', { password: user.password }),
    );
    expect(answer).toMatchObject({ status: 409, body: { code: 'MFA_NOT_ON' } });
    const [sessionId = ''] = user.token.split('.');
    const { state } = await loadState(app.store, sessionDecider, sessionStream(sessionId));
    expect(state).toMatchObject({ status: 'active', proofs: [{ kind: 'password' }] });
  });
});
