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
    expect([
      room.hold('ann', 6, first as never),
      room.hold('ann', 4, response()),
      room.hold('ann', 1, response()),
    ]).toEqual(['held', 'held', 'full_for_holder']);
    expect([room.hold('bob', 5, response()), room.hold('bob', 1, response()), room.hold('cid', 1, response())]).toEqual(
      ['held', 'full', 'full'],
    );
    first.emit('close');
    expect([room.hold('ann', 6, response()), room.hold('ann', 1, response())]).toEqual(['held', 'full_for_holder']);
  });

  it('is always there for what is small, and for the first of each where that is wanted', () => {
    const small = createRoom({ ofOne: 1, ofAll: 1, small: 10 });
    expect([10, 10, 11].map((bytes) => small.hold('ann', bytes, response()))).toEqual([
      'held',
      'held',
      'full_for_holder',
    ]);
    const first = createRoom({ ofOne: 1, ofAll: 1, firstAlways: true });
    expect(['ann', 'bob', 'ann'].map((name) => first.hold(name, 100, response()))).toEqual([
      'held',
      'held',
      'full_for_holder',
    ]);
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
    const { token } = await app.signUp();
    const slow = (as = `Authorization: Bearer ${token}\r\n`): Socket => {
      const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        `POST /api/v1/process/batch HTTP/1.1\r\nHost: x\r\n${as}Content-Type: application/json\r\nContent-Length: ${512 * KIB}\r\n\r\n{`,
      );
      sockets.push(socket);
      return socket;
    };
    const answerTo = (socket: Socket): Promise<string> =>
      new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    for (let nth = 0; nth < 32; nth += 1) slow();
    expect(await answerTo(slow())).toMatch(/^HTTP\/1.1 503[\s\S]*"code":"BUSY"/);
    // A stranger's is refused unread, whatever room there is; a small one is always read.
    expect(await answerTo(slow(''))).toMatch(/^HTTP\/1.1 401/);
    expect(
      (await app.call('POST', '/api/v1/auth/login', { body: { email: 'a@example.com', password: 'x' } })).status,
    ).toBe(401);
    for (const socket of sockets) socket.destroy();
    const urls = [`https://example.com/${'x'.repeat(10 * KIB)}`];
    await expect
      .poll(async () => (await app.call('POST', '/api/v1/process/batch', { token, body: { urls } })).status)
      .toBe(400);
  });
});
