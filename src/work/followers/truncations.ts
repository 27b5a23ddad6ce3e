/** Erases what an event leaves behind it: events before it in its stream, and streams that end with it. The commands do it at once; this one makes good what a crash left. */
import { streamsClosedWith } from '../../commands/closedStreams.ts';
import { keepLastOnly } from '../../commands/keepLastOnly.ts';
import type { ProductEvent } from '../../domain/eventTypes.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import type { Follower } from '../follower.ts';

/**
 * The last event of its stream alone is kept after these. None of their streams opens an item of work that it does not close itself: `eraseHistory` sees
 * to those that do, with the account.
 */
const ALONE = {
  WebhookForgotten: () => true,
  WebhookSecretRotated: () => true,
  ApiKeysClosed: () => true,
  SessionEnded: ({ data }) => (data as { readonly reason: string }).reason === 'account_deleted',
} as const satisfies Partial<Record<ProductEvent['type'], (event: RecordedEvent) => boolean>>;

/** `streamsClosedWith` names what ends with these. */
const CLOSING = ['ApiKeysClosed', 'WebhooksClosed', 'EmailRefused'] as const satisfies readonly ProductEvent['type'][];

export function createTruncations({ store }: { readonly store: EventStore }): Follower {
  return {
    name: 'truncations',
    types: [...new Set<string>([...Object.keys(ALONE), ...CLOSING])],
    begins: 'at_the_start',
    async follow(event) {
      for (const stream of streamsClosedWith(event)) await store.delete(stream, { mode: 'hard' });
      if (ALONE[event.type as keyof typeof ALONE]?.(event)) await keepLastOnly(store, event.stream);
    },
  };
}
