/**
 * Storage format, version with care. Stream: `stripe-{eventId}`: one event of the payment provider, without its body, which contains personal data: its
 * subject is fetched when the event is processed.
 */
export type ProviderEventSubject =
  | { readonly kind: 'payment'; readonly paymentIntentId: string }
  | { readonly kind: 'subscription'; readonly subscriptionId: string }
  | { readonly kind: 'invoice'; readonly invoiceId: string };

/**
 * `not_ours`: not made for an account of this installation. `gone`: no longer exists at the provider. `account_deleted`: new, but its owner's account
 * was deleted. `given_up`: by an operator, or after too many failures.
 */
export type IgnoreReason = 'not_ours' | 'gone' | 'account_deleted' | 'given_up';

export type ProviderEventEvent =
  | {
      readonly type: 'ProviderEventReceived';
      readonly data: {
        readonly eventId: string;
        /** The provider's name for it: `invoice.paid` … */
        readonly eventType: string;
        readonly createdAt: string;
        readonly isLive: boolean;
        /** Set if it belongs to another provider account than the API key's. */
        readonly account: string | null;
        readonly objectId: string | null;
        /** As stated by the event, in cents; the provider's current data takes precedence. */
        readonly amount: number | null;
        readonly currency: string | null;
        readonly subject: ProviderEventSubject;
        /** `sweep`: not delivered by a webhook but found in the provider's list. */
        readonly source: 'webhook' | 'sweep';
        readonly receivedAt: string;
      };
    }
  | {
      readonly type: 'ProviderEventApplied';
      /** `nothing_new`: the bill already had it, from another event or the browser, or it changes nothing. */
      readonly data: { readonly eventId: string; readonly userId: string; readonly outcome: 'recorded' | 'nothing_new'; readonly appliedAt: string };
    }
  | {
      readonly type: 'ProviderEventIgnored';
      readonly data: { readonly eventId: string; readonly userId: string | null; readonly reason: IgnoreReason; readonly ignoredAt: string };
    }
  /** After it was given up, an operator had it processed after all. */
  | { readonly type: 'ProviderEventRequeued'; readonly data: { readonly eventId: string; readonly requeuedAt: string } };
