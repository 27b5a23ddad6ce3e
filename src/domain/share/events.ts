/**
 * Storage format, version with care. Streams: `shares-{jobId}`: the links to one analysis; `share-visits-{jobId}`: how often they were used,
 * counted in batches, so that a link that goes round the world leaves a few events an hour. Both are erased with the analysis.
 */
import type { SharedPart, ShareMode } from '../../model/shares.ts';

export type ShareEvent =
  | {
      readonly type: 'ShareCreated';
      readonly data: {
        readonly jobId: string;
        readonly userId: string;
        readonly shareId: string;
        readonly title: string;
        readonly description: string;
        readonly sharedContent: readonly SharedPart[];
        readonly mode: ShareMode;
        /** UTC ISO; null never. */
        readonly expiresAt: string | null;
        /** SHA-256 (hex) of the whole token. */
        readonly tokenHash: string;
        readonly createdAt: string;
      };
    }
  | { readonly type: 'ShareRevoked'; readonly data: { readonly jobId: string; readonly shareId: string; readonly revokedAt: string } };

/** `count` since the last event of its kind; who it was is told nowhere. */
type Visits = { readonly jobId: string; readonly shareId: string; readonly count: number; readonly until: string };

export type ShareVisitEvent =
  | { readonly type: 'ShareViewed'; readonly data: Visits }
  | { readonly type: 'SharePreviewViewed'; readonly data: Visits }
  /** The sign-up button of a preview. */
  | { readonly type: 'ShareSignUpClicked'; readonly data: Visits }
  /** An account that came from a preview. */
  | { readonly type: 'ShareSignedUp'; readonly data: Visits };
