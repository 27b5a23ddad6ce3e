/**
 * Storage format, version with care. Stream: `stripe-{eventId}`: one event of the payment provider's, without its body, which names people: what it is
 * about is fetched when it is worked on.
 */
export type ProviderEventSubject =
  | { readonly kind: 'payment'; readonly paymentIntentId: string }
  | { readonly kind: 'subscription'; readonly subscriptionId: string }
  | { readonly kind: 'invoice'; readonly invoiceId: string };

/**
 * `not_ours`: made for nobody who has an account here. `gone`: the provider does not have it any more. `account_deleted`: it is new, and whose it is has left.
 * `given_up`: an operator, or too many failures.
 */
export type IgnoreReason = 'not_ours' | 'gone' | 'account_deleted' | 'given_up';

export type ProviderEventEvent =
  | {
      readonly type: 'ProviderEventReceived';
      readonly data: {
        readonly eventId: string;
        /** The provider's word: `invoice.paid` … */
        readonly eventType: string;
        readonly createdAt: string;
        readonly isLive: boolean;
        /** Set when it is of another account than the key's. */
        readonly account: string | null;
        readonly objectId: string | null;
        /** As the event had it, in cents; what counts is what the provider says when it is asked. */
        readonly amount: number | null;
        readonly currency: string | null;
        readonly subject: ProviderEventSubject;
        /** `sweep`: no webhook brought it; it was found in the provider's list. */
        readonly source: 'webhook' | 'sweep';
        readonly receivedAt: string;
      };
    }
  | {
      readonly type: 'ProviderEventApplied';
      /** `nothing_new`: the bill had it already, by another event or the browser, or it changes nothing. */
      readonly data: { readonly eventId: string; readonly userId: string; readonly outcome: 'recorded' | 'nothing_new'; readonly appliedAt: string };
    }
  | {
      readonly type: 'ProviderEventIgnored';
      readonly data: { readonly eventId: string; readonly userId: string | null; readonly reason: IgnoreReason; readonly ignoredAt: string };
    };
