/** Whose right to administer was withdrawn has no keys for analysts any more: they would open the reports again if the right came back. */
import { revokeApiKey } from '../../commands/apiKeys/revokeApiKey.ts';
import type { ContextOf } from '../../commands/context.ts';
import { loadState } from '../../commands/handle.ts';
import { apiKeysDecider, apiKeysStream } from '../../domain/apiKeys/apiKeys.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createAnalystKeys({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'analystKeys',
    types: ['AccountAdminRevoked'],
    begins: 'at_the_start',
    async follow(event) {
      const ctx = context(event);
      const { userId, revokedAt } = event.data;
      const { state } = await loadState(ctx.store, apiKeysDecider, apiKeysStream(userId));
      // Those that were made since belong to a right that was given anew.
      const keyIds = Object.entries(state.keys).flatMap(([keyId, { scope, createdAt }]) => (scope === 'reports:read' && createdAt <= revokedAt ? [keyId] : []));
      for (const keyId of keyIds) await revokeApiKey(ctx, { userId, keyId });
    },
  });
}
