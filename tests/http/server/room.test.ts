import { EventEmitter } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createRoom } from '../../../src/http/server/room.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';

const response = () => Object.assign(new EventEmitter(), { destroyed: false }) as never;

describe('room', () => {
  it('is bounded for each and for all, and returned when a response is closed', () => {
    const room = createRoom({ ofOne: 10, ofAll: 15 });
    const first: EventEmitter = response();
    expect([room.hold('ann', 6, first as never), room.hold('ann', 4, response()), room.hold('ann', 1, response())]).toEqual([true, true, false]);
    expect([room.hold('bob', 5, response()), room.hold('bob', 1, response())]).toEqual([true, false]);
    first.emit('close');
    expect([room.hold('ann', 6, response()), room.hold('ann', 1, response())]).toEqual([true, false]);
  });

  it('is always there for whoever holds nothing', () => {
    const room = createRoom({ ofOne: 1, ofAll: 1 });
    expect(['ann', 'bob', 'cid'].map((name) => room.hold(name, 100, response()))).toEqual([true, true, true]);
  });
});

describe('bodies that arrive slowly', () => {
  let app: TestApp;
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  it('are held up to a limit for each address; beyond it they are refused unread, and go on once others have ended', async () => {
    app = await startTestApp();
    const KIB = 1024;
    const slow = (): Socket => {
      const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST /api/v1/process/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${512 * KIB}\r\n\r\n{`);
      sockets.push(socket);
      return socket;
    };
    const answerTo = (socket: Socket): Promise<string> => new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    for (let nth = 0; nth < 32; nth += 1) slow();
    expect(await answerTo(slow())).toMatch(/^HTTP\/1.1 503[\s\S]*"code":"BUSY"/);
    // One without a body holds nothing.
    expect((await app.call('GET', '/api/v1/status')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await app.call('POST', '/api/v1/auth/login', { body: { email: 'a@example.com', password: 'x' } })).status).toBe(401);
  });
});
