/** The first page of user progress among 10,000 users, in every order that its columns give. */

import type { NewEvent } from '../../src/eventStore/eventStore.ts';
import { USER_PROGRESS_SORTS } from '../../src/http/contract/admin/userProgress.ts';
import { newEvent } from '../events.ts';
import { type Figure, milliseconds, percentile, timed } from '../measure.ts';
import { type Product, startProduct } from './product.ts';

const USERS = 10_000;
const ASKED = 10;
const GOAL_MS = 100;
const BOUNDS = { maxPages: 50, maxMs: 180_000 };

const timeOf = (nth: number): string => new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString();

/** Every other one has analysed a site. */
async function fill({ store }: Product): Promise<void> {
  let pending: Promise<unknown>[] = [];
  const append = async (stream: string, event: NewEvent): Promise<void> => {
    if (pending.push(store.append(stream, [event], { expected: 'no_stream' })) < 500) return;
    await Promise.all(pending);
    pending = [];
  };
  for (let nth = 0; nth < USERS; nth += 1) {
    const [userId, jobId, host, at] = [`bench-user-${nth}`, `bench-job-${nth}`, `www.site-${nth}.example`, timeOf(nth)];
    const account = { userId, email: `user${nth}@many.example`, name: '', passwordHash: 'not used', registeredAt: at };
    await append(`account-${userId}`, newEvent('AccountRegistered', account));
    if (nth % 2 === 0)
      await append(
        `job-${jobId}`,
        newEvent('JobSubmitted', {
          jobId,
          userId,
          url: `https://${host}/`,
          host,
          bounds: BOUNDS,
          access: 'full',
          submittedAt: at,
        }),
      );
  }
  await Promise.all(pending);
}

export const adminUsers: Figure = {
  name: 'adminUsers',
  async measure({ dir, say }) {
    const product = await startProduct(dir);
    // The first account is the admin.
    const { token } = await product.user();
    await fill(product);
    await product.readModels.reached(['userProgress', 'accounts'], await product.store.head(), 600_000);
    say(`the progress of ${USERS} users is projected`);
    const ask = async (query: string): Promise<void> => {
      const response = await fetch(`${product.url}/api/v1/admin/user-progress?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = await response.text();
      if (!response.ok || body.includes('"data":[]'))
        throw new Error(`${query}: ${response.status} ${body.slice(0, 200)}`);
    };
    const took: number[] = [];
    for (const query of [...USER_PROGRESS_SORTS.map((sort) => `sort=${sort}`), 'search=user77'])
      for (let time = 0; time < ASKED; time += 1) took.push(await timed(() => ask(query)));
    await product.close();
    const p95 = percentile(took, 95);
    const what = `admin, ${USERS / 1000},000 users: the first page in every order, and searched, p95`;
    return [{ what, ours: milliseconds(p95), limit: '–', ratio: null, goal: `< ${GOAL_MS} ms`, met: p95 < GOAL_MS }];
  },
};
