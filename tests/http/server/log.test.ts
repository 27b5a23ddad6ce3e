import { once } from 'node:events';
import { createConnection } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { logOptions } from '../../../src/http/request/log.ts';
import { startTestApp } from '../../given/product/http.ts';

/** The one line written for `err`. */
function logged(err: unknown) {
  const lines: string[] = [];
  pino(logOptions('trace'), { write: (line: string) => void lines.push(line) }).error({ err }, 'failed');
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? '');
}

describe('an error in the log', () => {
  it('has type, code, message, stack and cause, and no other properties', () => {
    const cause = Object.assign(new TypeError('inner'), {
      code: 'EINNER',
      config: { headers: { authorization: 'secret' } },
    });
    const error = Object.assign(new Error('outer', { cause }), {
      code: 'HPE_INVALID',
      rawPacket: Buffer.from('GET / HTTP/1.1'),
      bytesParsed: 3,
    });
    const { err } = logged(error);
    expect(err).toEqual({
      type: 'Error',
      code: 'HPE_INVALID',
      message: 'outer',
      stack: error.stack,
      cause: { type: 'TypeError', code: 'EINNER', message: 'inner', stack: cause.stack },
    });
  });

  it('may be any thrown value', () => {
    const circular: Error & { cause?: unknown } = new Error('circular');
    circular.cause = circular;
    expect(logged(circular).err.message).toBe('circular');
    for (const thrown of ['a text', null, undefined, 7, Buffer.from('bytes'), new Uint8Array(3), Object.create(null)])
      expect(() => logged(thrown)).not.toThrow();
    expect(logged('a text').err).toMatchObject({ message: 'a text' });
  });
});

describe('an email address in the log', () => {
  it.each([
    [
      "Can't send mail: 450 4.2.0 <ann.lee@example.com>: Greylisted",
      "Can't send mail: 450 4.2.0 <a…@example.com>: Greylisted",
    ],
    ['Invalid email address: ann+seo@münchen.example', 'Invalid email address: a…@münchen.example'],
    ['GET /v1/customers?email=ann%40example.com failed', 'GET [redacted] failed'],
    [
      "550 <mary.o'connor@example.org>, <rock&roll=a/b@example.org> refused",
      '550 <m…@example.org>, <r…@example.org> refused',
    ],
    ['a\u0000@example.com and \ud800@example.com', 'a\u0000@example.com and \ud800@example.com'],
    ['at /app/node_modules/@scope/package/index.js', 'at /app/node_modules/@scope/package/index.js'],
    [
      'a line\nann@example.com, \u001bann@example.com, \u001b{long}@example.com',
      'a line\na…@example.com, \u001ba…@example.com, ',
    ],
  ])('is masked, wherever it is: %j', (text, shown) => {
    const { err } = logged(new Error(text.replace('{long}', 'x'.repeat(100))));
    expect(err.message.startsWith(shown)).toBe(true);
    expect(JSON.stringify(err)).not.toMatch(/ann|lee|mary|roll/);
  });

  it('is masked in a long line, which is cut', () => {
    const text = `${'x'.repeat(5_000)}@${'y.'.repeat(2_000)} ${'@'.repeat(100_000)}`;
    const { message } = logged(text).err;
    expect(message).toContain('…@y.');
    expect(message.length).toBeLessThanOrEqual(16_000);
  });
});

const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'passwordHash',
  'token',
  'access_token',
  'refresh_token',
  'accessToken',
  'refreshToken',
  'email',
];

describe('a line of the log', () => {
  it.each(SECRETS)('never has a value for %s, however deep it stands', (name) => {
    const lines: string[] = [];
    const given = { [name]: 'secret' };
    pino(logOptions('trace'), { write: (line: string) => void lines.push(line) }).info(
      { ...given, a: { ...given, b: { ...given, c: given } } },
      'asked',
    );
    expect(lines.join('')).not.toContain('secret');
    expect(lines.join('').split('[redacted]')).toHaveLength(5);
  });
});

describe('a malformed request', () => {
  it.each([
    [
      'a bad chunk',
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n',
    ],
    ['a bad chunk without a body to be read', 'GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'],
    ['garbage behind a request', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\0\0garbage\r\n\r\n'],
  ])('with %s ends only its own connection', async (_, text) => {
    const app = await startTestApp();
    const failures: unknown[] = [];
    const failed = (error: unknown): unknown => failures.push(error);
    process.on('uncaughtException', failed);
    const socket = createConnection(Number(new URL(app.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(text);
    await once(socket, 'close');
    expect((await app.call('GET', '/healthz')).status).toBe(200);
    process.off('uncaughtException', failed);
    expect(failures).toEqual([]);
    await app.close();
  });
});
