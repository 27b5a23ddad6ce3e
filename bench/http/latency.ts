/**
 * From a command to the frame at a websocket client, alone and while audits run; and how long the main thread is held
 * up by them.
 */
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { createParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { REALTIME_PATH } from '../../src/http/realtime/realtime.ts';
import { auditSite, crawlEnv } from '../audit/audit.ts';
import { startChild } from '../child.ts';
import { type Figure, median, milliseconds, percentile, type Row } from '../measure.ts';
import { type Product, startProduct } from './product.ts';

const SAMPLES = 150;
const AUDITS = 4;
const SITE = { url: 'https://shop.example/', host: 'shop.example' };
const BOUNDS = { maxPages: 50, maxMs: 180_000 };

type Watched = {
  /** Resolves with the time at which the job's first frame came. */ seen(jobId: string): Promise<number>;
  close(): void;
};

export async function watch(product: Product, token: string, channel = 'jobs'): Promise<Watched> {
  const socket = new WebSocket(`ws://127.0.0.1:${product.port}${REALTIME_PATH}`, {
    origin: 'http://localhost',
    perMessageDeflate: false,
  });
  const arrived = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  let subscribed: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    subscribed = resolve;
  });
  socket.on('message', (text) => {
    const at = performance.now();
    const message = JSON.parse(String(text)) as { type: string; new?: { id?: string } };
    if (message.type === 'subscribed') subscribed();
    const id = message.new?.id;
    if (message.type !== 'event' || !id || arrived.has(id)) return;
    arrived.set(id, at);
    waiting.get(id)?.(at);
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'auth', token }));
  socket.send(JSON.stringify({ type: 'subscribe', channel }));
  await ready;
  return {
    seen: (jobId) =>
      new Promise((resolve) => (arrived.has(jobId) ? resolve(arrived.get(jobId) ?? 0) : waiting.set(jobId, resolve))),
    close: () => socket.close(),
  };
}

/** Milliseconds from each submission to the first frame of its job at a client. */
export async function sample(product: Product): Promise<readonly number[]> {
  const { userId, token } = await product.user();
  const watched = await watch(product, token);
  const times: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    const from = performance.now();
    const { jobIds } = await submitJobs(product.context(null), {
      userId,
      sites: [SITE],
      bounds: BOUNDS,
      freeAnalyses: 1_000_000,
    });
    times.push((await watched.seen(jobIds[0] ?? '')) - from);
    await turn();
  }
  watched.close();
  return times;
}

/** `goal`: for p50 and p99, ms. */
export function latencyRow(
  what: string,
  times: readonly number[],
  goal: readonly [p50: number, p99: number] = [10, 50],
): Row {
  const [p50, p99] = [median(times), percentile(times, 99)];
  return {
    what,
    ours: `${milliseconds(p50)} / ${milliseconds(p99)}`,
    limit: '–',
    ratio: null,
    goal: `≤ ${goal.join(' / ')} ms`,
    met: p50 <= goal[0] && p99 <= goal[1],
  };
}

export const latency: Figure = {
  name: 'latency',
  async measure({ dir, say }) {
    const product = await startProduct(dir);
    const site = startChild('audit/siteServer');
    const { port } = await site.ask<{ port: number }>({ pages: 200, bytes: 41_000 });
    const parser = createParserPool({ processes: 2 });
    const crawling = crawlEnv(port, parser);
    try {
      await sample(product);
      const alone = await sample(product);
      say(`the same while ${AUDITS} audits run`);
      let running = true;
      const audits = Array.from({ length: AUDITS }, async () => {
        while (running) await auditSite(`http://127.0.0.1:${port}/`, crawling.env);
      });
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const busy = [...(await sample(product)), ...(await sample(product))];
      delay.disable();
      running = false;
      await Promise.all(audits);
      // The histogram counts the sampling interval itself as delay.
      const held = Math.max(0, delay.percentile(99) / 1e6 - 5);
      return [
        latencyRow('submission → log → read model → websocket: p50 / p99', alone),
        latencyRow(`the same while ${AUDITS} audits run`, busy),
        {
          what: `main thread held up while ${AUDITS} audits run: p99`,
          ours: milliseconds(held),
          limit: '–',
          ratio: null,
          goal: '≤ 20 ms',
          met: held <= 20,
        },
      ];
    } finally {
      await crawling.close();
      await parser.close();
      await site.stop();
      await product.close();
    }
  },
};
