import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { onFreePort } from '../../src/start/listen.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

function listen(port: number): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      open.push(server);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

describe('listening', () => {
  it('uses another port if the preferred one is taken', async () => {
    const taken = await listen(0);
    const port = await onFreePort(taken, listen);
    expect(port).not.toBe(taken);
  });

  it('uses the preferred port if it is free', async () => {
    const port = await listen(0);
    await new Promise((resolve) => open.pop()?.close(resolve));
    expect(await onFreePort(port, listen)).toBe(port);
  });

  it('does not try other ports after any other error', async () => {
    let tries = 0;
    const refused = Object.assign(new Error('not allowed'), { code: 'EACCES' });
    const taking = onFreePort(80, async () => {
      tries += 1;
      throw refused;
    });
    await expect(taking).rejects.toBe(refused);
    expect(tries).toBe(1);
  });
});
