import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/domain/stored/metadata.ts';
import type { Recorded } from '../../../src/eventStore/eventStore.ts';
import { type ActivityEvent, activity } from '../../../src/projections/history/activity.ts';
import { fold, recorded } from '../../given/stores/projection.ts';

const AT = '2026-03-01T00:00:00.000Z';
const ANN: Actor = { kind: 'user', id: 'ann' };
const ADMIN: Actor = { kind: 'admin', id: 'zoe', onBehalfOf: 'ann' };
const SYSTEM: Actor = { kind: 'system', id: 'followers' };

type Act = readonly [event: ActivityEvent, actor?: Actor, causationId?: string];

/** One after the other; `causationId` is the command. */
function done(...acts: Act[]): readonly Recorded<ActivityEvent>[] {
  return recorded(acts.map(([event]) => event)).map((event, at) => {
    const [, actor = ANN, causationId = `command ${at}`] = acts[at] ?? [];
    return { ...event, metadata: { ...event.metadata, actor, causationId } };
  });
}
const shown = (...acts: Act[]) => Object.values(fold(activity, done(...acts))).map(({ userId, revision }) => [userId, revision]);

const deleted = (jobId: string): ActivityEvent => ({ type: 'JobDeleted', data: { jobId, userId: 'ann', deletedAt: AT } });
const ended = (sessionId: string): ActivityEvent => ({ type: 'SessionEnded', data: { sessionId, userId: 'ann', reason: 'revoked', endedAt: AT } });

describe('what a user is told of', () => {
  it('is where each event of theirs stands, and nothing of what it says', () => {
    const started: ActivityEvent = {
      type: 'ApiKeyCreated',
      data: { keyId: 'k', userId: 'ann', name: 'Mine', scope: 'read', keyHash: 'aa', hint: 'sk', createdAt: AT, expiresAt: null },
    };
    expect(Object.values(fold(activity, done([started])))).toEqual([{ userId: 'ann', stream: 'test', revision: 0 }]);
  });

  it('is theirs by who did it, where the event names nobody', () => {
    const revoked: ActivityEvent = { type: 'ShareRevoked', data: { jobId: 'j1', shareId: 's1', revokedAt: AT } };
    expect(shown([revoked], [revoked, ADMIN], [revoked, { kind: 'system', id: 'sweeps' }])).toEqual([
      ['ann', 0],
      ['ann', 1],
    ]);
  });

  it('of audits that begin or are cancelled only what an admin did', () => {
    const cancelled: ActivityEvent = { type: 'JobCancelled', data: { jobId: 'j1', userId: 'ann', by: 'x', cancelledAt: AT } };
    expect(shown([cancelled], [cancelled, ADMIN])).toEqual([['ann', 1]]);
  });

  it('of what one command did many times, or what follows from it, one line', () => {
    const all: ActivityEvent = { type: 'JobsDeleted', data: { userId: 'ann', jobIds: ['j1', 'j2', 'j3'], deletedAt: AT } };
    const order: ActivityEvent = { type: 'AccountSessionsEnded', data: { userId: 'ann', reason: 'revoked', keptSessionId: null, endedAt: AT } };
    expect(shown([all, ANN, 'c1'], [deleted('j1'), ANN, 'c1'], [deleted('j2'), ANN, 'c1'], [deleted('j3'), SYSTEM], [deleted('j4'), ANN, 'c2'])).toEqual([
      ['ann', 0],
      ['ann', 4],
    ]);
    expect(shown([order, ANN, 'c1'], [ended('s1'), ANN, 'c1'], [ended('s2'), SYSTEM], [ended('s3'), ANN, 'c2'])).toEqual([
      ['ann', 0],
      ['ann', 3],
    ]);
  });
});
