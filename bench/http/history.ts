/**
 * The history of one stream: the first answer of one with 1,000 events, and pages of one with 10,000, at both ends and
 * in the middle.
 */
import { newEvent } from '../events.ts';
import { type Figure, milliseconds, percentile, timed } from '../measure.ts';
import { type Product, startProduct } from './product.ts';

const ASKED = 20;
const FIRST_MS = 1_000;
const PAGE_MS = 300;
const PART = 1_000;

async function fill({ store }: Product, userId: string, grants: number): Promise<void> {
  for (let from = 0; from < grants; from += PART) {
    const events = Array.from({ length: PART }, (_, index) => {
      const nth = from + index;
      const at = new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString();
      return newEvent('CreditsGranted', {
        userId,
        grantId: `grant-${nth}`,
        credits: 1,
        reason: 'Bench',
        balance: nth + 1,
        grantedAt: at,
      });
    });
    await store.append(`billing-${userId}`, events, { expected: from === 0 ? 'no_stream' : BigInt(from - 1) });
  }
}

export const history: Figure = {
  name: 'history',
  async measure({ dir, say }) {
    const product = await startProduct(dir);
    // The first account is the admin.
    const { token } = await product.user();
    await fill(product, 'bench-short', 1_000);
    await fill(product, 'bench-long', 10_000);
    say('streams of 1,000 and of 10,000 events are written');
    const ask = async (userId: string, query: string): Promise<void> => {
      const response = await fetch(`${product.url}/api/v1/admin/history/streams/billing-${userId}?limit=100${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const body = await response.text();
      if (!response.ok || body.includes('"events":[]'))
        throw new Error(`${query}: ${response.status} ${body.slice(0, 200)}`);
    };
    const first = await timed(() => ask('bench-short', ''));
    const whole = await timed(() => ask('bench-long', ''));
    const took: number[] = [];
    for (const query of ['', '&order=oldest', '&before=5000', '&after=2500', '&types=CreditsGranted'])
      for (let time = 0; time < ASKED; time += 1) took.push(await timed(() => ask('bench-long', query)));
    await product.close();
    const p95 = percentile(took, 95);
    const row = (what: string, ms: number, goal: number) => ({
      what,
      ours: milliseconds(ms),
      limit: '–',
      ratio: null,
      goal: `< ${goal} ms`,
      met: ms < goal,
    });
    return [
      row('history, a stream of 1,000 events: the first page, cold', first, FIRST_MS),
      row('history, a stream of 10,000 events: the first page, cold', whole, FIRST_MS),
      row('history, a stream of 10,000 events: pages anywhere, p95', p95, PAGE_MS),
    ];
  },
};
