/**
 * Storage format, version with care. Streams: `api-keys-{userId}`: the keys of one account, in a single stream so that
 * their number can be limited; `api-key-use-{keyId}`: when a key was last used.
 */
import * as z from 'zod';
import { at, type EventIn, id } from '../eventSchemas.ts';

export const apiKeysStream = (userId: string): string => `api-keys-${userId}`;
export const apiKeyUseStream = (keyId: string): string => `api-key-use-${keyId}`;

export const API_KEYS_EVENTS = {
  ApiKeyCreated: z.strictObject({
    keyId: id,
    userId: id,
    name: z.string(),
    scope: z.enum(['read', 'write', 'reports:read']),
    /**
     * With `reports:read`: also anonymized events. Not a scope of its own: a process of the former version would take
     * an unknown one for `write`, and ignores this field.
     */
    events: z.literal(true).exactOptional(),
    /** SHA-256 (hex) of the whole key; the key itself is not stored. */
    keyHash: z.string(),
    /** The key's last characters, so that its owner can recognize it. */
    hint: z.string(),
    createdAt: at,
    expiresAt: at.nullable(),
  }),
  ApiKeyRevoked: z.strictObject({ keyId: id, userId: id, revokedAt: at }),
  /** The account is gone: earlier events are erased, and no others follow. */
  ApiKeysClosed: z.strictObject({ userId: id, keyIds: z.array(id), closedAt: at }),
};
export type ApiKeysEvent = EventIn<typeof API_KEYS_EVENTS>;

export const API_KEY_USE_EVENTS = {
  /** At most once per hour for each key. */
  ApiKeyUsed: z.strictObject({ keyId: id, usedAt: at }),
};
export type ApiKeyUseEvent = EventIn<typeof API_KEY_USE_EVENTS>;
