import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/domain/account/events.ts';
import { sessionIdOf, sessions } from '../../src/projections/sessions.ts';
import { project } from '../given/stores/projection.ts';

const ids = { sessionId: 'session-1', userId: 'user-1' };
const startedAt = '2026-03-01T10:00:00.000Z';
const refreshExpiresAt = '2026-03-31T10:00:00.000Z';
const first = {
  accessTokenHash: 'a1',
  refreshTokenHash: 'r1',
  accessExpiresAt: '2026-03-01T11:00:00.000Z',
  refreshExpiresAt,
};
const second = {
  accessTokenHash: 'a2',
  refreshTokenHash: 'r2',
  accessExpiresAt: '2026-03-01T12:00:00.000Z',
  refreshExpiresAt,
};
const started: SessionEvent = { type: 'SessionStarted', data: { ...ids, ...first, startedAt } };
const refreshed: SessionEvent = {
  type: 'SessionRefreshed',
  data: { ...ids, ...second, refreshedAt: '2026-03-01T11:00:00.000Z' },
};
const more = {
  isOpen: true,
  startedAt,
  lastUsedAt: startedAt,
  startPosition: '00000000000000000001',
  client: null,
  openedBy: { kind: 'password', at: startedAt },
};
const ended: SessionEvent = {
  type: 'SessionEnded',
  data: { ...ids, reason: 'logout', endedAt: '2026-03-01T11:30:00.000Z' },
};

describe('the sessions read model', () => {
  it('shows a session', () =>
    expect(project(sessions, started)).toEqual({ 'session-1': { ...ids, ...first, ...more } }));
  it('has only the newest tokens', () =>
    expect(project(sessions, started, refreshed)).toEqual({
      'session-1': { ...ids, ...second, ...more, lastUsedAt: '2026-03-01T11:00:00.000Z' },
    }));
  it('has the machine’s details that its owner may see', () => {
    const client = { agent: 'Firefox on Linux', network: '203.0.113.x' };
    const kept = project(sessions, { ...started, data: { ...started.data, client } } as SessionEvent, refreshed);
    expect(kept['session-1']).toMatchObject({ client, startPosition: '00000000000000000001' });
  });
  it('has only the owner of a session that has ended, even when only its end is left', () => {
    const left = { 'ended/session-1': { userId: 'user-1', isOpen: false } };
    expect(project(sessions, started, refreshed, ended)).toEqual(left);
    expect(project(sessions, started, ended, refreshed)).toEqual(left);
    expect(project(sessions, ended)).toEqual(left);
    expect(sessionIdOf('ended/session-1')).toBe('session-1');
    expect(sessionIdOf('session-1')).toBe('session-1');
  });
});
