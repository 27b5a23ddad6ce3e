/**
 * Servers that break HTTP/2: frames in any order, broken frames, resets. Every request ends, and no error escapes the
 * client.
 */
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ClosableFetcher, createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { some } from '../../given/fullForm.ts';
import { createCertificate } from '../../servers/certificate.ts';

const certificate = createCertificate({
  names: ['h2.test'],
  from: new Date(Date.now() - 86_400_000),
  to: new Date(Date.now() + 86_400_000),
});

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}

const STATUS_200 = Buffer.from([0x88]);
const SETTINGS = frame(4, 0, 0);

type Chance = (below: number) => number;
type Act = (socket: TLSSocket, wire: Socket, chance: Chance) => void;
const send =
  (...frames: readonly Buffer[]): Act =>
  (socket) =>
    void socket.write(Buffer.concat(frames));

const ACTS: Readonly<Record<string, Act>> = {
  'goaway of everything': send(frame(7, 0, 0, words(0, 0))),
  'goaway with an error': send(frame(7, 0, 0, words(1, 2))),
  'headers alone': send(frame(1, 4, 1, STATUS_200)),
  'a whole answer': send(frame(1, 5, 1, STATUS_200)),
  'headers that never end': send(frame(1, 0, 1, STATUS_200)),
  data: send(frame(0, 0, 1, Buffer.from('abc'))),
  'data and the end': send(frame(0, 1, 1, Buffer.from('abc'))),
  'data of no stream': send(frame(0, 1, 99, Buffer.from('abc'))),
  'reset of the stream': (socket, _wire, chance) => socket.write(frame(3, 0, 1, words(chance(14)))),
  'reset of another stream': send(frame(3, 0, 3, words(2))),
  ping: send(frame(6, 0, 0, Buffer.alloc(8))),
  'a broken ping': send(frame(6, 0, 0, Buffer.alloc(3))),
  'an unknown frame': send(frame(0x77, 0xff, 5, Buffer.alloc(20))),
  garbage: (socket, _wire, chance) => socket.write(Buffer.from(Array.from({ length: 50 }, () => chance(256)))),
  'HTTP/1.1': (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'),
  'no more streams': send(frame(4, 0, 0, Buffer.concat([Buffer.from([0, 3]), words(0)]))),
  'a push': send(frame(5, 4, 1, Buffer.concat([words(2), STATUS_200]))),
  'a window of nothing': send(frame(8, 0, 0, words(0))),
  'an interim answer': send(frame(1, 4, 1, Buffer.from([0x48, 0x03, 0x31, 0x30, 0x33]))),
  'the end of the connection': (socket) => socket.end(),
  'a connection thrown away': (socket) => socket.destroy(),
  'a reset of the connection': (_socket, wire) => wire.resetAndDestroy(),
};
const NAMES = Object.keys(ACTS);

let seed = 0;
const chance: Chance = (below) => {
  seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};

let script: readonly string[] | null = null;
let fetcher: ClosableFetcher;
let origin = '';
const wires: Socket[] = [];
const escaped: unknown[] = [];
const onEscape = (error: unknown): void => void escaped.push(error);

const server = createServer({ ...certificate, ALPNProtocols: ['h2'] }, (socket) => {
  const wire = wires.at(-1);
  let turns = 0;
  socket.on('error', () => undefined);
  socket.write(SETTINGS);
  socket.on('data', () => {
    const acts =
      script ?? (turns < 6 ? Array.from({ length: 1 + chance(4) }, () => NAMES[chance(NAMES.length)] ?? '') : []);
    if (script && turns > 0) return;
    turns++;
    for (const act of acts) if (wire && !socket.destroyed && socket.writable) ACTS[act]?.(socket, wire, chance);
  });
});

beforeAll(async () => {
  server.on('tlsClientError', () => undefined);
  server.on('connection', (wire: Socket) => {
    wire.on('error', () => undefined);
    wires.push(wire);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://h2.test:${(server.address() as AddressInfo).port}`;
  process.on('uncaughtExceptionMonitor', onEscape);
});

afterAll(async () => {
  process.off('uncaughtExceptionMonitor', onEscape);
  for (const wire of wires) wire.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

async function ask(requests: number, timeoutMs: number): Promise<readonly string[]> {
  fetcher = createFetcher({
    allowHosts: [origin.slice('https://'.length)],
    userAgent: 'H2Test/1.0',
    ca: [certificate.cert],
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  });
  const results = await Promise.all(Array.from({ length: requests }, () => fetcher(`${origin}/`, { timeoutMs })));
  await fetcher.close();
  return results.map((result) => (result.ok ? 'answer' : result.failure));
}

describe('invalid HTTP/2', () => {
  test.each(NAMES)('%s ends in a response or a named failure', async (name) => {
    script = [name];
    for (const outcome of await ask(2, 300)) expect(['answer', 'reset', 'bad_response', 'timeout']).toContain(outcome);
    expect(escaped).toEqual([]);
  });

  test.each(some([20_260_301, 20_260_302], 2))('random frames in any order, seed %i', async (start) => {
    seed = start;
    script = null;
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round++) for (const outcome of await ask(3, 60)) outcomes.add(outcome);
    expect(
      [...outcomes].filter((outcome) => !['answer', 'reset', 'bad_response', 'timeout'].includes(outcome)),
    ).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(1);
    expect(escaped).toEqual([]);
  });
});
