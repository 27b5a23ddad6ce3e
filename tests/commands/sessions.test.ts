import { describe, expect, it } from 'vitest';
import { setMailChoice } from '../../src/commands/account/setMailChoice.ts';
import { handle, loadState } from '../../src/commands/handle.ts';
import { endSession } from '../../src/commands/session/endSession.ts';
import { logIn } from '../../src/commands/session/logIn.ts';
import { refreshSession } from '../../src/commands/session/refreshSession.ts';
import { startSession } from '../../src/commands/session/startSession.ts';
import { hashToken, idInToken } from '../../src/commands/tokens.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { accountStream, sessionStream } from '../../src/domain/account/events.ts';
import { sessionDecider } from '../../src/domain/account/session.ts';
import { type Product, product, userOf, withAdmin } from '../given/commands.ts';
import { eventsRead } from '../given/stores/eventsRead.ts';
import { append } from '../given/work/mailDelivery.ts';

/** Secrets in the order in which they are generated. */
function secrets(): () => string {
  let drawn = 0;
  return () => {
    drawn += 1;
    return `secret-${String(drawn).padStart(36, '0')}`;
  };
}
const userId = 'user-1';

describe('logging in', () => {
  const verified: (string | null)[] = [];
  const verifyPassword = async (hash: string | null, password: string): Promise<boolean> => {
    verified.push(hash);
    return hash === `hash of ${password}`;
  };

  it('accepts the right password, in any spelling of the address', async () => {
    const made = await withAdmin();
    const ann = await userOf(made, 'ann@example.com');
    const found = await logIn(made, { email: 'ANN@example.com', password: 'ann@example.com', verifyPassword });
    expect(found.userId).toBe(ann);
    const registered = (await made.log()).find((event) => event.stream === accountStream(ann));
    expect(found.position).toBe(registered?.position);
  });

  it('answers alike for a wrong password, an unknown address and a deleted account, and checks a password each time', async () => {
    const made = await withAdmin();
    const gone = await userOf(made, 'gone@example.com');
    await userOf(made, 'ann@example.com');
    await handle(made.context(), accountDecider, accountStream(gone), { type: 'DeleteAccount', at: made.now() });
    verified.length = 0;
    const tries = [
      { email: 'ann@example.com', password: 'wrong' },
      { email: 'nobody@example.com', password: 'wrong' },
      { email: 'gone@example.com', password: 'gone@example.com' },
    ];
    for (const attempt of tries) {
      await expect(logIn(made, { ...attempt, verifyPassword })).rejects.toMatchObject({
        code: 'INVALID_CREDENTIALS',
        message: 'Invalid email or password',
      });
    }
    expect(verified).toEqual(['hash of ann@example.com', null, null]);
  });

  it('reads few events of an account with many', async () => {
    const made = await withAdmin();
    const ann = await userOf(made, 'ann@example.com');
    for (let nth = 0; nth < 150; nth += 1)
      await setMailChoice(made.context(), { userId: ann, mail: 'job_done', wanted: nth % 2 === 1 });
    const found = () => logIn(made, { email: 'ann@example.com', password: 'ann@example.com', verifyPassword });
    expect(await eventsRead(made.store, found)).toBeLessThan(10);
  });

  it('refuses an unknown address, whatever the check returns', async () => {
    const made = await withAdmin();
    await expect(
      logIn(made, { email: 'nobody@example.com', password: 'x', verifyPassword: async () => true }),
    ).rejects.toMatchObject({
      code: 'INVALID_CREDENTIALS',
    });
  });
});

describe('a session', () => {
  /** A product with the account of the sessions. */
  async function withAccount(): Promise<Product> {
    const made = product();
    const data = { userId, email: 'ann@example.com', name: 'Ann', passwordHash: 'hash', registeredAt: made.now() };
    await append(made, accountStream(userId), { type: 'AccountRegistered', data });
    return made;
  }

  it('starts with two tokens, stored as hashes only', async () => {
    const made = await withAccount();
    const session = await startSession(made.context(), { userId, newToken: secrets() });
    expect(session).toMatchObject({
      userId,
      accessExpiresAt: '2026-03-10T13:00:00.000Z',
      refreshExpiresAt: '2026-04-09T12:00:00.000Z',
    });
    expect(idInToken(session.accessToken)).toBe(session.sessionId);
    expect(session.accessToken).not.toBe(session.refreshToken);
    const event = (await made.log()).at(-1);
    expect(event?.data).toMatchObject({
      accessTokenHash: hashToken(session.accessToken),
      refreshTokenHash: hashToken(session.refreshToken),
    });
    expect(JSON.stringify(event?.data)).not.toContain('secret-');
    expect(event?.position).toBe(session.position);
  });

  it('is the same one when its start is repeated, with working tokens', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const first = await startSession(made.context('command-1'), { userId, newToken });
    const again = await startSession(made.context('command-1'), { userId, newToken });
    expect(again.sessionId).toBe(first.sessionId);
    expect(again.accessToken).not.toBe(first.accessToken);
    expect((await loadState(made.store, sessionDecider, sessionStream(first.sessionId))).state).toMatchObject({
      accessTokenHash: hashToken(again.accessToken),
    });
  });

  it('differs for another user with the same command id', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const first = await startSession(made.context('command-1'), { userId, newToken });
    expect((await startSession(made.context('command-1'), { userId: 'user-2', newToken })).sessionId).not.toBe(
      first.sessionId,
    );
  });

  it('continues with new tokens', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const first = await startSession(made.context(), { userId, newToken });
    made.pass(50);
    const second = await refreshSession(made.context(), { refreshToken: first.refreshToken, newToken });
    expect(second).toMatchObject({
      sessionId: first.sessionId,
      userId,
      email: 'ann@example.com',
      accessExpiresAt: '2026-03-10T13:50:00.000Z',
      refreshExpiresAt: first.refreshExpiresAt,
    });
    const third = await refreshSession(made.context(), { refreshToken: second.refreshToken, newToken });
    expect(third.sessionId).toBe(first.sessionId);
  });

  it('ends for everyone when a refresh token is used twice', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const first = await startSession(made.context(), { userId, newToken });
    const second = await refreshSession(made.context(), { refreshToken: first.refreshToken, newToken });
    made.pass(1);
    await expect(refreshSession(made.context(), { refreshToken: first.refreshToken, newToken })).rejects.toMatchObject({
      code: 'SESSION_ENDED',
    });
    await expect(refreshSession(made.context(), { refreshToken: second.refreshToken, newToken })).rejects.toMatchObject(
      { code: 'SESSION_ENDED' },
    );
    expect((await made.log()).at(-1)).toMatchObject({ type: 'SessionEnded', data: { reason: 'refresh_reused' } });
  });

  it('gives each of two concurrent refreshes tokens, of which the last are valid', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const first = await startSession(made.context(), { userId, newToken });
    const both = await Promise.allSettled(
      [1, 2].map(() => refreshSession(made.context(), { refreshToken: first.refreshToken, newToken })),
    );
    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'fulfilled']);
    const newest = (await made.log()).at(-1)?.data as { readonly accessTokenHash: string };
    const hashes = both.flatMap((one) => (one.status === 'fulfilled' ? [hashToken(one.value.accessToken)] : []));
    expect(hashes.filter((hash) => hash === newest.accessTokenHash)).toHaveLength(1);
  });

  it('is not affected by tokens it never issued', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const session = await startSession(made.context(), { userId, newToken });
    const strange = [
      '',
      'x',
      `${session.sessionId}.${'y'.repeat(43)}`,
      session.accessToken,
      `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'z'.repeat(43)}`,
    ];
    for (const refreshToken of strange)
      await expect(refreshSession(made.context(), { refreshToken, newToken })).rejects.toMatchObject({
        code: 'SESSION_ENDED',
      });
    expect(await made.types(sessionStream(session.sessionId))).toEqual(['SessionStarted']);
    expect((await refreshSession(made.context(), { refreshToken: session.refreshToken, newToken })).sessionId).toBe(
      session.sessionId,
    );
  });

  it('is not folded from its start for each of many refreshes', async () => {
    const made = await withAccount();
    const newToken = secrets();
    let session = await startSession(made.context(), { userId, newToken });
    for (let nth = 0; nth < 200; nth += 1)
      session = await refreshSession(made.context(), { refreshToken: session.refreshToken, newToken });
    for (const refreshToken of [`${session.sessionId}.${'y'.repeat(43)}`, session.refreshToken]) {
      const read = await eventsRead(made.store, () =>
        refreshSession(made.context(), { refreshToken, newToken }).catch(() => null),
      );
      expect(read).toBeLessThan(10);
    }
  });

  it('is counted when its own token renews it, and no other', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const { sessionId, refreshToken } = await startSession(made.context(), { userId, newToken });
    const counted: string[] = [];
    const count = async (id: string): Promise<void> => void counted.push(id);
    const forged = `${sessionId}.${'y'.repeat(43)}`;
    await expect(refreshSession(made.context(), { refreshToken: forged, newToken, count })).rejects.toMatchObject({
      code: 'SESSION_ENDED',
    });
    expect(counted).toEqual([]);
    const refuse = () => Promise.reject(new Error('too many'));
    await expect(refreshSession(made.context(), { refreshToken, newToken, count: refuse })).rejects.toThrow('too many');
    for (let nth = 0; nth < 2; nth += 1) await refreshSession(made.context(), { refreshToken, newToken, count });
    expect(counted).toEqual([sessionId, sessionId]);
    expect(await made.types('session-')).toEqual(['SessionStarted', 'SessionRefreshed', 'SessionRefreshed']);
  });

  it('ends after thirty days', async () => {
    const made = await withAccount();
    const newToken = secrets();
    const session = await startSession(made.context(), { userId, newToken });
    made.pass(30 * 24 * 60);
    await expect(
      refreshSession(made.context(), { refreshToken: session.refreshToken, newToken }),
    ).rejects.toMatchObject({ code: 'SESSION_ENDED' });
  });

  it('is ended by its own user, once', async () => {
    const made = await withAccount();
    const { sessionId } = await startSession(made.context(), { userId, newToken: secrets() });
    await expect(endSession(made.context(), { sessionId, userId: 'user-2', reason: 'logout' })).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
    });
    const first = await endSession(made.context(), { sessionId, userId, reason: 'logout' });
    expect(await endSession(made.context(), { sessionId, userId, reason: 'logout' })).toEqual(first);
    expect(await made.types('session-')).toEqual(['SessionStarted', 'SessionEnded']);
  });
});
