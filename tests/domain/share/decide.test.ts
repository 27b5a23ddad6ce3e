import { describe, expect, it } from 'vitest';
import { MAX_SHARES, type ShareCommand, shareDecider } from '../../../src/domain/share/decide.ts';
import type { ShareEvent } from '../../../src/domain/share/events.ts';
import { isOpen } from '../../../src/domain/share/share.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(shareDecider);
const at = '2026-03-10T12:00:00.000Z';

type Create = Extract<ShareCommand, { type: 'CreateShare' }>;
const create = (over: Partial<Create> = {}): Create => ({
  type: 'CreateShare',
  jobId: 'job',
  userId: 'ann',
  shareId: 'share-1',
  title: 'Our site',
  description: '',
  sharedContent: ['actions', 'executive_summary'],
  mode: 'preview',
  expiresIn: null,
  tokenHash: 'aa',
  access: 'preview',
  at,
  ...over,
});
const created = (over: Partial<Extract<ShareEvent, { type: 'ShareCreated' }>['data']> = {}): ShareEvent => ({
  type: 'ShareCreated',
  data: {
    jobId: 'job',
    userId: 'ann',
    shareId: 'share-1',
    title: 'Our site',
    description: '',
    sharedContent: ['actions', 'executive_summary'],
    mode: 'preview',
    expiresAt: null,
    tokenHash: 'aa',
    createdAt: at,
    ...over,
  },
});

describe('a shared link', () => {
  it('is created with what it shows and until when', () => {
    given().when(create()).then(created());
    given()
      .when(create({ expiresIn: 24 }))
      .then(created({ expiresAt: '2026-03-11T12:00:00.000Z' }));
    given()
      .when(create({ sharedContent: ['actions', 'actions'] }))
      .then(created({ sharedContent: ['actions'] }));
  });

  it('shows everything only if its owner sees everything', () => {
    given()
      .when(create({ mode: 'full' }))
      .thenRefused('SHARING_RESTRICTED');
    given()
      .when(create({ mode: 'full', access: 'full' }))
      .then(created({ mode: 'full' }));
    given()
      .when(create({ mode: 'preview', access: 'full' }))
      .then(created());
  });

  it('must show something', () => {
    given()
      .when(create({ sharedContent: [] }))
      .thenRefused('NOTHING_SHARED');
  });

  it('is created once, however often the command arrives', () => {
    given(created()).when(create()).thenNothing();
    given(created())
      .when(create({ tokenHash: 'bb' }))
      .thenRefused('SHARE_ALREADY_CREATED');
  });

  it('counts toward a limit', () => {
    const many = Array.from({ length: MAX_SHARES }, (_, nth) => created({ shareId: `other-${nth}` }));
    given(...many)
      .when(create())
      .thenRefused('TOO_MANY_SHARES');
    given(...many.slice(1))
      .when(create())
      .then(created());
  });

  it('is revoked once', () => {
    const revoke = { type: 'RevokeShare', jobId: 'job', shareId: 'share-1', at } as const;
    given().when(revoke).thenRefused('SHARE_NOT_FOUND');
    given(created())
      .when(revoke)
      .then({ type: 'ShareRevoked', data: { jobId: 'job', shareId: 'share-1', revokedAt: at } });
    given(created(), { type: 'ShareRevoked', data: { jobId: 'job', shareId: 'share-1', revokedAt: at } })
      .when(revoke)
      .thenNothing();
  });

  it('opens until it is revoked or expires', () => {
    expect(isOpen({ revokedAt: null, expiresAt: null }, at)).toBe(true);
    expect(isOpen({ revokedAt: null, expiresAt: '2026-03-10T12:00:00.001Z' }, at)).toBe(true);
    expect(isOpen({ revokedAt: null, expiresAt: at }, at)).toBe(false);
    expect(isOpen({ revokedAt: at, expiresAt: null }, at)).toBe(false);
  });
});
