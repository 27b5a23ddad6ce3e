/** Subscription periods: months of different length, days at midnight or not, all in UTC. */
import type Stripe from 'stripe';
import type { Interval } from '../payments/prices.ts';

const DAY = 86_400;

/** `count` intervals after `anchor`. The 31st stays the 31st if the month has one; otherwise it is the last day. */
export function after(anchor: number, interval: Interval, count: number): number {
  if (interval === 'day' || interval === 'week') return anchor + count * (interval === 'week' ? 7 : 1) * DAY;
  const from = new Date(anchor * 1_000);
  const months = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1);
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate();
  const whole = Date.UTC(from.getUTCFullYear(), months, Math.min(from.getUTCDate(), lastDay));
  return whole / 1_000 + (anchor % DAY);
}

export const rhythmOf = ({ recurring }: Stripe.Price): { readonly interval: Interval; readonly count: number } => ({
  interval: (recurring?.interval ?? 'month') as Interval,
  count: recurring?.interval_count ?? 1,
});

/** The end of the period that begins at `start`, counted from the anchor, so that short months cause no drift. */
export function endOfPeriod(anchor: number, start: number, price: Stripe.Price): number {
  const { interval, count } = rhythmOf(price);
  let periods = 1;
  while (after(anchor, interval, periods * count) <= start) periods += 1;
  return after(anchor, interval, periods * count);
}
