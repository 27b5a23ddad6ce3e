/** Active API keys, used to authenticate requests. */
import type { ApiKeyScope } from '../model/programs.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import { projection } from './projection.ts';

export type ApiKeyDocument = {
  readonly keyId: string;
  readonly userId: string;
  readonly name: string;
  readonly scope: ApiKeyScope;
  readonly keyHash: string;
  readonly hint: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  /** Accurate to the hour. */
  readonly lastUsedAt: string | null;
};

export const apiKeys = projection<ApiKeyDocument>()({
  name: 'apiKeys',
  version: 1,
  indexes: [['userId', 'createdAt']],
  keys: ({ data }) => ('keyIds' in data ? data.keyIds : [data.keyId]),
  on: {
    ApiKeyCreated: (_, { data }) => ({ ...data, lastUsedAt: null }),
    ApiKeyUsed: (apiKey, { data }) => apiKey && { ...apiKey, lastUsedAt: data.usedAt },
    ApiKeyRevoked: () => null,
    ApiKeysClosed: () => null,
  },
});

export function getApiKey(readModels: ReadModels, keyId: string): Promise<StoredDocument<ApiKeyDocument> | null> {
  return readModels.get('apiKeys', keyId);
}

/** Exceeds the limit per account. */
const ALL = 500;

/** Newest first. */
export async function listApiKeys(readModels: ReadModels, userId: string): Promise<readonly ApiKeyDocument[]> {
  const { documents } = await readModels.find<ApiKeyDocument>('apiKeys', {
    where: { userId },
    sort: [['createdAt', 'desc']],
    limit: ALL,
  });
  return documents.map(({ data }) => data);
}
