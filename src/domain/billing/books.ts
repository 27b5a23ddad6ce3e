/** Reconciles the bills with the payment provider's records, per payment and in total. Corrects nothing. */
import { moneyText } from '../../model/money.ts';
import { nameOfTier, type PaidTier } from '../../model/tiers.ts';
import type { BillingEvent, PaidInvoice, SubscriptionStatus } from './events.ts';
import type { Subscription } from './subscription.ts';

/** One successful payment; amounts in cents. */
export type BookLine = {
  /** Null: not created by this product. */
  readonly userId: string | null;
  readonly paymentIntentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  /** Withheld by disputes that are open or lost. */
  readonly disputed: number;
};

export type OwnLine = BookLine & { readonly userId: string };
/** Keyed by payment intent. */
export type Books = Map<string, OwnLine>;

export type Comparison = {
  /** Number of payments in either or both. */
  readonly payments: number;
  /** Number of plans in either or both, ended ones included. */
  readonly plans: number;
  /** In words, by user; empty if both agree. */
  readonly differences: readonly string[];
};

/** Applies a billing event; events that move no money at the provider are ignored. */
export function applyToBooks(books: Books, event: BillingEvent): void {
  switch (event.type) {
    case 'FundsAdded':
      change(books, event.data, ({ amount }) => ({ amount: amount + event.data.amount }));
      break;
    case 'PaymentRefunded':
      change(books, event.data, ({ refunded }) => ({ refunded: refunded + event.data.amount }));
      break;
    case 'DisputeOpened':
      change(books, event.data, ({ disputed }) => ({ disputed: disputed + event.data.amount }));
      break;
    case 'DisputeWon':
      change(books, event.data, ({ disputed }) => ({ disputed: disputed - event.data.amount }));
      break;
    case 'SubscriptionStarted':
    case 'SubscriptionChanged':
    case 'SubscriptionRenewed':
      if (event.data.paid) applyInvoice(books, event.data.userId, event.data.paid);
      break;
    default:
  }
}

/**
 * An invoice settled without a payment, such as from a balance at the provider, is entered under its own id; the
 * provider's payment list lacks it.
 */
function applyInvoice(
  books: Books,
  userId: string,
  { invoiceId, paymentIntentId, amount, currency }: PaidInvoice,
): void {
  if (amount > 0)
    change(books, { userId, paymentIntentId: paymentIntentId ?? invoiceId, currency }, (line) => ({
      amount: line.amount + amount,
    }));
}

type Of = Pick<OwnLine, 'userId' | 'paymentIntentId' | 'currency'>;

function change(
  books: Books,
  { userId, paymentIntentId, currency }: Of,
  by: (line: OwnLine) => Partial<OwnLine>,
): void {
  const line = books.get(paymentIntentId) ?? { userId, paymentIntentId, currency, amount: 0, refunded: 0, disputed: 0 };
  books.set(paymentIntentId, { ...line, ...by(line) });
}

/** A subscription as the bill has it. */
export type OwnPlan = { readonly userId: string; readonly subscription: Subscription };
/** A subscription as the provider has it; `tier` is null if its product is none of the plans. */
export type TheirPlan = {
  readonly userId: string | null;
  readonly status: SubscriptionStatus;
  readonly productId: string;
  readonly tier: PaidTier | null;
};
/** Both by subscription. */
export type Plans = { readonly own: ReadonlyMap<string, OwnPlan>; readonly theirs: ReadonlyMap<string, TheirPlan> };

type Difference = { readonly userId: string; readonly text: string };

function planDifferences({ own, theirs }: Plans): readonly Difference[] {
  return [...new Set([...own.keys(), ...theirs.keys()])].flatMap((id) => {
    const [ours, other] = [own.get(id), theirs.get(id)];
    const why = planDifference(ours?.subscription, other);
    return why === null ? [] : [{ userId: ours?.userId ?? other?.userId ?? '', text: `${id}: ${why}` }];
  });
}

function planDifference(ours: Subscription | undefined, theirs: TheirPlan | undefined): string | null {
  if (!ours) {
    // Of another product, or a checkout that was never paid.
    const isSold = theirs && theirs.tier !== null && theirs.userId !== null && isLive(theirs.status);
    return isSold ? `the provider has the plan ${words(theirs.status)}, the bill knows nothing of it.` : null;
  }
  if (!theirs)
    return isLive(ours.status)
      ? `the bill has the plan ${words(ours.status)}, the provider knows nothing of it.`
      : null;
  if (theirs.status !== ours.status)
    return `the provider has the plan ${words(theirs.status)}, the bill has it ${words(ours.status)}.`;
  return theirs.tier === null && isLive(theirs.status)
    ? `its product ${theirs.productId} is none of the plans; the bill keeps ${nameOfTier(ours.tier)}.`
    : null;
}

const isLive = (status: SubscriptionStatus): boolean => status !== 'canceled' && status !== 'inactive';
const words = (status: SubscriptionStatus): string => status.replace('_', ' ');

/**
 * Compares each payment and plan, then the totals of each user with a difference in payments, then the overall totals.
 */
export function compareBooks(
  bills: ReadonlyMap<string, OwnLine>,
  provider: ReadonlyMap<string, OwnLine>,
  plans: Plans = { own: new Map(), theirs: new Map() },
): Comparison {
  const ids = [...new Set([...bills.keys(), ...provider.keys()])];
  const found = ids.flatMap((id) => {
    const [own, theirs] = [bills.get(id), provider.get(id)];
    const userId = theirs?.userId ?? own?.userId ?? '';
    return differencesOf(own, theirs).map((text) => ({ userId, text: `${id}: ${text}` }));
  });
  const ofPlans = planDifferences(plans);
  const users = [...new Set([...found, ...ofPlans].map(({ userId }) => userId))].sort();
  const differences = users.flatMap((userId) => [
    `User ${userId}: ${sums(ofUser(bills, userId), ofUser(provider, userId))}`,
    ...[...found, ...ofPlans].filter((each) => each.userId === userId).map(({ text }) => `  ${text}`),
  ]);
  return {
    payments: ids.length,
    plans: new Set([...plans.own.keys(), ...plans.theirs.keys()]).size,
    differences:
      users.length === 0 ? [] : [...differences, `All users: ${sums([...bills.values()], [...provider.values()])}`],
  };
}

function differencesOf(own: OwnLine | undefined, theirs: OwnLine | undefined): readonly string[] {
  if (!own && theirs) return [`the provider has ${text(theirs, 'amount')} paid, the bill knows nothing of it.`];
  if (own && !theirs) return [`the bill has ${text(own, 'amount')} paid, the provider knows nothing of it.`];
  if (!own || !theirs) return [];
  const wrong = own.userId === theirs.userId ? [] : [`it stands in the bill of ${own.userId}.`];
  if (own.currency !== theirs.currency)
    return [...wrong, `the provider has it in ${theirs.currency}, the bill in ${own.currency}.`];
  const differing = WORDS.filter(([field]) => own[field] !== theirs[field]);
  return [
    ...wrong,
    ...differing.map(
      ([field, word]) => `the provider has ${text(theirs, field)} ${word}, the bill has ${text(own, field)}.`,
    ),
  ];
}

const WORDS = [
  ['amount', 'paid'],
  ['refunded', 'refunded'],
  ['disputed', 'taken back by disputes'],
] as const;

const text = (line: OwnLine, field: (typeof WORDS)[number][0]): string =>
  moneyText({ amount: line[field], currency: line.currency });
const ofUser = (books: ReadonlyMap<string, OwnLine>, userId: string): readonly OwnLine[] =>
  [...books.values()].filter((line) => line.userId === userId);
const sums = (own: readonly OwnLine[], theirs: readonly OwnLine[]): string =>
  `kept ${sum(theirs)} by the provider, ${sum(own)} by the bill.`;

/** Total paid and not reversed, per currency. */
function sum(lines: readonly OwnLine[]): string {
  const amounts = new Map<string, number>();
  for (const { currency, amount, refunded, disputed } of lines)
    amounts.set(currency, (amounts.get(currency) ?? 0) + amount - refunded - disputed);
  return amounts.size === 0
    ? 'nothing'
    : [...amounts].map(([currency, amount]) => moneyText({ amount, currency })).join(' and ');
}
