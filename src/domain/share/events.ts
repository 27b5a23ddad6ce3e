/**
 * Storage format, version with care. Streams: `shares-{jobId}`: the links to one audit; `share-visits-{jobId}`: their visits, counted in batches, so
 * that even a viral link causes only a few events per hour. Both are erased with the audit.
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
        /** UTC ISO; null: never. */
        readonly expiresAt: string | null;
        /** SHA-256 (hex) of the whole token. */
        readonly tokenHash: string;
        readonly createdAt: string;
      };
    }
  | { readonly type: 'ShareRevoked'; readonly data: { readonly jobId: string; readonly shareId: string; readonly revokedAt: string } };

/** `count` since the last event of its kind; visitors are not recorded. */
type Visits = { readonly jobId: string; readonly shareId: string; readonly count: number; readonly until: string };

export type ShareVisitEvent =
  | { readonly type: 'ShareViewed'; readonly data: Visits }
  | { readonly type: 'SharePreviewViewed'; readonly data: Visits }
  /** The sign-up button of a preview was clicked. */
  | { readonly type: 'ShareSignUpClicked'; readonly data: Visits }
  /** An account signed up from a preview. */
  | { readonly type: 'ShareSignedUp'; readonly data: Visits };
