import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/domain/account/events.ts';
import { userSessions } from '../../src/projections/userSessions.ts';
import { project } from '../given/stores/projection.ts';

const tokens = {
  accessTokenHash: 'a',
  refreshTokenHash: 'r',
  startedAt: '',
  accessExpiresAt: '',
  refreshExpiresAt: '',
};
type Taken = Exclude<SessionEvent, { readonly type: 'SessionRefreshed' }>;
const started: Taken = { type: 'SessionStarted', data: { sessionId: 's', userId: 'ann', ...tokens } };
const ended: Taken = { type: 'SessionEnded', data: { sessionId: 's', userId: 'ann', reason: 'logout', endedAt: '' } };

it('lists a session after its end, even when only its end is left', () => {
  expect(project(userSessions, started)).toEqual({ s: { userId: 'ann' } });
  expect(project(userSessions, started, ended)).toEqual({ s: { userId: 'ann' } });
  expect(project(userSessions, ended)).toEqual({ s: { userId: 'ann' } });
});
