/**
 * Searches the payment provider's own list of events for those that no webhook delivered, and stores them as a webhook
 * would have. The state is when the last run began.
 */
import { receiveProviderEvent } from '../../commands/billing/receiveProviderEvent.ts';
import type { ContextOf } from '../../commands/context.ts';
import type { Payments } from '../../integrations/payments/payments.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';
import { orPassOver } from './orPassOver.ts';

const HOUR_MS = 60 * 60 * 1_000;
/** Searched again by each run, to find events that the provider lists late. */
const OVERLAP_MS = 24 * HOUR_MS;
/** As far back as the provider's list goes. */
const FIRST_RUN_MS = 30 * 24 * HOUR_MS;
/** How long a webhook may be in transit. */
const GRACE_MS = 10 * 60 * 1_000;

export type MissedProviderEventsDeps = {
  readonly context: ContextOf;
  /** Null: nothing is sold here. */
  readonly payments: Pick<Payments, 'eventsSince'> | null;
};

export function createMissedProviderEvents({ context, payments }: MissedProviderEventsDeps): Sweep {
  return {
    name: 'missedProviderEvents',
    everyMs: HOUR_MS,
    async run(kept, signal) {
      if (!payments) return { done: 0, kept };
      const began = context(null).now();
      const grace = ago(began, GRACE_MS);
      let done = 0;
      const passedOver: Error[] = [];
      for await (const event of payments.eventsSince(sinceOf(kept, began))) {
        if (signal.aborted) break;
        // If the provider's clock is ahead, as when the sandbox's was moved, events are not waited for.
        if (event.createdAt > grace && event.createdAt <= began) continue;
        const received = await orPassOver(passedOver, receiveProviderEvent(context(null), event, 'sweep'));
        if (received?.outcome === 'stored') done += 1;
      }
      return { done, kept: began, passedOver };
    },
  };
}

/** A failed run keeps no state, so that the next one begins at the same time. */
function sinceOf(kept: string | null, now: string): string {
  const first = Date.parse(now) - FIRST_RUN_MS;
  const next = kept === null ? Number.NaN : Date.parse(kept) - OVERLAP_MS;
  return new Date(Number.isNaN(next) ? first : Math.max(first, next)).toISOString();
}
