/** What changed in each bill, a row a change: payments, credits and funds with what was left of them, and each turn of a subscription. */
import type { BillingEvent } from '../domain/billing/events.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import type { Projection } from './projection.ts';

type ShownEvent = Exclude<
  BillingEvent,
  { readonly type: 'AllowanceCarriedOver' | 'AnalysisConsumed' | 'SubscriptionSynced' | 'SubscriptionStatusChanged' | 'CustomerLinked' }
>;

/** The event as it was: how it reads is a matter of who shows it. */
export type BillingHistoryDocument = { readonly userId: string; readonly order: Position; readonly at: string } & ShownEvent;

/** Where ids of the payment provider stand in the events. */
const OF_PROVIDER = ['data.paymentIntentId', 'data.paid.paymentIntentId', 'data.paid.invoiceId', 'data.subscriptionId'] as const;

export const billingHistory: Projection<BillingHistoryDocument, ShownEvent> = {
  name: 'billingHistory',
  version: 2,
  indexes: [['userId', 'order'], ...OF_PROVIDER.map((field) => [field])],
  handles: [
    'AnalysisReserved',
    'AnalysisReleased',
    'UnlockPaid',
    'UnlockReturned',
    'FundsAdded',
    'CreditsGranted',
    'PaymentRefunded',
    'DisputeOpened',
    'DisputeWon',
    'DisputeLost',
    'SubscriptionStarted',
    'SubscriptionChanged',
    'SubscriptionChangeScheduled',
    'SubscriptionChangeUndone',
    'SubscriptionRenewed',
    'SubscriptionPaymentFailed',
    'SubscriptionCancelScheduled',
    'SubscriptionReactivated',
    'SubscriptionEnded',
  ],
  keys: (event) => [event.id],
  evolve(document, event) {
    // What a plan, the free allowance or nobody pays for changes no balance.
    if ('from' in event.data && event.data.from !== 'credits' && event.data.from !== 'funds') return document;
    if (event.type === 'AnalysisReleased' && event.data.from === undefined) return document;
    const { type, data } = event;
    const shown: ShownEvent = { type, data } as ShownEvent;
    return { userId: data.userId, order: event.position, at: event.metadata.at, ...shown };
  },
};

/** A user's, newest first. */
export function listBillingHistory(
  readModels: ReadModels,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<BillingHistoryDocument>> {
  return readModels.find('billingHistory', { where: { userId }, sort: [['order', 'desc']], limit, ...(cursor === undefined ? {} : { cursor }) });
}

/** In whose bill an id of the payment provider stands: of a payment, a paid invoice or a subscription. Null: in none. */
export async function billOfProviderId(readModels: ReadModels, id: string): Promise<string | null> {
  const found = await Promise.all(OF_PROVIDER.map((field) => readModels.find<BillingHistoryDocument>('billingHistory', { where: { [field]: id }, limit: 1 })));
  return found.flatMap(({ documents }) => documents)[0]?.data.userId ?? null;
}
