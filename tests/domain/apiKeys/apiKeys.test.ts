import { describe, expect, it } from 'vitest';
import { apiKeysDecider, MAX_API_KEYS, scopeOf } from '../../../src/domain/apiKeys/apiKeys.ts';
import type { ApiKeysEvent } from '../../../src/domain/apiKeys/events.ts';
import { specOf } from '../../given/decider.ts';

const given = specOf(apiKeysDecider);
const AT = '2026-03-10T12:00:00.000Z';
const LATER = '2026-03-11T12:00:00.000Z';
const create = (keyId: string, expiresAt: string | null = null) =>
  ({
    type: 'CreateApiKey',
    keyId,
    userId: 'ann',
    name: 'CI',
    scope: 'read',
    keyHash: `hash of ${keyId}`,
    hint: 'abcd',
    expiresAt,
    at: AT,
  }) as const;
type Created = Extract<ApiKeysEvent, { readonly type: 'ApiKeyCreated' }>;
const created = (keyId: string, expiresAt: string | null = null): Created => ({
  type: 'ApiKeyCreated',
  data: {
    keyId,
    userId: 'ann',
    name: 'CI',
    scope: 'read',
    keyHash: `hash of ${keyId}`,
    hint: 'abcd',
    createdAt: AT,
    expiresAt,
  },
});
const many = (expiresAt: string | null = null) =>
  Array.from({ length: MAX_API_KEYS }, (_, nth) => created(`key-${nth}`, expiresAt));

describe('API keys', () => {
  it('are created with a name, a scope and an optional expiry', () => {
    given().when(create('key-1', LATER)).then(created('key-1', LATER));
  });
  it('of an analyst of events are stored as those for reports, with what else they open', () => {
    const { data } = created('key-1');
    given()
      .when({ ...create('key-1'), scope: 'events:read' })
      .then({ type: 'ApiKeyCreated', data: { ...data, scope: 'reports:read', events: true } });
    for (const scope of ['read', 'write', 'reports:read'] as const)
      given()
        .when({ ...create('key-1'), scope })
        .then({ type: 'ApiKeyCreated', data: { ...data, scope } });
    expect(scopeOf({ scope: 'reports:read', events: true })).toBe('events:read');
    // Nothing else gets more rights by that field.
    expect(scopeOf({ scope: 'read', events: true })).toBe('read');
  });
  it('are created once', () => {
    given(created('key-1')).when(create('key-1')).thenNothing();
  });
  it('cannot be created already expired', () => {
    given().when(create('key-1', AT)).thenRefused('API_KEY_EXPIRY_PAST');
  });
  it('have a limit; revoked and expired keys do not count', () => {
    const revoked: ApiKeysEvent = { type: 'ApiKeyRevoked', data: { keyId: 'key-0', userId: 'ann', revokedAt: AT } };
    given(...many())
      .when(create('more'))
      .thenRefused('TOO_MANY_API_KEYS');
    given(...many(), revoked)
      .when(create('more'))
      .then(created('more'));
    given(...many('2026-03-10T11:00:00.000Z'))
      .when(create('more'))
      .then(created('more'));
  });
  it('are revoked once, and only by their own account', () => {
    const revoked: ApiKeysEvent = { type: 'ApiKeyRevoked', data: { keyId: 'key-1', userId: 'ann', revokedAt: AT } };
    const revoke = { type: 'RevokeApiKey', keyId: 'key-1', userId: 'ann', at: AT } as const;
    given(created('key-1')).when(revoke).then(revoked);
    given(created('key-1'), revoked).when(revoke).thenNothing();
    given().when(revoke).thenRefused('API_KEY_NOT_FOUND');
  });
  it('are closed for good with their account', () => {
    const closed: ApiKeysEvent = {
      type: 'ApiKeysClosed',
      data: { userId: 'ann', keyIds: ['key-1', 'key-2'], closedAt: AT },
    };
    const close = { type: 'CloseApiKeys', userId: 'ann', at: AT } as const;
    given(created('key-1'), created('key-2')).when(close).then(closed);
    given(closed).when(close).thenNothing();
    given(closed).when(create('key-3')).thenRefused('ACCOUNT_NOT_FOUND');
  });
});
