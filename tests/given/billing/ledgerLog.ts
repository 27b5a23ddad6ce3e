/** Random bills of several users in one log, the second half of them in another currency. */
import type { BillingEvent } from '../../../src/domain/billing/events.ts';
import type { Recorded } from '../../../src/eventStore/eventStore.ts';
import { recorded } from '../stores/projection.ts';
import { randomBill } from './randomBill.ts';

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
/** Apart: three events may share a time. */
const STEP_MS = 20 * 60_000;

/** Names that must differ between bills. */
const OF_BILL = /Id$/;

function ofBill(value: unknown, nth: number, currency: string, name = ''): unknown {
  if (name === 'currency') return currency;
  if (typeof value === 'string')
    return name === 'userId' ? `user-${nth}` : OF_BILL.test(name) ? `${value}_${nth}` : value;
  if (Array.isArray(value)) return value.map((each) => ofBill(each, nth, currency, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, ofBill(inner, nth, currency, key)]));
}

/** Invoices with numbers and codes, and purchases with codes: random bills have none. */
function withNames(event: BillingEvent, at: number): BillingEvent {
  if (event.type === 'FundsAdded' && at % 3 === 0)
    return { ...event, data: { ...event.data, discountCode: at % 2 === 0 ? 'save20' : 'WELCOME' } };
  if (!('paid' in event.data) || event.data.paid === null) return event;
  const discounts = at % 4 === 0 ? [{ amount: 5 }, { code: 'Save20', amount: 10 }] : [];
  return {
    ...event,
    data: { ...event.data, paid: { ...event.data.paid, number: `INV-${at}`, discounts } },
  } as BillingEvent;
}

export const CURRENCIES = ['usd', 'eur'] as const;

/** In turns, so that the bills lie among each other in the log. */
export function ledgerLog(seed: number, bills: number, acts: number): readonly Recorded<BillingEvent>[] {
  const all = Array.from({ length: bills }, (_, nth) =>
    randomBill(seed + nth, acts).map(
      (event, at) => ofBill(withNames(event, at), nth, CURRENCIES[nth < bills / 2 ? 0 : 1], '') as BillingEvent,
    ),
  );
  const longest = Math.max(...all.map(({ length }) => length));
  const events = Array.from({ length: longest }, (_, at) => all.flatMap((bill) => bill.slice(at, at + 1))).flat();
  return recorded(events).map((event, at) => ({
    ...event,
    stream: `billing-${event.data.userId}`,
    metadata: { ...event.metadata, at: new Date(START_MS + Math.floor(at / 3) * STEP_MS).toISOString() },
  }));
}
