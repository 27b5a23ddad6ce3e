/** Erases what an event leaves behind it: events before it in its stream, and streams that end with it. The commands do it at once; this one makes good what a crash left. */
import { streamsClosedWith } from '../../commands/closedStreams.ts';
import { keepLastOnly } from '../../commands/keepLastOnly.ts';
import { type EventType, isOf } from '../../domain/stored/eventOf.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';

/**
 * The last event of its stream alone is kept after these. None of their streams opens an item of work that it does not close itself: `eraseHistory` sees
 * to those that do, with the account.
 */
const ALONE = ['WebhookForgotten', 'WebhookSecretRotated', 'ApiKeysClosed'] as const satisfies readonly EventType[];

/** `streamsClosedWith` names what ends with these. */
const CLOSING = ['ApiKeysClosed', 'WebhooksClosed', 'EmailRefused'] as const satisfies readonly EventType[];

export function createTruncations({ store }: { readonly store: EventStore }): Follower {
  return followerOf({
    name: 'truncations',
    types: [...new Set([...ALONE, 'SessionEnded' as const, 'PromptTrialForgotten' as const, ...CLOSING])],
    begins: 'at_the_start',
    async follow(event) {
      for (const stream of streamsClosedWith(event)) await store.delete(stream);
      if (standsAlone(event)) await keepLastOnly(store, event.stream);
      // Another trial may have begun since: what opened that is kept.
      if (isOf(event, 'PromptTrialForgotten')) await store.truncate(event.stream, event.revision);
    },
  });
}

const standsAlone = (event: RecordedEvent): boolean => isOf(event, ...ALONE) || (isOf(event, 'SessionEnded') && event.data.reason === 'account_deleted');
