/** Active API keys, used to authenticate requests. */
import type { StoredScope } from '../domain/apiKeys/apiKeys.ts';
import type { DataOf } from '../domain/stored/eventOf.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

/** The scope is kept as it is stored: `scopeOf` reads it. */
export type ApiKeyDocument = StoredScope & {
  readonly id: string;
  readonly name: string;
  readonly hint: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** Accurate to the hour. */
  readonly last_used_at: string | null;
  readonly userId: string;
  readonly keyHash: string;
};

export const apiKeys = projection<ApiKeyDocument>()({
  name: 'apiKeys',
  version: 3,
  shape: 2,
  indexes: [['userId', 'created_at']],
  keys: ({ data }) => ('keyIds' in data ? data.keyIds : [data.keyId]),
  on: {
    ApiKeyCreated: (_, { data }) => newApiKey(data),
    ApiKeyUsed: (apiKey, { data }) => apiKey && { ...apiKey, last_used_at: data.usedAt },
    ApiKeyRevoked: () => null,
    ApiKeysClosed: () => null,
  },
});

/** As it is when it has just been created. */
export function newApiKey(created: DataOf<'ApiKeyCreated'>): ApiKeyDocument {
  const { keyId, userId, name, scope, events, keyHash, hint, createdAt, expiresAt } = created;
  return {
    id: keyId,
    name,
    scope,
    ...(events ? { events } : {}),
    hint,
    created_at: createdAt,
    expires_at: expiresAt,
    last_used_at: null,
    userId,
    keyHash,
  };
}

export function getApiKey(readModels: ReadModels, keyId: string): Promise<StoredDocument<ApiKeyDocument> | null> {
  return readModels.get('apiKeys', keyId);
}

/** Exceeds the limit per account. */
const ALL = 500;

/** Newest first. */
export async function listApiKeys(readModels: ReadModels, userId: string): Promise<readonly ApiKeyDocument[]> {
  const { documents } = await readModels.find<ApiKeyDocument>('apiKeys', {
    where: { userId },
    sort: [['created_at', 'desc']],
    limit: ALL,
  });
  return documents.map(({ data }) => data);
}
