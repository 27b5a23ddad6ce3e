/** When money came in: reports that were bought, and periods of a plan that were paid. */
import { type EventOf, isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';

export const PURCHASES = ['FundsAdded', 'SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed'] as const;

/** Not what cost nothing: a trial, a change without an invoice, a code for all of it. */
export function isPurchase<Event extends RecordedEvent>(event: Event): event is Event & EventOf<(typeof PURCHASES)[number]> {
  if (isOf(event, 'FundsAdded')) return event.data.amount > 0;
  return isOf(event, 'SubscriptionStarted', 'SubscriptionChanged', 'SubscriptionRenewed') && (event.data.paid?.amount ?? 0) > 0;
}
