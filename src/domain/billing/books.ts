/** Reconciles the bills with the payment provider's records, per payment and in total. Corrects nothing. */
import { moneyText } from '../../model/money.ts';
import type { BillingEvent, PaidInvoice } from './events.ts';

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

/** Compares each payment, then the totals of each user with a difference, then the overall totals. */
export function compareBooks(bills: ReadonlyMap<string, OwnLine>, provider: ReadonlyMap<string, OwnLine>): Comparison {
  const ids = [...new Set([...bills.keys(), ...provider.keys()])];
  const found = ids.flatMap((id) => {
    const [own, theirs] = [bills.get(id), provider.get(id)];
    const userId = theirs?.userId ?? own?.userId ?? '';
    return differencesOf(own, theirs).map((text) => ({ userId, text: `${id}: ${text}` }));
  });
  const users = [...new Set(found.map(({ userId }) => userId))].sort();
  const differences = users.flatMap((userId) => [
    `User ${userId}: ${sums(ofUser(bills, userId), ofUser(provider, userId))}`,
    ...found.filter((each) => each.userId === userId).map(({ text }) => `  ${text}`),
  ]);
  return {
    payments: ids.length,
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
