/**
 * Storage format, version with care. Streams: `api-keys-{userId}`: the keys of one account, in a single stream so that their number can be limited;
 * `api-key-use-{keyId}`: when a key was last used.
 */
import type { ApiKeyScope } from '../../model/programs.ts';

export type ApiKeysEvent =
  | {
      readonly type: 'ApiKeyCreated';
      readonly data: {
        readonly keyId: string;
        readonly userId: string;
        readonly name: string;
        readonly scope: ApiKeyScope;
        /** SHA-256 (hex) of the whole key; the key itself is not stored. */
        readonly keyHash: string;
        /** The key's last characters, so that its owner can recognize it. */
        readonly hint: string;
        readonly createdAt: string;
        readonly expiresAt: string | null;
      };
    }
  | { readonly type: 'ApiKeyRevoked'; readonly data: { readonly keyId: string; readonly userId: string; readonly revokedAt: string } }
  /** The account is gone: earlier events are erased, and no others follow. */
  | { readonly type: 'ApiKeysClosed'; readonly data: { readonly userId: string; readonly keyIds: readonly string[]; readonly closedAt: string } };

/** At most once per hour for each key. */
export type ApiKeyUseEvent = { readonly type: 'ApiKeyUsed'; readonly data: { readonly keyId: string; readonly usedAt: string } };
