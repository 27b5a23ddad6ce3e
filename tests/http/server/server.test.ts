import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ROUTES } from '../../../src/http/routes/all.ts';
import { productGroup } from '../../../src/http/routes/productGroup.ts';
import { route } from '../../../src/http/routing/route.ts';
import { createServer, LIMITS } from '../../../src/http/server/server.ts';
import { startTestApp } from '../../given/product/http.ts';

function gate(): { readonly opened: Promise<void>; open(): void; readonly entered: Promise<void>; enter(): void } {
  let open = (): void => undefined;
  let enter = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  return { opened, entered, open: () => open(), enter: () => enter() };
}

const waiting = (door: ReturnType<typeof gate>) =>
  route({
    method: 'GET',
    path: '/waiting',
    access: 'public',
    summary: 'Waits',
    response: z.object({ done: z.boolean() }),
    handler: async () => {
      door.enter();
      await door.opened;
      return { done: true };
    },
  });

describe('stopping the server', () => {
  it('finishes open requests, accepts no new ones, and says so to probes', async () => {
    const door = gate();
    const app = await startTestApp({ app: { groups: [productGroup([...ROUTES, waiting(door)])] } });
    const probe = connect(Number(new URL(app.url).port), '127.0.0.1');
    await new Promise((resolve) => probe.once('connect', resolve));
    const underWay = app.call('GET', '/api/v1/waiting');
    await door.entered;
    const stopped = app.close();
    await expect(fetch(`${app.url}/healthz`)).rejects.toThrow();
    door.open();
    const answer = await underWay;
    expect(answer).toMatchObject({ status: 200, body: { done: true } });
    expect(answer.headers.get('connection')).toBe('close');
    await stopped;
  });

  it('is not ready from that moment', async () => {
    const app = await startTestApp({ app: { stopping: () => true } });
    expect(await app.call('GET', '/readyz')).toMatchObject({ status: 503, body: { status: 'not ready' } });
    expect((await app.call('GET', '/healthz')).status).toBe(200);
    await app.close();
  });

  it('cuts off requests that do not end', async () => {
    const door = gate();
    const app = await startTestApp({ app: { groups: [productGroup([...ROUTES, waiting(door)])] }, drainMs: 50 });
    const underWay = app.call('GET', '/api/v1/waiting').then(
      () => 'answered',
      () => 'cut',
    );
    await door.entered;
    await app.server.stop(() => app.realtime.close());
    expect(await underWay).toBe('cut');
    door.open();
    await app.close();
  });

  it('can be requested twice, and before the start', async () => {
    const server = createServer();
    await server.stop();
    await server.stop();
    expect(server.stopping()).toBe(true);
  });
});

describe('listening', () => {
  it('fails with the system’s own error when the port is taken', async () => {
    const [first, second] = [createServer(), createServer()];
    const port = await first.listen(0, '127.0.0.1');
    await expect(second.listen(port, '127.0.0.1')).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const other = await second.listen(0, '127.0.0.1');
    expect(other).not.toBe(port);
    await Promise.all([first.stop(), second.stop()]);
  });

  it('limits headers, requests and idle time', () => {
    const { node } = createServer();
    expect(node.headersTimeout).toBe(10_000);
    expect(node.requestTimeout).toBe(30_000);
    expect(node.timeout).toBe(LIMITS.idleTimeout);
    expect(node.maxHeadersCount).toBe(100);
  });
});
