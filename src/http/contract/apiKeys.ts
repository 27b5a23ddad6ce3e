import * as z from 'zod';
import { API_KEY_NAME_MAX } from '../../model/limits.ts';
import { API_KEY_SCOPES } from '../../model/programs.ts';

export const ApiKeyScope = z.enum(API_KEY_SCOPES);

export const ApiKeyView = z.object({
  id: z.string(),
  name: z.string(),
  scope: ApiKeyScope,
  /** Last characters of the key. */
  hint: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  /** Rounded to the hour; null: never. */
  last_used_at: z.string().nullable(),
  /** What assistants did with it in 90 days, the last first; absent where the key alone is told. */
  assistant_calls: z
    .array(z.object({ tool: z.string(), calls: z.number().int(), last_at: z.string() }))
    .exactOptional(),
});
export type ApiKeyView = z.infer<typeof ApiKeyView>;

export const ApiKeysResponse = z.object({
  success: z.literal(true),
  data: z.array(ApiKeyView),
  limit: z.number().int(),
});
export type ApiKeysResponse = z.infer<typeof ApiKeysResponse>;

/** Refuses unknown fields, unlike other bodies: a misspelled expiry would make a key that never ends. */
export const CreateApiKeyRequest = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'Please give the key a name')
    .max(API_KEY_NAME_MAX, `A name has at most ${API_KEY_NAME_MAX} characters`),
  scope: ApiKeyScope,
  /** Days until it expires; null or absent: never. */
  expires_in_days: z.number().int().min(1).max(3650).nullish(),
});
export type CreateApiKeyRequest = z.infer<typeof CreateApiKeyRequest>;

/** `key` is shown only once. */
export const CreateApiKeyResponse = z.object({ success: z.literal(true), key: z.string(), data: ApiKeyView });
export type CreateApiKeyResponse = z.infer<typeof CreateApiKeyResponse>;

export const RevokeApiKeyResponse = z.object({ success: z.literal(true), message: z.string() });
