/** The API keys of one account: creation and revocation. */
import type { ApiKeyScope } from '../../model/programs.ts';
import { type Decider, DomainError, unreachable } from '../decider.ts';
import type { ApiKeysEvent } from './events.ts';

type Created = Extract<ApiKeysEvent, { readonly type: 'ApiKeyCreated' }>['data'];
/** How a scope is stored, in events and documents. */
export type StoredScope = Pick<Created, 'scope' | 'events'>;

/** A key's scope, from how it is stored. */
export const scopeOf = ({ scope, events }: StoredScope): ApiKeyScope =>
  scope === 'reports:read' && events === true ? 'events:read' : scope;

const storedScope = (scope: ApiKeyScope): StoredScope =>
  scope === 'events:read' ? { scope: 'reports:read', events: true } : { scope };

export type ApiKeysState = {
  /** Keys that have not been revoked. */
  readonly keys: Readonly<
    Record<string, { readonly scope: ApiKeyScope; readonly createdAt: string; readonly expiresAt: string | null }>
  >;
  /** All keys, including revoked ones, so that closing the account can list them all. */
  readonly known: readonly string[];
  readonly closed: boolean;
};

/** `at` is the time of the command, UTC ISO. */
export type ApiKeysCommand =
  | {
      readonly type: 'CreateApiKey';
      readonly keyId: string;
      readonly userId: string;
      readonly name: string;
      readonly scope: ApiKeyScope;
      readonly keyHash: string;
      readonly hint: string;
      readonly expiresAt: string | null;
      readonly at: string;
    }
  | { readonly type: 'RevokeApiKey'; readonly keyId: string; readonly userId: string; readonly at: string }
  | { readonly type: 'CloseApiKeys'; readonly userId: string; readonly at: string };

type Command<Type extends ApiKeysCommand['type']> = Extract<ApiKeysCommand, { readonly type: Type }>;

/** Maximum number of active keys (neither revoked nor expired) per account. */
export const MAX_API_KEYS = 20;

function evolve(state: ApiKeysState, event: ApiKeysEvent): ApiKeysState {
  switch (event.type) {
    case 'ApiKeyCreated': {
      const { keyId, createdAt, expiresAt } = event.data;
      return {
        ...state,
        keys: { ...state.keys, [keyId]: { scope: scopeOf(event.data), createdAt, expiresAt } },
        known: [...state.known, keyId],
      };
    }
    case 'ApiKeyRevoked': {
      const { [event.data.keyId]: _, ...keys } = state.keys;
      return { ...state, keys };
    }
    case 'ApiKeysClosed':
      return { keys: {}, known: event.data.keyIds, closed: true };
    default:
      event satisfies never;
      return state;
  }
}

function decide(command: ApiKeysCommand, state: ApiKeysState): readonly ApiKeysEvent[] {
  switch (command.type) {
    case 'CreateApiKey':
      return create(command, state);
    case 'RevokeApiKey':
      return revoke(command, state);
    case 'CloseApiKeys':
      return state.closed
        ? []
        : [{ type: 'ApiKeysClosed', data: { userId: command.userId, keyIds: state.known, closedAt: command.at } }];
    default:
      return unreachable(command);
  }
}

export const apiKeysDecider: Decider<ApiKeysState, ApiKeysCommand, ApiKeysEvent> = {
  initialState: () => ({ keys: {}, known: [], closed: false }),
  evolve,
  decide,
  keptFrom: 100,
};

function create({ type: _, at, scope, ...key }: Command<'CreateApiKey'>, state: ApiKeysState): readonly ApiKeysEvent[] {
  if (state.closed) throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  if (state.known.includes(key.keyId)) return [];
  if (key.expiresAt !== null && key.expiresAt <= at)
    throw new DomainError('API_KEY_EXPIRY_PAST', 'The expiry must lie in the future.');
  const usable = Object.values(state.keys).filter(({ expiresAt }) => expiresAt === null || expiresAt > at).length;
  if (usable >= MAX_API_KEYS)
    throw new DomainError('TOO_MANY_API_KEYS', `An account has at most ${MAX_API_KEYS} API keys. Revoke one first.`);
  return [{ type: 'ApiKeyCreated', data: { ...key, ...storedScope(scope), createdAt: at } }];
}

/** Idempotent. */
function revoke({ keyId, userId, at }: Command<'RevokeApiKey'>, state: ApiKeysState): readonly ApiKeysEvent[] {
  if (!state.known.includes(keyId)) throw new DomainError('API_KEY_NOT_FOUND', 'There is no such API key.');
  return Object.hasOwn(state.keys, keyId) ? [{ type: 'ApiKeyRevoked', data: { keyId, userId, revokedAt: at } }] : [];
}
