/**
 * Many jobs of one user beside the same jobs of many users: how long a start takes that builds the read models, and how
 * long requests wait at most during it, while jobs are written, while all are deleted, and while long bills are read.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { billingStream } from '../../src/domain/billing/events.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { planStream } from '../../src/domain/plan/events.ts';
import type { EventStore, NewEvent } from '../../src/eventStore/eventStore.ts';
import { actionItem } from '../../tests/given/analysis.ts';
import { newEvent } from '../events.ts';
import { type Product, startProduct } from '../http/product.ts';
import { type Figure, milliseconds, type Row, timed } from '../measure.ts';

/** In the full form, and otherwise. */
const [MANY_JOBS, JOBS] = [20_000, 5_000];
const SITES = 1_000;
const OWNERS = 1_000;
const AT = '2026-11-21T09:00:00.000Z';
const ITEMS = Array.from({ length: 5 }, (_, nth) => actionItem(`check-${nth}`));
/** Streams that are written at once. */
const AT_ONCE = 100;

type User = Awaited<ReturnType<Product['user']>>;

function streamsOf(userId: string, nth: number): readonly (readonly [string, readonly NewEvent[]])[] {
  const jobId = randomUUID();
  const host = `site-${nth % SITES}.example`;
  const bounds = { maxPages: 50, maxMs: 180_000 };
  const billed = { userId, jobId, batchId: randomUUID(), from: 'free_allowance', period: '2026-11', access: 'full' };
  return [
    [billingStream(userId), [newEvent('AnalysisReserved', { ...billed, reservedAt: AT })]],
    [
      jobStream(jobId),
      [
        newEvent('JobSubmitted', {
          jobId,
          userId,
          url: `https://${host}/`,
          host,
          bounds,
          access: 'full',
          submittedAt: AT,
        }),
        newEvent('JobQueued', { jobId, queuedAt: AT }),
        newEvent('JobStarted', { jobId, attempt: 1, startedAt: AT }),
        newEvent('JobCompleted', { jobId, completedAt: AT }),
      ],
    ],
    [
      planStream(jobId),
      [newEvent('PlanGenerated', { jobId, userId, by: 'bench', count: 5, items: ITEMS, generatedAt: AT })],
    ],
  ];
}

async function writeJobs(store: EventStore, users: readonly User[], jobs: number): Promise<void> {
  for (let from = 0; from < jobs; from += AT_ONCE) {
    const streams = Array.from({ length: AT_ONCE }, (_, nth) =>
      streamsOf(users[(from + nth) % users.length]?.userId ?? '', from + nth),
    ).flat();
    await Promise.all(streams.map(([stream, events]) => store.append(stream, events, { expected: 'any' })));
  }
}

/** The longest time during the work that nothing else could run, ms. */
async function holdDuring(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 2 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

async function ask(product: Product, user: User, method: string, path: string): Promise<void> {
  const response = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${user.token}` },
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

const caughtUp = async ({ readModels, store }: Product): Promise<unknown> =>
  readModels.reached(['jobs', 'userProgress', 'workItems'], await store.head(), 600_000);

const FIGURES = {
  'start that builds the read models': 1.5,
  'longest hold of the loop while jobs are written': 2,
  'longest hold during the start': 2,
  'longest hold by DELETE /jobs': 2,
  'longest hold by the history of bills': 2,
} as const;
type What = keyof typeof FIGURES;

async function measured(dir: string, owners: number, jobs: number): Promise<Readonly<Record<What, number>>> {
  mkdirSync(dir);
  const first = await startProduct(dir);
  const admin = await first.user();
  const users: User[] = [];
  for (let nth = 0; nth < owners; nth += 1) users.push(await first.user());
  const written = await holdDuring(async () => {
    await writeJobs(first.store, users, jobs);
    await caughtUp(first);
  });
  await first.close();
  for (const end of ['', '-wal', '-shm']) rmSync(join(dir, `readModels.db${end}`), { force: true });
  let product: Product | undefined;
  let start = 0;
  const during = await holdDuring(async () => {
    start = await timed(async () => {
      product = await startProduct(dir);
    });
  });
  const running = product as unknown as Product;
  const bills = await holdDuring(async () => {
    for (const { userId } of users)
      for (const query of ['', '&order=oldest'])
        await ask(running, admin, 'GET', `/admin/history/streams/${billingStream(userId)}?limit=100${query}`);
  });
  const deleted = await holdDuring(async () => {
    for (const user of users) await ask(running, user, 'DELETE', '/jobs');
    await caughtUp(running);
  });
  await running.close();
  rmSync(dir, { recursive: true });
  return {
    'start that builds the read models': start,
    'longest hold of the loop while jobs are written': written,
    'longest hold during the start': during,
    'longest hold by DELETE /jobs': deleted,
    'longest hold by the history of bills': bills,
  };
}

export const oneOwner: Figure = {
  name: 'oneOwner',
  async measure({ dir, full, say }) {
    const jobs = full ? MANY_JOBS : JOBS;
    say(`${jobs.toLocaleString('en-US')} jobs of ${OWNERS.toLocaleString('en-US')} users`);
    const many = await measured(join(dir, 'many'), OWNERS, jobs);
    say('the same jobs of one user');
    const one = await measured(join(dir, 'one'), 1, jobs);
    return (Object.entries(FIGURES) as [What, number][]).map(([what, goal]): Row => {
      const ratio = one[what] / many[what];
      return {
        what: `${what}: ${jobs.toLocaleString('en-US')} jobs of one user on ${SITES.toLocaleString('en-US')} sites vs of ${OWNERS.toLocaleString('en-US')} users`,
        ours: milliseconds(one[what]),
        limit: milliseconds(many[what]),
        ratio,
        goal: `≤ ${goal}`,
        met: ratio <= goal,
      };
    });
  },
};
