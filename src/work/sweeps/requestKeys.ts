/** Erases the responses kept for repeated requests (`Idempotency-Key`) once they are too old to be repeated. */
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
      return eventsSince(
        store,
        { kept, type: 'RequestAccepted', before: ago(now(), KEPT_MS), signal },
        async ({ stream }) => {
          // Permanently, so that no store retains the last event of such a stream beyond its cleanup.
          await store.delete(stream);
          return true;
        },
      );
    },
  };
}
