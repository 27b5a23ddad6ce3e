/**
 * A provider and its customer, without any of the product's rules: purchases, refunds, and the state of the
 * subscription. Each act returns the provider's events, which can be delivered at once, late, twice or never. Sales are
 * recorded separately, to compare a bill with them.
 */
import type { BillingCommand } from '../../../src/domain/billing/decide.ts';
import type { ProviderSubscription } from '../../../src/domain/billing/decideSubscription.ts';
import { purchaseSums } from '../../../src/model/purchase.ts';
import { isUpgrade, type PaidTier } from '../../../src/model/tiers.ts';
import { BUYER, REPORT } from './facts.ts';

const LIMITS: Readonly<Record<PaidTier, number>> = { tier1: 1, tier2: 3, tier3: 10, tier4: 50 };
const DAY = 24 * 60 * 60 * 1_000;
const MONTH = 30 * DAY;

type Sale = { readonly face: number; readonly paid: number; refunded: number; disputed: boolean };
type Purpose = 'funds' | 'subscription';
type Dispute = {
  readonly paymentIntentId: string;
  readonly amount: number;
  readonly purpose: Purpose;
  status: 'open' | 'won' | 'lost';
};

/** The world sells only plans. */
type Sold = ProviderSubscription & { readonly tier: PaidTier };

export type World = ReturnType<typeof createWorld>;

export function createWorld() {
  let time = Date.UTC(2026, 0, 5);
  let count = 0;
  const sales = new Map<string, Sale>();
  /** Payments of plans, which add no funds. */
  const planSales = new Map<string, Sale>();
  const disputes = new Map<string, Dispute>();
  const salesOf = (purpose: Purpose) => (purpose === 'funds' ? sales : planSales);
  let subscription: Sold | null = null;
  /**
   * For each period of each subscription, by `{id}@{start}`: the most audits that the customer was ever promised in it.
   */
  const sold = new Map<string, number>();

  const now = (): string => new Date(time).toISOString();
  const id = (kind: string): string => {
    count += 1;
    return `${kind}_${count}`;
  };
  const nth = <T>(items: readonly T[], dice: number): T | undefined => items[dice % Math.max(1, items.length)];

  function tells(): BillingCommand[] {
    if (!subscription) return [];
    // Each answer of the provider has its own moment.
    time += 1;
    subscription = { ...subscription, asOf: now() };
    const { subscriptionId, periodStart, tier, invoice, status } = subscription;
    const key = `${subscriptionId}@${periodStart}`;
    const paid = invoice?.status === 'paid' ? invoice : null;
    if (paid?.paymentIntentId && !planSales.has(paid.paymentIntentId))
      planSales.set(paid.paymentIntentId, { face: 0, paid: paid.amount, refunded: 0, disputed: false });
    const promised = status !== 'unpaid' && invoice !== null ? LIMITS[tier] : 0;
    sold.set(key, Math.max(sold.get(key) ?? 0, promised));
    return [{ type: 'RecordSubscription', userId: BUYER, subscription, at: now() }];
  }

  function invoice(
    reason: 'start' | 'renewal' | 'change',
    status: 'paid' | 'unpaid',
    period: Pick<ProviderSubscription, 'periodStart' | 'periodEnd'>,
  ) {
    const { periodStart, periodEnd } = period;
    return {
      invoiceId: id('in'),
      paymentIntentId: id('pi'),
      amount: 1_000 + count,
      currency: 'usd',
      listAmount: 1_000 + count,
      discounts: [],
      from: reason === 'change' ? now() : periodStart,
      reason,
      status,
      at: now(),
      periodStart,
      periodEnd,
    };
  }

  const live = (): Sold | null => (subscription && subscription.status !== 'canceled' ? subscription : null);

  return {
    now,
    sales,
    sold,
    subscription: () => subscription,
    wait: (days: number): BillingCommand[] => {
      time += days * DAY;
      return [];
    },
    buy(quantity: number, percentOff: number): BillingCommand[] {
      const { total, funds } = purchaseSums(quantity, REPORT, percentOff === 0 ? null : { percentOff });
      const paymentIntentId = id('pi');
      sales.set(paymentIntentId, { face: funds, paid: total, refunded: 0, disputed: false });
      return [
        {
          type: 'AddFunds',
          userId: BUYER,
          paymentIntentId,
          quantity,
          amount: total,
          funds,
          currency: 'usd',
          at: now(),
        },
      ];
    },
    refund(dice: number, percent: number, purpose: Purpose): BillingCommand[] {
      const [paymentIntentId, sale] = nth([...salesOf(purpose)], dice) ?? [];
      if (!paymentIntentId || !sale || sale.disputed) return [];
      const amount = Math.min(sale.paid - sale.refunded, Math.ceil((sale.paid * percent) / 100));
      if (amount <= 0) return [];
      sale.refunded += amount;
      return [
        {
          type: 'RecordRefund',
          userId: BUYER,
          refundId: id('re'),
          paymentIntentId,
          amount,
          currency: 'usd',
          purpose,
          at: now(),
        },
      ];
    },
    dispute(dice: number, purpose: Purpose): BillingCommand[] {
      const [paymentIntentId, sale] = nth([...salesOf(purpose)], dice) ?? [];
      if (!paymentIntentId || !sale || sale.disputed || sale.refunded === sale.paid) return [];
      sale.disputed = true;
      const disputeId = id('dp');
      disputes.set(disputeId, { paymentIntentId, amount: sale.paid - sale.refunded, purpose, status: 'open' });
      return told(disputeId);
    },
    decideDispute(dice: number, won: boolean): BillingCommand[] {
      const [disputeId, dispute] = nth([...disputes], dice) ?? [];
      if (!disputeId || dispute?.status !== 'open') return [];
      dispute.status = won ? 'won' : 'lost';
      return told(disputeId);
    },
    subscribe(tier: PaidTier): BillingCommand[] {
      if (live()) return [];
      const period = { periodStart: now(), periodEnd: new Date(time + MONTH).toISOString() };
      const plain = {
        status: 'active',
        productId: 'prod_1',
        price: 1_000,
        currency: 'usd',
        monthly: 1_000,
        pending: null,
        cancelsAt: null,
        endedAt: null,
        asOf: now(),
      } as const;
      subscription = {
        subscriptionId: id('sub'),
        tier,
        ...plain,
        ...period,
        invoice: invoice('start', 'paid', period),
      };
      return tells();
    },
    change(tier: PaidTier): BillingCommand[] {
      const held = live();
      if (held?.status !== 'active' || held.tier === tier) return [];
      subscription = isUpgrade(held.tier, tier)
        ? { ...held, tier, pending: null, cancelsAt: null, invoice: invoice('change', 'paid', held) }
        : { ...held, pending: { tier, at: held.periodEnd } };
      return tells();
    },
    cancel(at: 'end' | 'once'): BillingCommand[] {
      const held = live();
      if (!held) return [];
      subscription =
        at === 'end' ? { ...held, cancelsAt: held.periodEnd } : { ...held, status: 'canceled', endedAt: now() };
      return tells();
    },
    reactivate(): BillingCommand[] {
      const held = live();
      if (!held) return [];
      subscription = { ...held, cancelsAt: null, pending: null };
      return tells();
    },
    renew(paid: boolean): BillingCommand[] {
      const held = live();
      if (held?.status !== 'active') return [];
      time = Math.max(time, Date.parse(held.periodEnd));
      if (held.cancelsAt !== null) {
        subscription = { ...held, status: 'canceled', endedAt: now() };
        return tells();
      }
      const period = {
        periodStart: held.periodEnd,
        periodEnd: new Date(Date.parse(held.periodEnd) + MONTH).toISOString(),
      };
      const renewal = invoice('renewal', paid ? 'paid' : 'unpaid', period);
      const tier = held.pending?.tier ?? held.tier;
      subscription = {
        ...held,
        ...period,
        tier,
        pending: null,
        status: paid ? 'active' : 'past_due',
        invoice: renewal,
      };
      return tells();
    },
    settle(paid: boolean): BillingCommand[] {
      const held = live();
      if (held?.status !== 'past_due' || !held.invoice) return [];
      subscription = paid
        ? { ...held, status: 'active', invoice: { ...held.invoice, status: 'paid' } }
        : { ...held, status: 'unpaid' };
      return tells();
    },
    /** Like the hourly comparison with the provider. */
    compare: tells,
  };

  function told(disputeId: string): BillingCommand[] {
    const dispute = disputes.get(disputeId);
    if (!dispute) return [];
    const { paymentIntentId, amount, purpose, status } = dispute;
    return [
      {
        type: 'RecordDispute',
        userId: BUYER,
        disputeId,
        paymentIntentId,
        amount,
        currency: 'usd',
        purpose,
        status,
        at: now(),
      },
    ];
  }
}
