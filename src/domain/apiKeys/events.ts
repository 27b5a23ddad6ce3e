/**
 * Storage format, version with care. Streams: `api-keys-{userId}`: the keys of one account, in one stream so that their number has a limit;
 * `api-key-use-{keyId}`: when one was last used.
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
        /** SHA-256 (hex) of the whole key; the key itself is kept nowhere. */
        readonly keyHash: string;
        /** Its last characters, by which its owner tells it from others. */
        readonly hint: string;
        readonly createdAt: string;
        readonly expiresAt: string | null;
      };
    }
  | { readonly type: 'ApiKeyRevoked'; readonly data: { readonly keyId: string; readonly userId: string; readonly revokedAt: string } }
  /** The account is gone: what stood before this is erased, and nothing follows. */
  | { readonly type: 'ApiKeysClosed'; readonly data: { readonly userId: string; readonly keyIds: readonly string[]; readonly closedAt: string } };

/** At most once an hour for each key. */
export type ApiKeyUseEvent = { readonly type: 'ApiKeyUsed'; readonly data: { readonly keyId: string; readonly usedAt: string } };
