/**
 * A user of the storm with a plan, and what goes wrong around plans at the provider: products that are relaunched,
 * prices that move, metadata that get lost, disputes, cancellations, and test data that are wiped.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import { type Decide, decider } from './decided.ts';
import type { Provider } from './provider.ts';

/** How the plan stands at the provider in the end. */
export type PlanLine = {
  readonly userId: string;
  readonly subscriptionId: string;
  readonly status: 'running' | 'canceled' | 'wiped';
  /** A dispute of its payment is open or lost. */
  readonly isHeld: boolean;
  readonly drills: readonly string[];
};

export type Subscriber = {
  enter(): Promise<void>;
  /** All of its drills, one after the other. */
  live(): Promise<void>;
  /** Asks the product to compare with the provider, as the button does. */
  sync(): Promise<void>;
  line(): PlanLine;
};

export type SubscriberOptions = {
  readonly number: number;
  readonly url: () => string | null;
  readonly provider: Provider;
  readonly random: Random;
};

const PASSWORD = 'torture password';
const TIERS = ['tier1', 'tier2', 'tier3', 'tier4'] as const;
const SEEN_MS = 60_000;

export function createSubscriber({ number, url, provider, random }: SubscriberOptions): Subscriber {
  const email = `subscriber-${number}@example.com`;
  const tier = TIERS[number % TIERS.length] ?? 'tier1';
  const drills: string[] = [];
  let userId = '';
  let subscriptionId = '';
  let status: PlanLine['status'] = 'running';
  let isHeld = false;
  let decide: Decide = decider({ url, random, address: `10.3.${number}.1`, token: () => undefined });

  const shownTier = async (): Promise<string> =>
    String((await decide.done({ method: 'GET', path: '/subscription/status' })).data.subscription.tier);

  const DRILLS: Readonly<Record<string, () => Promise<void>>> = {
    relaunch: () => provider.relaunch(tier),
    'price moved': () => provider.movePrice(tier),
    'metadata lost': () => provider.loseMetadata(subscriptionId),
    'dispute open': async () => {
      await provider.dispute(subscriptionId, null);
      isHeld = true;
    },
    'dispute won': () => provider.dispute(subscriptionId, 'won'),
    'dispute lost': async () => {
      await provider.dispute(subscriptionId, 'lost');
      isHeld = true;
    },
    canceled: async () => {
      await provider.cancel(subscriptionId);
      status = 'canceled';
    },
    wiped: async () => {
      await provider.wipe(subscriptionId);
      status = 'wiped';
    },
  };
  /** Each subscriber has one set, so that every drill occurs, and one that ends the plan is the last. */
  const SETS: readonly (readonly string[])[] = [
    ['relaunch', 'canceled'],
    ['metadata lost', 'dispute open'],
    ['price moved', 'dispute won', 'canceled'],
    ['relaunch', 'metadata lost', 'dispute lost'],
    ['metadata lost', 'canceled'],
    ['wiped'],
  ];

  return {
    async enter() {
      const body = await decide.done({
        method: 'POST',
        path: '/auth/signup-first',
        body: { email, password: PASSWORD },
      });
      userId = String(body.user_id);
      const token = String(body.token);
      decide = decider({ url, random, address: `10.3.${number}.1`, token: () => token });
      // Gives the account its customer at the provider.
      await decide.done({
        method: 'POST',
        path: '/subscription/create-checkout',
        body: { tier, successUrl: '/account', cancelUrl: '/account' },
      });
      subscriptionId = await provider.subscribe(email, userId, tier);
    },
    async live() {
      // What the bill does not know yet when it is wiped leaves no trace, rightly.
      const end = Date.now() + SEEN_MS;
      while ((await shownTier()) !== tier) {
        if (Date.now() > end) {
          await decide.done({ method: 'POST', path: '/subscription/sync' });
          break;
        }
        await wait(300);
      }
      for (const drill of SETS[number % SETS.length] ?? []) {
        await wait(random.between(0, 1_000));
        drills.push(drill);
        await DRILLS[drill]?.();
      }
    },
    sync: async () => void (await decide.done({ method: 'POST', path: '/subscription/sync' })),
    line: () => ({ userId, subscriptionId, status, isHeld: isHeld && status === 'running', drills }),
  };
}
