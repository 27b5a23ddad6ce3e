/** Stored events of shared links and their visits. */
import * as z from 'zod';
import { SHARE_MODES, SHARED_PARTS } from '../../model/shares.ts';
import type { ShareEvent, ShareVisitEvent } from '../share/events.ts';
import { at, count, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

const OF_SHARE = ['jobId', 'shareId'] as const;

export const SHARE_TYPES = {
  ShareCreated: stored(
    z.strictObject({
      jobId: id,
      userId: id,
      shareId: id,
      title: z.string(),
      description: z.string(),
      sharedContent: z.array(z.enum(SHARED_PARTS)).readonly(),
      mode: z.enum(SHARE_MODES),
      expiresAt: at.nullable(),
      tokenHash: z.string(),
      createdAt: at,
    }),
    ['jobId', 'userId', 'shareId'],
    { secret: ['tokenHash'] },
  ),
  ShareRevoked: stored(z.strictObject({ jobId: id, shareId: id, revokedAt: at }), OF_SHARE),
} satisfies StoredTypes<ShareEvent>;

const visits = z.strictObject({ jobId: id, shareId: id, count, until: at });

export const SHARE_VISIT_TYPES = {
  ShareViewed: stored(visits, OF_SHARE),
  SharePreviewViewed: stored(visits, OF_SHARE),
  ShareSignUpClicked: stored(visits, OF_SHARE),
  ShareSignedUp: stored(visits, OF_SHARE),
} satisfies StoredTypes<ShareVisitEvent>;
