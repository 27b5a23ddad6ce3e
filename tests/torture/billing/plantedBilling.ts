/**
 * The product in this process with a sandbox beside it, and ways in which either could be wrong about money. Each looks
 * right in a single request.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkBooks } from '../../../src/commands/billing/checkBooks.ts';
import type { NewEvent } from '../../../src/eventStore/eventStore.ts';
import { keysOf, startPaymentSandbox } from '../../../src/paymentSandbox/paymentSandbox.ts';
import { seededRandom } from '../../../src/paymentSandbox/server/faults.ts';
import { paymentsOf } from '../../given/payments.ts';
import { openPlantedArena, type Plant, takePort } from '../history/plantedArena.ts';
import { appending, bound, every } from '../history/plants.ts';
import { ADMIN, type BillingArena, type BillingArenaOptions, SANDBOX_KEY, webhookAt } from './billingArena.ts';
import { providerAt } from './provider.ts';
import { startShutSite } from './shutSite.ts';

export async function openPlantedBilling(
  plant: Plant,
  { seed, allowance }: BillingArenaOptions,
): Promise<BillingArena> {
  const place = await takePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-workbench-books-'));
  const webhooks = [{ url: webhookAt(place.port) }];
  const sandbox = await startPaymentSandbox({
    dataDir,
    port: 0,
    secretKey: SANDBOX_KEY,
    webhooks,
    random: seededRandom(seed),
  });
  const payments = paymentsOf(sandbox, { webhookSecrets: [keysOf(SANDBOX_KEY).webhook], maxNetworkRetries: 2 });
  const shutSite = await startShutSite();
  const hosts = [shutSite.host];
  const arena = await openPlantedArena(plant, { allowance, payments, place, hosts, env: { ADMIN_EMAIL: ADMIN } });
  return {
    name: arena.name,
    site: arena.site,
    shutSite: shutSite.url,
    provider: providerAt(sandbox.url, SANDBOX_KEY),
    url: () => arena.urls()[0] ?? null,
    sweep: arena.sweep,
    look: async () => ({ view: await arena.readWork(), swept: true }),
    check: async () => (await checkBooks(arena.store, payments)).differences,
    finish: async () => (await arena.finish()).faults,
    output: arena.output,
    close: async () => {
      await arena.close();
      await sandbox.close();
      await shutSite.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type PlantedBilling = {
  readonly name: string;
  plant(): Plant;
  /** The share of webhooks that get lost, where the bug shows only then. */
  readonly lost?: number;
  /** Users with a plan, where the bug is about plans. */
  readonly subscribers?: number;
  /** The expected verdict. */
  readonly says: RegExp;
};

const anew = (events: readonly NewEvent[]): readonly NewEvent[] =>
  events.map((event) => ({ ...event, id: randomUUID() }));
type Data = Readonly<Record<string, unknown>>;
const NOWHERE = { revision: 1n, position: '0'.repeat(20) };

/** A store that appends events of this type with other contents than were decided. */
const saying = (type: string, nth: number, change: (data: Data) => object): Plant =>
  appending([type], nth, (append, stream, events, options) =>
    append(
      stream,
      events.map((event) =>
        event.type === type ? { ...event, data: { ...event.data, ...change(event.data as Data) } } : event,
      ),
      options,
    ),
  );

/** Events about a third of the payments are acknowledged, but not written. */
function forgetful(): Plant {
  const due = every(3);
  const lost = new Map<unknown, boolean>();
  return {
    eventStore: (store) => ({
      ...bound(store),
      append: async (...given) => {
        const event = given[1].find(({ type }) => type === 'FundsAdded');
        const id = (event?.data as Data | undefined)?.paymentIntentId;
        if (id !== undefined && !lost.has(id)) lost.set(id, due());
        return id !== undefined && lost.get(id) ? NOWHERE : store.append(...given);
      },
    }),
  };
}

export const PLANTED_BILLING: readonly PlantedBilling[] = [
  { name: 'a payment is not granted', plant: forgetful, says: /payment \S+ of \S+ was granted never/ },
  {
    name: 'a payment is granted twice',
    plant: () =>
      appending(['FundsAdded'], 2, async (append, stream, events, options) => {
        await append(stream, events, options);
        return append(stream, anew(events), { expected: 'any' });
      }),
    says: /payment \S+ of \S+ was granted 2 times/,
  },
  {
    name: 'more is granted than was paid',
    plant: () => saying('FundsAdded', 2, ({ funds }) => ({ funds: Number(funds) + 5_000 })),
    says: /\d+ granted, \d+ bought, \d+ paid at the provider/,
  },
  {
    name: 'an audit is not deducted from the funds',
    plant: () => saying('AnalysisReserved', 2, ({ from }) => (from === 'funds' ? { amount: 0 } : {})),
    says: /billing-\S+ has \d+ at \d+ \(AnalysisReserved\), its events come to \d+/,
  },
  {
    name: 'an abandoned audit is not released',
    plant: () => appending(['AnalysisReleased', 'AnalysisConsumed'], 2, async () => NOWHERE),
    says: /the reservation of job \S+ ended never/,
  },
  {
    name: 'the end of a plan is not recorded',
    plant: () => appending(['SubscriptionEnded'], 1, async () => NOWHERE),
    subscribers: 3,
    says: /plan \S+ of \S+ \(.*canceled\) is canceled at the provider and ended 0 times/,
  },
  {
    name: 'a plan is not put on hold for a dispute',
    plant: () =>
      appending(['SubscriptionSuspended'], 1, (append, stream, events, options) =>
        append(
          stream,
          events.filter(({ type }) => type !== 'SubscriptionSuspended'),
          options,
        ),
      ),
    subscribers: 2,
    says: /plan \S+ of \S+ \(.*dispute open\) is not on hold/,
  },
  {
    name: 'events without a webhook are not fetched',
    plant: () => ({
      payments: (payments) => ({
        ...payments,
        // biome-ignore lint/correctness/useYield: the missing yield is the bug.
        async *eventsSince() {
          return;
        },
      }),
    }),
    lost: 1,
    says: /event \S+ of the provider was received never/,
  },
];
