import { describe, expect, it } from 'vitest';
import type { SessionEvent, SessionProof } from '../../../src/domain/account/events.ts';
import { type SessionCommand, sessionDecider, showSecondFactor } from '../../../src/domain/account/session.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(sessionDecider);
const sessionId = 'session-1';
const userId = 'user-1';
const at = '2026-03-01T10:00:00.000Z';
const refreshExpiresAt = '2026-03-31T10:00:00.000Z';

const start: SessionCommand = {
  type: 'StartSession',
  sessionId,
  userId,
  accessTokenHash: 'a1',
  refreshTokenHash: 'r1',
  at,
};
const refresh = (presentedHash: string, number: number, time: string): SessionCommand => ({
  type: 'RefreshSession',
  presentedHash,
  accessTokenHash: `a${number}`,
  refreshTokenHash: `r${number}`,
  at: time,
});
const started: SessionEvent = {
  type: 'SessionStarted',
  data: {
    sessionId,
    userId,
    accessTokenHash: 'a1',
    refreshTokenHash: 'r1',
    startedAt: at,
    accessExpiresAt: '2026-03-01T11:00:00.000Z',
    refreshExpiresAt,
  },
};
const refreshed = (number: number, time: string, accessExpiresAt: string): SessionEvent => ({
  type: 'SessionRefreshed',
  data: {
    sessionId,
    userId,
    accessTokenHash: `a${number}`,
    refreshTokenHash: `r${number}`,
    refreshedAt: time,
    accessExpiresAt,
    refreshExpiresAt,
  },
});
const second = refreshed(2, '2026-03-01T10:50:00.000Z', '2026-03-01T11:50:00.000Z');
const ended = (reason: 'logout' | 'refresh_reused', time: string): SessionEvent => ({
  type: 'SessionEnded',
  data: { sessionId, userId, reason, endedAt: time },
});

describe('a session', () => {
  it('starts with an access token for an hour and a refresh token for thirty days', () =>
    given().when(start).then(started));
  it('issues new tokens when its start is requested again, since the first response may be lost', () =>
    given(started)
      .when({
        ...start,
        accessTokenHash: 'a2',
        refreshTokenHash: 'r2',
        at: '2026-03-01T10:50:00.000Z',
      } as SessionCommand)
      .then(second));
  it('cannot be started for another user', () =>
    given(started)
      .when({ ...start, userId: 'user-2' } as SessionCommand)
      .thenRefused('SESSION_ENDED'));

  it('replaces both tokens on refresh', () =>
    given(started)
      .when(refresh('r1', 2, '2026-03-01T10:50:00.000Z'))
      .then(second));
  it('issues new tokens for the refresh token just replaced, since that response may be lost', () => {
    const soon = '2026-03-01T10:50:30.000Z';
    given(started, second)
      .when(refresh('r1', 3, soon))
      .then(refreshed(3, soon, '2026-03-01T11:50:30.000Z'));
    given(started, second)
      .when(refresh('r1', 3, '2026-03-01T10:50:30.001Z'))
      .then(ended('refresh_reused', '2026-03-01T10:50:30.001Z'));
  });
  it('does so for the latest replaced token only', () =>
    given(started, second, refreshed(3, '2026-03-01T10:50:10.000Z', '2026-03-01T11:50:10.000Z'))
      .when(refresh('r1', 4, '2026-03-01T10:50:20.000Z'))
      .then(ended('refresh_reused', '2026-03-01T10:50:20.000Z')));
  it('ends for everyone when an older refresh token is used', () =>
    given(started, second)
      .when(refresh('r1', 3, '2026-03-01T11:00:00.000Z'))
      .then(ended('refresh_reused', '2026-03-01T11:00:00.000Z')));
  it('remembers the last fifty replaced tokens, however often it was refreshed', () => {
    const often = Array.from({ length: 200 }, (_, nth) =>
      refreshed(nth + 2, '2026-03-01T11:40:00.000Z', '2026-03-01T12:40:00.000Z'),
    );
    const soon = '2026-03-01T12:00:00.000Z';
    given(started, ...often)
      .when(refresh('r151', 202, soon))
      .then(ended('refresh_reused', soon));
    given(started, ...often)
      .when(refresh('r150', 202, soon))
      .thenRefused('SESSION_ENDED');
    const state = [started, ...often].reduce(sessionDecider.evolve, sessionDecider.initialState());
    expect(state).toHaveProperty('replaced.length', 50);
  });
  it('is not ended by a token it never had', () =>
    given(started)
      .when(refresh('guess', 2, at))
      .thenRefused('SESSION_ENDED'));
  it('ends after thirty days, however often it was refreshed', () => {
    given(started, second)
      .when(refresh('r2', 3, '2026-03-31T09:30:00.000Z'))
      .then(refreshed(3, '2026-03-31T09:30:00.000Z', refreshExpiresAt));
    given(started, second)
      .when(refresh('r2', 3, refreshExpiresAt))
      .thenRefused('SESSION_ENDED');
  });

  it('ends', () => given(started).when({ type: 'EndSession', userId, reason: 'logout', at }).then(ended('logout', at)));
  it('ends once', () =>
    given(started, ended('logout', at)).when({ type: 'EndSession', userId, reason: 'logout', at }).thenNothing());
  it('can be ended only by its own user', () =>
    given(started)
      .when({ type: 'EndSession', userId: 'user-2', reason: 'logout', at })
      .thenRefused('SESSION_NOT_FOUND'));
  it('cannot be refreshed after its end', () =>
    given(started, ended('logout', at))
      .when(refresh('r1', 2, at))
      .thenRefused('SESSION_ENDED'));
  it('cannot be started after its end', () =>
    given(started, ended('logout', at)).when(start).thenRefused('SESSION_ENDED'));
  it('cannot be refreshed before its start', () =>
    given()
      .when(refresh('r1', 2, at))
      .thenRefused('SESSION_ENDED'));
});

describe('the proofs of a session', () => {
  const later = '2026-03-01T10:10:00.000Z';
  /** The tokens stay those of the event before. */
  const proofsSet = (before: SessionEvent, setAt: string, ...proofs: readonly SessionProof[]): SessionEvent => {
    const { accessTokenHash, refreshTokenHash, accessExpiresAt } = before.data as Extract<
      SessionEvent,
      { type: 'SessionRefreshed' }
    >['data'];
    return {
      type: 'SessionRefreshed',
      data: {
        sessionId,
        userId,
        accessTokenHash,
        refreshTokenHash,
        accessExpiresAt,
        refreshExpiresAt,
        refreshedAt: setAt,
        proofs,
      },
    };
  };
  const add = (kind: SessionProof['kind'], time = later): SessionCommand => ({
    type: 'AddProof',
    userId,
    kind,
    at: time,
  });
  const password: SessionProof = { kind: 'password', at };
  const code: SessionProof = { kind: 'code', at };

  it('are recorded when it starts', () => {
    const proofs = [password, code];
    given()
      .when({ ...start, proofs } as SessionCommand)
      .then({
        type: 'SessionStarted',
        data: { ...(started.data as Extract<SessionEvent, { type: 'SessionStarted' }>['data']), proofs },
      });
  });
  it('are a password in sessions from before', () =>
    given(started)
      .when(add('code'))
      .then(proofsSet(started, later, password, { kind: 'code', at: later })));
  it('have one of each kind, the latest, and stay through refreshes', () =>
    given(started, proofsSet(started, later, password, code), second)
      .when(add('code', '2026-03-01T11:00:00.000Z'))
      .then(proofsSet(second, '2026-03-01T11:00:00.000Z', password, { kind: 'code', at: '2026-03-01T11:00:00.000Z' })));
  it('replace no tokens: none counts as used again, and an answer lost before may still be', () => {
    const lost = refreshed(2, '2026-03-01T10:50:00.000Z', '2026-03-01T11:50:00.000Z');
    given(started, lost, proofsSet(lost, '2026-03-01T10:50:10.000Z', password, code))
      .when(refresh('r1', 3, '2026-03-01T10:50:20.000Z'))
      .then(refreshed(3, '2026-03-01T10:50:20.000Z', '2026-03-01T11:50:20.000Z'));
    const state = [started, proofsSet(started, later, password, code)].reduce(
      sessionDecider.evolve,
      sessionDecider.initialState(),
    );
    expect(state).toMatchObject({ replaced: [], refreshedAt: null, proofs: [password, code] });
  });
  it('lose the second factor when it is turned off, once', () => {
    const drop: SessionCommand = { type: 'DropSecondFactorProofs', userId, at: later };
    given(started, proofsSet(started, later, password, code, { kind: 'recovery_code', at }))
      .when(drop)
      .then(proofsSet(started, later, password));
    given(started).when(drop).thenNothing();
  });
  it('are not added to a session that has ended, or to another user’s', () => {
    given(started, ended('logout', later)).when(add('code')).thenRefused('SESSION_ENDED');
    given(started).when(add('code', refreshExpiresAt)).thenRefused('SESSION_ENDED');
    given(started).when({ type: 'AddProof', userId: 'user-2', kind: 'code', at }).thenRefused('SESSION_ENDED');
  });
  it.each<[string, readonly SessionProof['kind'][], boolean]>([
    ['a password', ['password'], false],
    ['a code', ['password', 'code'], true],
    ['a recovery code', ['password', 'recovery_code'], true],
    ['nothing', [], false],
  ])('with %s', (_, kinds, shown) => expect(showSecondFactor(kinds.map((kind) => ({ kind, at })))).toBe(shown));
});
