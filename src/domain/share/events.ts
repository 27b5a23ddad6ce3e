/**
 * Storage format, version with care. Streams: `shares-{jobId}`: the links to one audit; `share-visits-{jobId}`: their
 * visits, counted in batches, so that even a viral link causes only a few events per hour. Both are erased with the
 * audit.
 */
import * as z from 'zod';
import { SHARE_MODES, SHARED_PARTS } from '../../model/shares.ts';
import { at, count, type EventIn, id } from '../eventSchemas.ts';

export const sharesStream = (jobId: string): string => `shares-${jobId}`;
export const shareVisitsStream = (jobId: string): string => `share-visits-${jobId}`;

export const SHARE_EVENTS = {
  ShareCreated: z.strictObject({
    jobId: id,
    userId: id,
    shareId: id,
    title: z.string(),
    description: z.string(),
    sharedContent: z.array(z.enum(SHARED_PARTS)),
    mode: z.enum(SHARE_MODES),
    /** Null: never. */
    expiresAt: at.nullable(),
    /** SHA-256 (hex) of the whole token. */
    tokenHash: z.string(),
    createdAt: at,
  }),
  ShareRevoked: z.strictObject({ jobId: id, shareId: id, revokedAt: at }),
};
export type ShareEvent = EventIn<typeof SHARE_EVENTS>;

/** `count` since the last event of its kind; visitors are not recorded. */
const visits = z.strictObject({ jobId: id, shareId: id, count, until: at });

export const SHARE_VISIT_EVENTS = {
  ShareViewed: visits,
  SharePreviewViewed: visits,
  /** The sign-up button of a preview was clicked. */
  ShareSignUpClicked: visits,
  /** An account signed up from a preview. */
  ShareSignedUp: visits,
};
export type ShareVisitEvent = EventIn<typeof SHARE_VISIT_EVENTS>;
