import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { apiKeysDecider } from '../../domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../domain/apiKeys/events.ts';
import { DomainError } from '../../domain/decider.ts';
import { type DataOf, isOf } from '../../domain/stored/eventOf.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { ApiKeyScope } from '../../model/programs.ts';
import type { CommandContext } from '../context.ts';
import { handle, loadState } from '../handle.ts';
import { apiKeyFacts, newApiKey } from './apiKeyTokens.ts';

export type CreateApiKey = {
  readonly userId: string;
  readonly name: string;
  readonly scope: ApiKeyScope;
  /** UTC ISO; null: never. */
  readonly expiresAt: string | null;
  readonly newToken: () => string;
};

/** `made` is null if the command was carried out before: the key is not known any more. */
export type CreatedApiKey = {
  readonly keyId: string;
  readonly made: { readonly key: string; readonly created: DataOf<'ApiKeyCreated'> } | null;
  readonly position: Position;
};

/**
 * The result is the only place where the key itself appears.
 * @throws DomainError TOO_MANY_API_KEYS, API_KEY_EXPIRY_PAST, ACCOUNT_NOT_FOUND
 */
export async function createApiKey(ctx: CommandContext, { newToken, ...wanted }: CreateApiKey): Promise<CreatedApiKey> {
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(wanted.userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const key = newApiKey(newToken);
  const facts = apiKeyFacts(key);
  const stream = apiKeysStream(wanted.userId);
  const command = { type: 'CreateApiKey', ...wanted, ...facts, at: ctx.now() } as const;
  const { events, position } = await handle(ctx, apiKeysDecider, stream, command, {
    drawn: ['keyId', 'keyHash', 'hint'],
  });
  const created = events.find((event) => event.type === 'ApiKeyCreated')?.data;
  if (created) return { keyId: facts.keyId, made: { key, created }, position };
  return { keyId: await keyMadeBy(ctx, stream), made: null, position };
}

async function keyMadeBy({ store, commandId }: CommandContext, stream: string): Promise<string> {
  const read = await store.read(stream);
  const made =
    read.status === 'found'
      ? read.events.find((event) => event.metadata.causationId === commandId && isOf(event, 'ApiKeyCreated'))
      : undefined;
  if (!made || !isOf(made, 'ApiKeyCreated')) throw new Error(`no key of command ${commandId} is in ${stream}`);
  return made.data.keyId;
}
