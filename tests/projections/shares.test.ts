import { describe, expect, it } from 'vitest';
import type { ShareEvent } from '../../src/domain/share/events.ts';
import { shares } from '../../src/projections/shares.ts';
import { project } from '../given/stores/projection.ts';

const at = '2026-03-10T12:00:00.000Z';
const created = (shareId: string): ShareEvent => ({
  type: 'ShareCreated',
  data: {
    jobId: 'job',
    userId: 'ann',
    shareId,
    title: 'T',
    description: 'D',
    sharedContent: ['actions'],
    mode: 'preview',
    expiresAt: null,
    tokenHash: shareId,
    createdAt: at,
  },
});
const visits = (shareId: string, count: number) => ({ jobId: 'job', shareId, count, until: at });

describe('shared links', () => {
  it('hold each link of an audit with its counts and end', () => {
    const documents = project(
      shares,
      created('one'),
      created('two'),
      { type: 'ShareViewed', data: visits('one', 1) },
      { type: 'ShareViewed', data: visits('one', 4) },
      { type: 'SharePreviewViewed', data: visits('one', 3) },
      { type: 'ShareSignUpClicked', data: visits('one', 2) },
      { type: 'ShareSignedUp', data: visits('one', 1) },
      { type: 'ShareRevoked', data: { jobId: 'job', shareId: 'two', revokedAt: at } },
    );
    expect(documents.job).toMatchObject({
      userId: 'ann',
      shares: [
        {
          shareId: 'one',
          title: 'T',
          description: 'D',
          mode: 'preview',
          revokedAt: null,
          views: 5,
          previewViews: 3,
          signUpClicks: 2,
          signUps: 1,
        },
        { shareId: 'two', revokedAt: at, views: 0 },
      ],
    });
  });

  it('made for a preview show everything once it is unlocked; later ones keep their owner’s choice', () => {
    const unlocked = { type: 'JobUnlocked', data: { jobId: 'job', userId: 'ann', unlockedAt: at } } as const;
    expect(
      project(shares, created('before'), unlocked, created('after')).job?.shares.map(({ shareId, mode }) => [
        shareId,
        mode,
      ]),
    ).toEqual([
      ['before', 'full'],
      ['after', 'preview'],
    ]);
    expect(project(shares, unlocked)).toEqual({});
  });

  it('are removed with their audit, and no late visit restores them', () => {
    const deleted = { type: 'JobDeleted', data: { jobId: 'job', userId: 'ann', deletedAt: at } } as const;
    expect(project(shares, created('one'), deleted, { type: 'ShareViewed', data: visits('one', 1) })).toEqual({});
  });
});
