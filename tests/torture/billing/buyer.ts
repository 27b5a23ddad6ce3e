/** One user of the storm: buys reports, whatever happens to the answers, and uses some of them for audits. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { decider } from './decided.ts';
import type { Provider } from './provider.ts';

/**
 * How a purchase is confirmed: by the browser at once, by the browser after the webhook had time to arrive, or only by
 * the provider.
 */
type Way = 'browser first' | 'webhook first' | 'browser gone';

/** A paid purchase, as its buyer knows it. */
export type Purchase = {
  readonly userId: string;
  readonly paymentIntentId: string;
  readonly amount: number;
  readonly funds: number;
  readonly way: Way;
  /** The reports added according to the browser's answer, 0 when refused; null: it did not ask. */
  readonly told: number | null;
};

/** The answers to all users together. */
export type Told = {
  readonly purchases: Purchase[];
  readonly jobs: Set<string>;
  readonly cancelled: Set<string>;
  /** Cards that were declined. */
  declined: number;
  /** Submissions refused because no funds were left. */
  refused: number;
  /** Verifications that found the funds already added by a webhook. */
  alreadyThere: number;
};

export const nothingTold = (): Told => ({
  purchases: [],
  jobs: new Set(),
  cancelled: new Set(),
  declined: 0,
  refused: 0,
  alreadyThere: 0,
});

export type Buyer = {
  readonly userId: () => string;
  enter(): Promise<void>;
  /** One complete purchase, then perhaps some audits. */
  buy(): Promise<void>;
  /** Jobs that have not ended. */
  underWay(): Promise<number>;
  /** The user's funds as the product shows them. */
  funds(): Promise<number>;
};

export type BuyerOptions = {
  readonly number: number;
  readonly url: () => string | null;
  readonly site: string;
  /** Its audits are given back, the first three of a day. */
  readonly shutSite: string;
  readonly provider: Provider;
  readonly random: Random;
  readonly told: Told;
  /** The share of purchases whose browser is closed before it asks. */
  readonly goneShare: number;
  /** The longest pause between two actions, ms. */
  readonly thinkingMs: number;
};

const PASSWORD = 'torture password';
const GOOD = '4242424242424242';
const DECLINED = '4000000000000002';
export function createBuyer({
  number,
  url,
  site,
  shutSite,
  provider,
  random,
  told,
  goneShare,
  thinkingMs,
}: BuyerOptions): Buyer {
  const isGreedy = number % 3 === 0;
  const address = `10.2.${number}.1`;
  const email = `buyer-${number}@example.com`;
  let token: string | undefined;
  let userId = '';
  let priceId = '';
  const think = (): Promise<void> => wait(random.between(0, thinkingMs));

  const { decided, done } = decider({ url, random, address, token: () => token });

  /** Resolves when the money is known to be with the provider. */
  async function pay(clientSecret: string): Promise<void> {
    if (random.chance(0.1)) {
      told.declined += 1;
      await provider.pay(clientSecret, DECLINED);
    }
    const status = await provider.pay(clientSecret, GOOD);
    if (status !== 'succeeded') throw new Error(`A payment with a good card came to ${status}.`);
  }

  async function verify(paymentIntentId: string): Promise<number> {
    const { outcome, body } = await decided({
      method: 'POST',
      path: '/auth/verify-payment-and-add-credits',
      body: { paymentIntentId },
    });
    if (outcome !== 'ok') return 0;
    if (body.already_processed) told.alreadyThere += 1;
    return Number(body.funds_added);
  }

  async function analyse(): Promise<void> {
    const audited = random.chance(0.4) ? shutSite : site;
    const body = { url: audited, options: { maxPages: 1 } };
    const answer = await decided({ method: 'POST', path: '/process', body });
    if (answer.outcome !== 'ok') {
      if (answer.code !== 'INSUFFICIENT_CREDITS')
        throw new Error(`A submission was refused: ${answer.status} ${answer.code}`);
      told.refused += 1;
      return;
    }
    const jobId = String(answer.body.data.id);
    told.jobs.add(jobId);
    if (!random.chance(0.25)) return;
    await think();
    // It may have finished by now.
    if ((await decided({ method: 'POST', path: `/jobs/${jobId}/cancel` })).outcome === 'ok') told.cancelled.add(jobId);
  }

  return {
    userId: () => userId,
    async enter() {
      const body = await done({ method: 'POST', path: '/auth/signup-first', body: { email, password: PASSWORD } });
      token = String(body.token);
      userId = String(body.user_id);
      priceId = String((await done({ method: 'GET', path: '/auth/stripe-price-info' })).price.id);
    },
    async buy() {
      await think();
      const quantity = random.between(1, 3);
      const way = random.chance(goneShare) ? 'browser gone' : random.chance(0.5) ? 'browser first' : 'webhook first';
      const begun = await done({
        method: 'POST',
        path: '/auth/create-checkout-session',
        body: { priceId, quantity, billingEmail: email },
      });
      await pay(String(begun.clientSecret));
      const purchase = {
        userId,
        paymentIntentId: String(begun.paymentIntentId),
        amount: Number(begun.amount),
        funds: Number(begun.funds),
        way,
      } as const;
      if (way === 'webhook first') await wait(random.between(200, 1_500));
      const funds = way === 'browser gone' ? null : await verify(purchase.paymentIntentId);
      told.purchases.push({ ...purchase, told: funds });
      // Some try to use more than they paid for, whatever is left.
      for (let left = isGreedy ? quantity + 2 : random.between(0, 1); left > 0; left -= 1) {
        await think();
        await analyse();
      }
    },
    underWay: async () => (await done({ method: 'GET', path: '/jobs?limit=1' })).data.active.length,
    funds: async () => Number((await done({ method: 'GET', path: '/subscription/status' })).data.balance.funds),
  };
}
