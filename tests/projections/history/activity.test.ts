import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/domain/stored/metadata.ts';
import type { Recorded } from '../../../src/eventStore/eventStore.ts';
import { type ActivityEvent, activity } from '../../../src/projections/history/activity.ts';
import { runs } from '../../given/fullForm.ts';
import { fold, recorded } from '../../given/stores/projection.ts';
import { assertReplayStable } from '../../given/stores/replay.ts';

const AT = '2026-03-01T00:00:00.000Z';
const ANN: Actor = { kind: 'user', id: 'ann' };
const ADMIN: Actor = { kind: 'admin', id: 'zoe', onBehalfOf: 'ann' };
const SYSTEM: Actor = { kind: 'system', id: 'followers' };

type Taken = Parameters<typeof activity.keys>[0] extends Recorded<infer Event> ? Event : never;
type Act = readonly [event: Taken, actor?: Actor, causationId?: string];

/** Events of a job in its own streams, everything else in one. */
const streamOf = ({ type, data }: Taken): string =>
  'jobId' in data ? `${type.startsWith('Share') ? 'shares' : 'job'}-${data.jobId}` : 'test';

/** One after the other; `causationId` is the command. */
function done(...acts: Act[]): readonly Recorded<Taken>[] {
  return recorded(acts.map(([event]) => event)).map((event, at) => {
    const [, actor = ANN, causationId = `command ${at}`] = acts[at] ?? [];
    return { ...event, stream: streamOf(event), metadata: { ...event.metadata, actor, causationId } };
  });
}
const shown = (...acts: Act[]) =>
  Object.values(fold(activity, done(...acts))).map(({ userId, revision }) => [userId, revision]);

const deleted = (jobId: string): ActivityEvent => ({
  type: 'JobDeleted',
  data: { jobId, userId: 'ann', deletedAt: AT },
});
const ended = (sessionId: string): ActivityEvent => ({
  type: 'SessionEnded',
  data: { sessionId, userId: 'ann', reason: 'revoked', endedAt: AT },
});

describe('the activity of a user', () => {
  it('has the position of each of their events, and no content', () => {
    const started: ActivityEvent = {
      type: 'ApiKeyCreated',
      data: {
        keyId: 'k',
        userId: 'ann',
        name: 'Mine',
        scope: 'read',
        keyHash: 'aa',
        hint: 'sk',
        createdAt: AT,
        expiresAt: null,
      },
    };
    expect(Object.values(fold(activity, done([started])))).toEqual([{ userId: 'ann', stream: 'test', revision: 0 }]);
  });

  it('includes events they caused that name nobody', () => {
    const revoked: ActivityEvent = { type: 'ShareRevoked', data: { jobId: 'j1', shareId: 's1', revokedAt: AT } };
    expect(shown([revoked], [revoked, ADMIN], [revoked, { kind: 'system', id: 'sweeps' }])).toEqual([
      ['ann', 0],
      ['ann', 1],
    ]);
  });

  it('includes starts and cancellations of audits only if an admin did them', () => {
    const cancelled: ActivityEvent = {
      type: 'JobCancelled',
      data: { jobId: 'j1', userId: 'ann', by: 'x', cancelledAt: AT },
    };
    expect(shown([cancelled], [cancelled, ADMIN])).toEqual([['ann', 1]]);
  });

  it('has one line for many events of one command, or of what follows from it', () => {
    const all: ActivityEvent = {
      type: 'JobsDeleted',
      data: { userId: 'ann', jobIds: ['j1', 'j2', 'j3'], deletedAt: AT },
    };
    const order: ActivityEvent = {
      type: 'AccountSessionsEnded',
      data: { userId: 'ann', reason: 'revoked', keptSessionId: null, endedAt: AT },
    };
    expect(
      shown(
        [all, ANN, 'c1'],
        [deleted('j1'), ANN, 'c1'],
        [deleted('j2'), ANN, 'c1'],
        [deleted('j3'), SYSTEM],
        [deleted('j4'), ANN, 'c2'],
      ),
    ).toEqual([
      ['ann', 0],
      ['ann', 4],
    ]);
    expect(
      shown([order, ANN, 'c1'], [ended('s1'), ANN, 'c1'], [ended('s2'), SYSTEM], [ended('s3'), ANN, 'c2']),
    ).toEqual([
      ['ann', 0],
      ['ann', 3],
    ]);
  });

  it('is erased with its subject: of a deleted job all but its existence, of a deleted account everything up to then', () => {
    const shared = (jobId: string): ActivityEvent => ({
      type: 'ShareCreated',
      data: {
        jobId,
        userId: 'ann',
        shareId: `of ${jobId}`,
        title: 'T',
        description: '',
        sharedContent: ['actions'],
        mode: 'full',
        expiresAt: null,
        tokenHash: 'aa',
        createdAt: AT,
      },
    });
    const submitted: ActivityEvent = {
      type: 'JobCancelled',
      data: { jobId: 'j1', userId: 'ann', by: 'x', cancelledAt: AT },
    };
    expect(shown([submitted, ADMIN], [shared('j1')], [shared('j2')], [deleted('j1')])).toEqual([
      ['ann', 2],
      ['ann', 3],
    ]);
    const gone = { type: 'AccountDeleted', data: { userId: 'ann', deletedAt: AT } } as const;
    const ben: Actor = { kind: 'user', id: 'ben' };
    const revoked: ActivityEvent = { type: 'ShareRevoked', data: { jobId: 'j3', shareId: 's3', revokedAt: AT } };
    expect(shown([shared('j1')], [revoked, ben], [ended('s1')], [gone], [ended('s2')])).toEqual([
      ['ben', 1],
      ['ann', 4],
    ]);
    expect(shown([shared('j1')], [{ type: 'EmailRefused', data: { userId: 'ann', refusedAt: AT } }])).toEqual([]);
  });

  it('is the same for any batches, and on redelivery', async () => {
    const some = fc.constantFrom<Taken>(
      ...['s1', 's2', 's3'].map(ended),
      ...['j1', 'j2'].map(deleted),
      { type: 'AccountDeleted', data: { userId: 'ann', deletedAt: AT } },
      { type: 'JobsDeleted', data: { userId: 'ben', jobIds: ['j1'], deletedAt: AT } },
      { type: 'AccountDeleted', data: { userId: 'ben', deletedAt: AT } },
    );
    // Each in a stream of its own, where it belongs to a job.
    const events = fc
      .array(some, { minLength: 1, maxLength: 40 })
      .map((list) => list.map((event) => ({ ...event, stream: streamOf(event) })));
    await assertReplayStable(activity, events, { numRuns: runs(60) });
  });
});
