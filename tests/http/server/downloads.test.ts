/** Downloads through the same compression as the server's, over real connections. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import compress from 'koa-compress';
import { afterEach, describe, expect, it } from 'vitest';
import { downloadFor } from '../../../src/http/server/downloads.ts';

let server: Server;
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

async function serve(chunks: AsyncIterable<string>, stalledMs: number | null = null): Promise<string> {
  const app = new Koa({ silent: true } as never);
  app.on('error', () => undefined);
  app.use(compress({ threshold: 1024, zstd: false }));
  app.use((ctx) => {
    ctx.type = 'application/json';
    ctx.body = downloadFor(ctx.res, { chunks, stalledMs });
  });
  server = createServer(app.callback());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const ENCODINGS = ['identity', 'gzip'];
const fetchAs = (url: string, encoding: string, signal?: AbortSignal) =>
  fetch(url, { headers: { 'Accept-Encoding': encoding }, ...(signal ? { signal } : {}) });

describe.each(ENCODINGS)('a download sent as %s', (encoding) => {
  it('a download arrives whole', async () => {
    async function* whole() {
      for (let nth = 0; nth < 1_000; nth += 1) yield `"row ${nth}",`;
    }
    const text = await (await fetchAs(await serve(whole()), encoding)).text();
    expect(text).toBe(Array.from({ length: 1_000 }, (_, nth) => `"row ${nth}",`).join(''));
  });

  it('ends with its connection when its source fails', async () => {
    async function* failing() {
      yield 'x'.repeat(100_000);
      throw new Error('the store is gone');
    }
    const url = await serve(failing());
    await expect(fetchAs(url, encoding).then((answer) => answer.text())).rejects.toThrow();
  });

  it('ends its source when the client goes away', async () => {
    let ended = (): void => undefined;
    const isEnded = new Promise<void>((resolve) => (ended = resolve));
    async function* endless() {
      try {
        for (;;) {
          await new Promise(setImmediate);
          yield Math.random().toString(36).repeat(1_000);
        }
      } finally {
        ended();
      }
    }
    const leaving = new AbortController();
    const answer = await fetchAs(await serve(endless()), encoding, leaving.signal);
    const reader = answer.body?.getReader();
    await reader?.read();
    leaving.abort();
    await isEnded;
  });

  it('ends its source and its connection when the client takes nothing for too long', async () => {
    let ended = (): void => undefined;
    const isEnded = new Promise<void>((resolve) => (ended = resolve));
    async function* endless() {
      try {
        for (;;) yield Math.random().toString(36).repeat(10_000);
      } finally {
        ended();
      }
    }
    const answer = await fetchAs(await serve(endless(), 100), encoding);
    await isEnded;
    await expect(answer.text()).rejects.toThrow();
  });

  it('lasts as long as its source needs: only the client is timed', async () => {
    async function* slow() {
      yield 'a';
      await new Promise((resolve) => setTimeout(resolve, 60));
      yield 'b';
    }
    expect(await (await fetchAs(await serve(slow(), 30), encoding)).text()).toBe('ab');
  });
});
