/** An API key as shown to its owner: without its hash. */
import type { ApiKeyDocument } from '../../projections/apiKeys.ts';
import type { ApiKeyView } from '../contract/apiKeys.ts';

export function presentApiKey(key: ApiKeyDocument): ApiKeyView {
  return {
    id: key.keyId,
    name: key.name,
    scope: key.scope,
    hint: key.hint,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
  };
}
