/** The logged-in job list over HTTP, against a bare Koa that sends the same bytes. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { startChild } from '../child.ts';
import { fill } from '../events.ts';
import { compare, type Figure, rateRow } from '../measure.ts';
import type { HttpLoad, HttpLoadResult } from './httpLoad.ts';
import { startProduct } from './product.ts';

const PATH = '/api/v1/jobs';
const REQUESTS = 4000;
/** Before the first round, so that both are compiled. */
const WARM_UP = 10_000;

export const http: Figure = {
  name: 'http',
  async measure({ rounds, dir, say }) {
    const product = await startProduct(dir);
    const { userId, token } = await product.user();
    await fill(product.store, 3_000);
    const bounds = { maxPages: 50, maxMs: 180_000 };
    const { position } = await submitJobs(product.context(null), {
      userId,
      sites: [{ url: 'https://shop.example/', host: 'shop.example' }],
      bounds,
      freeAnalyses: 1000,
    });
    await product.readModels.reached(['jobs'], position, 10_000);

    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(product.url + PATH, { headers });
    const body = await answer.text();
    if (answer.status !== 200 || !body.includes('shop.example'))
      throw new Error(`The list is not as expected: ${answer.status} ${body.slice(0, 200)}`);
    say(`the list has ${body.length} bytes`);

    const koa = new Koa();
    koa.use((ctx) => {
      ctx.type = 'application/json';
      ctx.body = body;
    });
    const bare = createServer(koa.callback());
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
    const client = startChild('http/httpLoad');
    const drive = async (port: number, requests = REQUESTS) => {
      const load: HttpLoad = { port, path: PATH, headers, connections: 10, requests };
      const result = await client.ask<HttpLoadResult>(load);
      if ('error' in result) throw new Error(result.error);
      return result.perSecond;
    };
    try {
      await drive(product.port, WARM_UP);
      await drive((bare.address() as AddressInfo).port, WARM_UP);
      const compared = await compare(
        rounds,
        () => drive(product.port),
        () => drive((bare.address() as AddressInfo).port),
      );
      return [
        rateRow(
          `logged-in job list (${(body.length / 1000).toFixed(1)} KB of JSON) vs bare Koa with the same bytes`,
          compared,
          0.5,
        ),
      ];
    } finally {
      await client.stop();
      bare.closeAllConnections();
      bare.close();
      await product.close();
    }
  },
};
