import { accountStream } from '../../domain/account/account.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { apiKeysDecider, apiKeysStream } from '../../domain/apiKeys/apiKeys.ts';
import { DomainError } from '../../domain/decider.ts';
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

/**
 * The result is the only place where the key itself appears.
 * @throws DomainError TOO_MANY_API_KEYS, API_KEY_EXPIRY_PAST, ACCOUNT_NOT_FOUND
 */
export async function createApiKey(
  ctx: CommandContext,
  { newToken, ...wanted }: CreateApiKey,
): Promise<{ readonly key: string; readonly keyId: string; readonly position: Position }> {
  const { state: account } = await loadState(ctx.store, accountDecider, accountStream(wanted.userId));
  if (account.status !== 'active') throw new DomainError('ACCOUNT_NOT_FOUND', 'Account not found');
  const key = newApiKey(newToken);
  const facts = apiKeyFacts(key);
  const { position } = await handle(ctx, apiKeysDecider, apiKeysStream(wanted.userId), { type: 'CreateApiKey', ...wanted, ...facts, at: ctx.now() });
  return { key, keyId: facts.keyId, position };
}
