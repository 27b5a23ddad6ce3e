/** Erases the answers that were kept for repeats of a request (`Idempotency-Key`) when nobody repeats it any more. */
import type { ContextOf } from '../../commands/context.ts';
import type { Sweep } from '../sweep.ts';
import { ago, eventsSince } from './eventsSince.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export function createRequestKeys({ context }: { readonly context: ContextOf }): Sweep {
  return {
    name: 'requestKeys',
    everyMs: 60 * 60_000,
    run(kept, signal) {
      const { store, now } = context(null);
      return eventsSince(store, { kept, type: 'RequestAccepted', before: ago(now(), KEPT_MS), signal }, async ({ stream }) => {
        // For good: no store keeps the last event of such a stream until it cleans up.
        await store.delete(stream);
        return true;
      });
    },
  };
}
