/** Money that changed hands with a billing event. */
import { isOf } from '../../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../../eventStore/eventStore.ts';

/** In the smallest currency unit. `in`: paid to us; `out`: refunded or disputed. */
export type Moved = { readonly currency: string; readonly in: number; readonly out: number };

/** Null if no money moved. */
export function movedBy(event: RecordedEvent): Moved | null {
  if (isOf(event, 'FundsAdded', 'DisputeWon')) return { currency: event.data.currency, in: event.data.amount, out: 0 };
  if (isOf(event, 'PaymentRefunded', 'DisputeOpened'))
    return { currency: event.data.currency, in: 0, out: event.data.amount };
  if (isOf(event, 'SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed') && event.data.paid) {
    return { currency: event.data.paid.currency, in: event.data.paid.amount, out: 0 };
  }
  return null;
}
