/**
 * Revokes the API keys for analysts when admin rights are withdrawn: they would give access to reports and events again
 * if the rights were restored.
 */

import { revokeApiKey } from '../../commands/apiKeys/revokeApiKey.ts';
import type { ContextOf } from '../../commands/context.ts';
import { loadHistory } from '../../commands/handle.ts';
import { accountDecider } from '../../domain/account/decide.ts';
import { accountStream } from '../../domain/account/events.ts';
import { apiKeysDecider, scopeOf } from '../../domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../domain/apiKeys/events.ts';
import { eventsOf } from '../../domain/stored/eventOf.ts';
import { comparePositions } from '../../eventStore/eventStore.ts';
import { isAnalystScope } from '../../model/programs.ts';
import { type Follower, followerOf } from '../follower.ts';

export function createAnalystKeys({ context }: { readonly context: ContextOf }): Follower {
  return followerOf({
    name: 'analystKeys',
    types: ['AccountAdminRevoked'],
    begins: 'at_the_start',
    async follow(event) {
      const ctx = context(event);
      const { userId } = event.data;
      const account = await loadHistory(ctx.store, accountDecider, accountStream(userId));
      const granted = eventsOf(account.events, 'AccountAdminGranted').find(
        ({ position }) => comparePositions(position, event.position) > 0,
      );
      const { state, events } = await loadHistory(ctx.store, apiKeysDecider, apiKeysStream(userId));
      for (const { position, data } of eventsOf(events, 'ApiKeyCreated')) {
        // Keys created since belong to a newly granted right: compared by log order, since the clocks of two processes
        // differ.
        const isLater = granted !== undefined && comparePositions(position, granted.position) > 0;
        if (isAnalystScope(scopeOf(data)) && !isLater && state.keys[data.keyId])
          await revokeApiKey(ctx, { userId, keyId: data.keyId });
      }
    },
  });
}
