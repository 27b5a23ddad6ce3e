/**
 * Users buy reports and run audits, the provider and its webhooks fail, the server is killed, everything settles, and
 * the books are compared.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../../../src/paymentSandbox/server/faults.ts';
import { createRandom, type Random } from '../random.ts';
import type { Broken } from '../work/checkWork.ts';
import { foldPending, reservationsEnded } from '../work/workFold.ts';
import type { WorkEvent } from '../work/workLog.ts';
import type { BillingArena, BillingArenaOptions } from './billingArena.ts';
import { type Buyer, createBuyer, nothingTold, type Told } from './buyer.ts';
import { type BillingVerdict, checkBilling } from './checkBilling.ts';
import { createSubscriber } from './subscriber.ts';

export type BillingRunOptions = {
  readonly open: (options: BillingArenaOptions) => Promise<BillingArena>;
  readonly seed: number;
  readonly users: number;
  /** For all users together. */
  readonly purchases: number;
  /** Users with a plan, beside the others. */
  readonly subscribers: number;
  readonly kills: number;
  /** The shares of faults; of answers in total. Default: 10% duplicated, 10% delayed, 5% lost, 5% of answers. */
  readonly shares?: Partial<Shares>;
  /** The delay of a delayed webhook, ms. */
  readonly delayMs?: number;
  readonly thinkingMs?: number;
  /**
   * How long everything may take to settle, ms. Default three minutes, and 1.5 s for each purchase: audits are queued.
   */
  readonly restMs?: number;
  readonly server?: string | undefined;
  readonly onKill?: ((kills: number, purchases: number) => void) | undefined;
};

type Shares = {
  readonly doubled: number;
  readonly delayed: number;
  readonly lost: number;
  readonly answers: number /** Browsers that never come back. */;
  readonly gone: number;
};

export type BillingResult = BillingVerdict & {
  readonly kills: number;
  readonly told: Told;
  /** The provider's faults by kind. */
  readonly struck: Readonly<Record<string, number>>;
  readonly log: readonly WorkEvent[];
  readonly output: string;
};

const SHARES: Shares = { doubled: 0.1, delayed: 0.1, lost: 0.05, answers: 0.05, gone: 0.15 };
const ALLOWANCE = 1;
/** In cents; the price in the sandbox. */
const PRICE = 5_000;
/**
 * How far the provider's clock is ahead: the sweep waits ten minutes for a webhook, but not for events from the future.
 */
const AHEAD_MS = 86_400_000;
const REST_LOOK_MS = 1_000;
const ENTER_AT_ONCE = 4;
const SOLD = ['tier1', 'tier2', 'tier3', 'tier4'];

export async function runBillingStorm(options: BillingRunOptions): Promise<BillingResult> {
  const { open, seed, users: count, purchases, kills, restMs = 180_000 + 1_500 * options.purchases, server } = options;
  const random = createRandom(seed);
  const arena = await open({ seed, allowance: ALLOWANCE, server });
  const { provider } = arena;
  try {
    const told = nothingTold();
    const shares = { ...SHARES, ...options.shares };
    await provider.ahead(AHEAD_MS);
    const buyers = Array.from({ length: count }, (_, number) =>
      createBuyer({
        number,
        url: arena.url,
        site: arena.site,
        shutSite: arena.shutSite,
        provider,
        random: random.fork(100 + number),
        told,
        goneShare: shares.gone,
        thinkingMs: options.thinkingMs ?? 1_000,
      }),
    );
    for (let from = 0; from < count; from += ENTER_AT_ONCE)
      await Promise.all(buyers.slice(from, from + ENTER_AT_ONCE).map((buyer) => buyer.enter()));
    const subscribers = Array.from({ length: options.subscribers }, (_, number) =>
      createSubscriber({ number, url: arena.url, provider, random: random.fork(1_000 + number) }),
    );
    for (const subscriber of subscribers) await subscriber.enter();
    await provider.faults(faultsOf(shares, options.delayMs ?? 3_000));

    const broken: Broken[] = [];
    const hurting = hurt(arena, { kills, purchases, random: random.fork(1), told, broken, onKill: options.onKill });
    const buying = Promise.all(
      buyers.map((buyer, index) => shop(buyer, Math.floor(purchases / count) + (index < purchases % count ? 1 : 0))),
    );
    const living = Promise.all(subscribers.map((subscriber) => subscriber.live()));
    await Promise.all([hurting, buying, living]);
    const struck = await provider.struck();
    await provider.faults([]);
    if (subscribers.length > 0) {
      // The former products are for sale again, and a new process reads their prices.
      for (const tier of SOLD) await provider.movePrice(tier);
      await breaking(broken, () => arena.sweep());
      for (const subscriber of subscribers) await subscriber.sync();
    }
    const rest = await untilRest(arena, buyers, restMs, broken);
    const shown = new Map<string, number>();
    for (const buyer of buyers) shown.set(buyer.userId(), await buyer.funds());
    const [paid, paidEvents] = [await provider.paid(), await provider.paidEvents()];
    const compared = await arena.check();
    const ended = await arena.finish();
    const { jobs, cancelled } = told;
    const facts = {
      log: rest.log,
      paid,
      paidEvents,
      purchases: told.purchases,
      jobs,
      cancelled,
      shown,
      price: PRICE,
      allowance: ALLOWANCE,
      broken,
      plans: subscribers.map((subscriber) => subscriber.line()),
    };
    const verdict = checkBilling(facts);
    return {
      ...verdict,
      faults: [...rest.faults, ...verdict.faults, ...compared, ...ended],
      kills,
      told,
      struck,
      log: rest.log,
      output: arena.output(),
    };
  } catch (error) {
    throw new Error(`${arena.name} said: ${arena.output().slice(-20_000)}`, { cause: error });
  } finally {
    await arena.close();
  }
}

/** Answers fail in one of three ways. */
function faultsOf({ doubled, delayed, lost, answers }: Shares, delayMs: number): readonly Partial<Fault>[] {
  return [
    { effect: 'webhook_double', share: doubled },
    { effect: 'webhook_delay', share: delayed, ms: delayMs },
    { effect: 'webhook_lose', share: lost },
    { effect: 'webhook_shuffle', share: 0.5, ms: 800 },
    { effect: 'rate_limit', share: answers / 3 },
    { effect: 'server_error', share: answers / 3 },
    { effect: 'lose_answer', share: answers / 3 },
  ];
}

async function shop(buyer: Buyer, purchases: number): Promise<void> {
  for (let left = purchases; left > 0; left -= 1) await buyer.buy();
}

type Harm = Pick<BillingRunOptions, 'kills' | 'purchases' | 'onKill'> & {
  readonly random: Random;
  readonly told: Told;
  readonly broken: Broken[];
};

/** Kills spread over the purchases; sometimes the next process is killed before it answers. */
async function hurt(
  { kill, start }: BillingArena,
  { kills, purchases, random, told, broken, onKill }: Harm,
): Promise<void> {
  if (!kill || !start) return;
  for (let nth = 1; nth <= kills; nth += 1) {
    const due = Math.floor((purchases * (nth - random.next())) / (kills + 0.5));
    while (told.purchases.length < due) await wait(20);
    await wait(random.between(0, 400));
    const from = Date.now();
    await kill();
    await wait(random.between(0, 500));
    await start();
    broken.push({ from, to: Date.now() });
    onKill?.(nth, told.purchases.length);
  }
}

type Rest = { readonly log: readonly WorkEvent[]; readonly faults: readonly string[] };

/** What restarts the process may break off audits. */
async function breaking<T>(broken: Broken[], act: () => Promise<T>): Promise<T> {
  const from = Date.now();
  const answer = await act();
  broken.push({ from, to: Date.now() });
  return answer;
}

/** Waits until the sweep has run after the last purchase and nothing is pending, or the time is up. */
async function untilRest(
  arena: BillingArena,
  buyers: readonly Buyer[],
  restMs: number,
  broken: Broken[],
): Promise<Rest> {
  const end = Date.now() + restMs;
  await breaking(broken, () => arena.sweep());
  // Reading the state may restart the process: the interval grows, for busy machines.
  for (let calmMs = REST_LOOK_MS; ; calmMs *= 2) {
    await untilJobsEnded(buyers, end);
    await wait(calmMs);
    const { view, swept } = await breaking(broken, () => arena.look());
    const pending = view && Math.max(view.items.length, foldPending(view.log).size);
    if (view && swept && pending === 0 && reservationsEnded(view.log)) return { log: view.log, faults: [] };
    if (Date.now() > end)
      return {
        log: view?.log ?? [],
        faults: [
          `no rest after ${restMs} ms: ${pending ?? 'an unknown number of'} items pending, the sweep has ${swept ? '' : 'not '}run`,
        ],
      };
  }
}

async function untilJobsEnded(buyers: readonly Buyer[], end: number): Promise<void> {
  for (const buyer of buyers) while ((await buyer.underWay()) > 0 && Date.now() < end) await wait(REST_LOOK_MS / 2);
}
