/** Active API keys, used to authenticate requests. */
import type { ApiKeysEvent, ApiKeyUseEvent } from '../domain/apiKeys/events.ts';
import type { ApiKeyScope } from '../model/programs.ts';
import type { ReadModels, StoredDocument } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

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

export const apiKeys: Projection<ApiKeyDocument, ApiKeysEvent | ApiKeyUseEvent> = {
  name: 'apiKeys',
  version: 1,
  indexes: [['userId', 'createdAt']],
  handles: ['ApiKeyCreated', 'ApiKeyUsed', 'ApiKeyRevoked', 'ApiKeysClosed'],
  keys: (event) => (event.type === 'ApiKeysClosed' ? event.data.keyIds : [event.data.keyId]),
  evolve(document, event) {
    switch (event.type) {
      case 'ApiKeyCreated':
        return { ...event.data, lastUsedAt: null };
      case 'ApiKeyUsed':
        return document && { ...document, lastUsedAt: event.data.usedAt };
      case 'ApiKeyRevoked':
      case 'ApiKeysClosed':
        return null;
      default:
        event satisfies never;
        return document;
    }
  },
};

export function getApiKey(readModels: ReadModels, keyId: string): Promise<StoredDocument<ApiKeyDocument> | null> {
  return readModels.get('apiKeys', keyId);
}

/** Exceeds the limit per account. */
const ALL = 500;

/** Newest first. */
export async function listApiKeys(readModels: ReadModels, userId: string): Promise<readonly ApiKeyDocument[]> {
  const { documents } = await readModels.find<ApiKeyDocument>('apiKeys', { where: { userId }, sort: [['createdAt', 'desc']], limit: ALL });
  return documents.map(({ data }) => data);
}
