/** Deletes webhook deliveries, with their content, when the delivery log no longer shows them. */
import type { ContextOf } from '../../commands/context.ts';
import { forgetDelivery } from '../../commands/webhooks/webhookDeliveries.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Sweep } from '../sweep.ts';
import { ago } from './eventsSince.ts';
import { removeListed } from './removeListed.ts';

export type OldDeliveriesDeps = {
  readonly context: ContextOf;
  /** Settled before that time (UTC ISO), oldest first. */
  readonly listSettled: (
    before: string,
    limit: number,
  ) => Promise<readonly { readonly id: string; readonly endpointId: string }[]>;
  /** Whether `listSettled` has reached that log position; waits briefly for it. */
  readonly reached: (position: Position) => Promise<boolean>;
};

const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;

export function createOldDeliveries({ context, listSettled, reached }: OldDeliveriesDeps): Sweep {
  return {
    name: 'oldDeliveries',
    everyMs: 60 * 60_000,
    run: (_kept, signal) =>
      removeListed({
        list: (limit) => listSettled(ago(context(null).now(), KEPT_MS), limit),
        remove: ({ id: deliveryId, endpointId }) => forgetDelivery(context(null), { deliveryId, endpointId }),
        reached,
        signal,
      }),
  };
}
