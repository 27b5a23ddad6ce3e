/** Deletes webhook deliveries, with their content, when the delivery log no longer shows them. */
import type { ContextOf } from '../../commands/context.ts';
import { forgetDelivery } from '../../commands/webhooks/webhookDeliveries.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';

export type OldDeliveriesDeps = {
  readonly context: ContextOf;
  /** Settled before that time (UTC ISO), oldest first. */
  readonly listSettled: (before: string, limit: number) => Promise<readonly { readonly deliveryId: string; readonly endpointId: string }[]>;
  /** Whether `listSettled` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
};

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const PAGE = 200;

export function createOldDeliveries({ context, listSettled, reached }: OldDeliveriesDeps): Sweep {
  return {
    name: 'oldDeliveries',
    everyMs: 60 * 60_000,
    async run(_kept, signal) {
      let done = 0;
      while (!signal.aborted) {
        const page = await listSettled(ago(context(null).now(), KEPT_MS), PAGE);
        let last: Position | null = null;
        for (const delivery of page) last = await forgetDelivery(context(null), delivery);
        done += page.length;
        // The list must have dropped these before the next page is read; anything it still has then is left to another run.
        if (page.length < PAGE || last === null || !(await reached(last))) break;
      }
      return { done, kept: null };
    },
  };
}
