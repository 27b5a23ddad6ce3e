/** Stored events of API keys. */
import * as z from 'zod';
import { API_KEY_SCOPES } from '../../model/programs.ts';
import type { ApiKeysEvent, ApiKeyUseEvent } from '../apiKeys/events.ts';
import { at, id } from './fields.ts';
import { type StoredTypes, stored } from './storedType.ts';

export const API_KEYS_TYPES = {
  ApiKeyCreated: stored(
    z.strictObject({
      keyId: id,
      userId: id,
      name: z.string(),
      scope: z.enum(API_KEY_SCOPES),
      keyHash: z.string(),
      hint: z.string(),
      createdAt: at,
      expiresAt: at.nullable(),
    }),
    ['keyId', 'userId'],
    { secret: ['keyHash'] },
  ),
  ApiKeyRevoked: stored(z.strictObject({ keyId: id, userId: id, revokedAt: at }), ['keyId', 'userId']),
  ApiKeysClosed: stored(z.strictObject({ userId: id, keyIds: z.array(id).readonly(), closedAt: at }), ['userId']),
} satisfies StoredTypes<ApiKeysEvent>;

export const API_KEY_USE_TYPES = {
  ApiKeyUsed: stored(z.strictObject({ keyId: id, usedAt: at }), ['keyId']),
} satisfies StoredTypes<ApiKeyUseEvent>;
