/**
 * Changes of each bill, one row per change: payments, credits and funds with the remaining balance, and each transition
 * of a subscription.
 */
import type { EventOf, EventType } from '../domain/stored/eventOf.ts';
import type { Position } from '../eventStore/eventStore.ts';
import type { Page, ReadModels } from '../readModels/readModels.ts';
import { each, projection } from './projection.ts';

const SHOWN = [
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
] as const satisfies readonly EventType[];

type ShownEvent = EventOf<(typeof SHOWN)[number]>;

/** The original event; formatting is up to the presentation. */
export type BillingHistoryDocument = {
  readonly userId: string;
  readonly order: Position;
  readonly at: string;
} & ShownEvent;

/** Fields that hold ids of the payment provider. */
const OF_PROVIDER = [
  'data.paymentIntentId',
  'data.paid.paymentIntentId',
  'data.paid.invoiceId',
  'data.subscriptionId',
] as const;

export const billingHistory = projection<BillingHistoryDocument>()({
  name: 'billingHistory',
  version: 2,
  indexes: [['userId', 'order'], ...OF_PROVIDER.map((field) => [field])],
  keys: (event) => [event.id],
  on: each(SHOWN, (document: BillingHistoryDocument | null, event) => {
    // Plans, the free allowance and uncharged audits change no balance.
    if ('from' in event.data && event.data.from !== 'credits' && event.data.from !== 'funds') return document;
    if (event.type === 'AnalysisReleased' && event.data.from === undefined) return document;
    const { type, data } = event;
    const shown: ShownEvent = { type, data } as ShownEvent;
    return { userId: data.userId, order: event.position, at: event.metadata.at, ...shown };
  }),
});

/** A user's history, newest first. */
export function listBillingHistory(
  readModels: ReadModels,
  userId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<BillingHistoryDocument>> {
  return readModels.find('billingHistory', {
    where: { userId },
    sort: [['order', 'desc']],
    limit,
    ...(cursor === undefined ? {} : { cursor }),
  });
}

/**
 * The user whose bill contains this id of the payment provider: of a payment, a paid invoice or a subscription. Null if
 * there is none.
 */
export async function billOfProviderId(readModels: ReadModels, id: string): Promise<string | null> {
  const found = await Promise.all(
    OF_PROVIDER.map((field) =>
      readModels.find<BillingHistoryDocument>('billingHistory', { where: { [field]: id }, limit: 1 }),
    ),
  );
  return found.flatMap(({ documents }) => documents)[0]?.data.userId ?? null;
}
