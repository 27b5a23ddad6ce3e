/**
 * Erases what an event makes obsolete: earlier events of its stream, and streams that end with it. The commands do so
 * immediately; this catches up after a crash.
 */
import { streamsClosedWith } from '../../commands/closedStreams.ts';
import { keepLastOnly } from '../../commands/keepLastOnly.ts';
import { type EventType, isOf } from '../../domain/stored/eventOf.ts';
import type { EventStore, RecordedEvent } from '../../eventStore/eventStore.ts';
import { type Follower, followerOf } from '../follower.ts';

/**
 * Only the last event of the stream is kept after these. None of these streams opens a work item that it does not close
 * itself: `eraseHistory` handles those that do, with the account.
 */
const ALONE = [
  'WebhookForgotten',
  'WebhookSecretRotated',
  'ApiKeysClosed',
  'PageRecordsRemoved',
] as const satisfies readonly EventType[];

/** `streamsClosedWith` names the streams that end with these. */
const CLOSING = [
  'AccountExportFailed',
  'AccountExportRemoved',
  'ApiKeysClosed',
  'WebhooksClosed',
  'EmailRefused',
] as const satisfies readonly EventType[];

export function createTruncations({ store }: { readonly store: EventStore }): Follower {
  return followerOf({
    name: 'truncations',
    types: [...new Set([...ALONE, 'SessionEnded' as const, 'PromptTrialForgotten' as const, ...CLOSING])],
    begins: 'at_the_start',
    async follow(event) {
      for (const stream of streamsClosedWith(event)) await store.delete(stream);
      if (standsAlone(event)) await keepLastOnly(store, event.stream);
      // Another trial may have begun since: the event that opened it is kept.
      if (isOf(event, 'PromptTrialForgotten')) await store.truncate(event.stream, event.revision);
    },
  });
}

const standsAlone = (event: RecordedEvent): boolean =>
  isOf(event, ...ALONE) ||
  (isOf(event, 'SessionEnded', 'AccountExportRemoved') && event.data.reason === 'account_deleted');
