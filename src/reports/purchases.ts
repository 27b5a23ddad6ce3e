/** When money came in: purchased reports and paid plan periods. */
import { type EventOf, isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';

export const PURCHASES = ['FundsAdded', 'SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed'] as const;

/** Excludes what cost nothing: a trial, a change without an invoice, a 100% discount code. */
export function isPurchase<Event extends RecordedEvent>(
  event: Event,
): event is Event & EventOf<(typeof PURCHASES)[number]> {
  if (isOf(event, 'FundsAdded')) return event.data.amount > 0;
  return (
    isOf(event, 'SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed') &&
    (event.data.paid?.amount ?? 0) > 0
  );
}
