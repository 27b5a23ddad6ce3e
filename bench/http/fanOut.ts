/** One change to many websocket clients, against a bare `ws` server that sends the same bytes. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { REALTIME_PATH } from '../../src/http/realtime/realtime.ts';
import type { JobDocument } from '../../src/projections/jobs.ts';
import { startChild } from '../child.ts';
import { compare, type Figure, rateRow } from '../measure.ts';
import { startProduct } from './product.ts';

const CHANGES = 20;

export const fanOut: Figure = {
  name: 'fanOut',
  async measure({ rounds, dir, full }) {
    const clients = full ? 5_000 : 1_000;
    const product = await startProduct(dir);
    const { userId, token } = await product.user();
    const site = { url: 'https://shop.example/', host: 'shop.example' };
    const { jobIds, position } = await submitJobs(product.context(null), {
      userId,
      sites: [site],
      bounds: { maxPages: 50, maxMs: 180_000 },
      freeAnalyses: 1000,
    });
    await product.readModels.reached(['jobs'], position, 10_000);
    const stored = await product.readModels.get<JobDocument>('jobs', jobIds[0] ?? '');
    const build = await product.readModels.serving('jobs');
    if (!stored || !build) throw new Error('The submitted job is not in the read model.');

    // Changes of the read model directly: the path from the log is the latency figure's matter.
    let at = BigInt(stored.position) + 1_000_000n;
    const change = () => {
      at += 1n;
      const next = String(at).padStart(20, '0');
      return product.readModels.commit([
        {
          model: 'jobs',
          build,
          checkpoint: next,
          writes: [{ id: stored.id, position: next, data: { ...stored.data, pagesDone: Number(at % 50n) } }],
        },
      ]);
    };

    const bare = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    const bareSockets = new Set<WebSocket>();
    bare.on('connection', (socket) => {
      bareSockets.add(socket);
      socket.on('close', () => bareSockets.delete(socket));
    });
    await once(bare, 'listening');

    const crowd = { ours: startChild('http/socketCrowd'), bare: startChild('http/socketCrowd') };
    const asked = async (which: keyof typeof crowd, message: object) => {
      const answer = await crowd[which].ask<{ error?: string }>(message);
      if (answer.error) throw new Error(answer.error);
    };
    const hello = [JSON.stringify({ type: 'auth', token }), JSON.stringify({ type: 'subscribe', channel: 'jobs' })];
    try {
      // 'ready' and 'subscribed' answer; without `since` no rows come first.
      await asked('ours', { url: `ws://127.0.0.1:${product.port}${REALTIME_PATH}`, clients, hello, answers: 2 });
      await asked('bare', {
        url: `ws://127.0.0.1:${(bare.address() as AddressInfo).port}`,
        clients,
        hello: [],
        answers: 0,
      });
      const frame = Buffer.from(
        JSON.stringify({
          type: 'event',
          channel: 'jobs',
          table: 'jobs',
          eventType: 'UPDATE',
          new: stored.data,
          old: null,
          position: stored.position,
        }),
      );
      const run = async (which: keyof typeof crowd, send: () => Promise<unknown>) => {
        const from = performance.now();
        const done = asked(which, { messages: clients * CHANGES });
        for (let n = 0; n < CHANGES; n += 1) await send();
        await done;
        return (clients * CHANGES * 1000) / (performance.now() - from);
      };
      const compared = await compare(
        rounds,
        () => run('ours', change),
        () =>
          run('bare', async () => {
            for (const socket of bareSockets) socket.send(frame, { binary: false });
          }),
      );
      return [rateRow(`websocket fan-out, ${clients.toLocaleString('en-US')} clients, messages`, compared, 0.8)];
    } finally {
      await Promise.all([crowd.ours.stop(), crowd.bare.stop()]);
      bare.close();
      await product.close();
    }
  },
};
