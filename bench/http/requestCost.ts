/**
 * The cost of a request grows at most with its size, and is bounded: each of its inputs is doubled from an eighth of
 * its limit to the limit, filled with what parsers find hard, and one request at the limit is compared with plain ones.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { JSON_LIMITS } from '../../src/http/request/json.ts';
import { HEAD_LIMITS } from '../../src/http/request/requestHead.ts';
import { paymentsOf } from '../../tests/given/payments.ts';
import { type Child, startChild } from '../child.ts';
import { type Figure, milliseconds } from '../measure.ts';
import type { CostLoad, CostResult } from './costClient.ts';
import { startProduct } from './product.ts';

const STEPS = [1 / 8, 1 / 4, 1 / 2, 1];
const ROUNDS = 5;
const TIMES = 30;
const PLAIN = 20;
/** Processor time at twice the size. */
const WORST_STEP = 2.6;

const PROVIDER = {
  url: 'http://127.0.0.1:9',
  secretKey: 'sk_sandbox_of_the_bench',
  publishableKey: 'pk_sandbox_of_the_bench',
};

/** `of`: the request with that much of it. */
type Input = { readonly what: string; readonly limit: number; readonly of: (size: number, token: string) => string };

type Parts = {
  readonly method?: string;
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string;
};

function bytesOf({ method = 'GET', target, headers = [], body }: Parts): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`, 'Content-Type: application/json'];
  return [`${method} ${target} HTTP/1.1`, 'Host: localhost', ...length, ...headers, '', body ?? ''].join('\r\n');
}

/** Repeated to the size. */
const filled = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length)).slice(0, size);

const { queryBytes, parameters, headerBytes, cookies, pathBytes } = HEAD_LIMITS;
const BODY_BYTES = 100 * 1024;
const DELIVERY_BYTES = 256 * 1024;

const queries = (path: string, method = 'GET'): Input[] => [
  {
    what: `parameters of one name, ${path}`,
    limit: parameters,
    of: (size) => bytesOf({ method, target: `${path}?${'a&'.repeat(size)}` }),
  },
  {
    what: `parameters of different names, ${path}`,
    limit: parameters,
    of: (size) =>
      bytesOf({ method, target: `${path}?${Array.from({ length: size }, (_, nth) => `a${nth}=b`).join('&')}` }),
  },
  ...['x', '%C3%BC', '+', '%', '&', '='].map((text): Input => {
    return {
      what: `query of ${text}, ${path}`,
      limit: queryBytes,
      of: (size) => bytesOf({ method, target: `${path}?${filled(text, size)}` }),
    };
  }),
];

const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Cache-Control',
  'Cookie',
  'Forwarded',
  'Idempotency-Key',
  'If-Modified-Since',
  'If-None-Match',
  'Origin',
  'Range',
  'Stripe-Signature',
  'User-Agent',
  'X-Forwarded-For',
  'X-Other',
  'X-Request-Id',
];
const HARD = ['x', ',', 'a,', '"', '",', ';', 'a=b;', ' x', '*/*,', 'v1=0,'];

/** A quote before the rest makes one text of it for parsers that know quotes. */
const headerInputs = (path: string): Input[] =>
  HEADERS.flatMap((name) =>
    HARD.map((text): Input => {
      const value = (size: number): string => `"${filled(text, size - 2)}x`;
      // A long list of cookies has a limit of its own.
      const limit = name === 'Cookie' && text.includes(';') ? cookies : headerBytes;
      return {
        what: `${name} of ${text}, ${path}`,
        limit,
        of: (size) => bytesOf({ target: path, headers: [`${name}: ${value(size)}`] }),
      };
    }),
  );

const paths: Input[] = ['/', '/api/v1/jobs/', '/share/', '/assets/'].flatMap((path) =>
  ['x', '/', '%41', '.', './', '%2F', ':', '%C3%BC'].map((text): Input => {
    // No escape is cut in two.
    const of = (size: number): string =>
      bytesOf({ target: path + text.repeat(Math.floor((size - path.length) / text.length)) });
    return { what: `path ${path} with ${text}`, limit: pathBytes, of };
  }),
);

const login = (body: string, headers: readonly string[] = []): string =>
  bytesOf({ method: 'POST', target: '/api/v1/auth/login', headers, body });
const keys = (size: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: size }, (_, nth) => [`key${nth}`, nth])));
const items = (size: number): string => JSON.stringify({ urls: Array.from({ length: size }, () => 0) });
const text = (content: string, size: number): string => `{"email":"${filled(content, size - 12)}"}`;

const bodies: Input[] = [
  {
    what: 'depth of a body, objects',
    limit: JSON_LIMITS.depth,
    of: (size) => login(`${'{"a":'.repeat(size)}1${'}'.repeat(size)}`),
  },
  {
    what: 'depth of a body, lists',
    limit: JSON_LIMITS.depth,
    of: (size) => login(`${'['.repeat(size)}${']'.repeat(size)}`),
  },
  { what: 'keys of a body', limit: JSON_LIMITS.keys, of: (size) => login(keys(size)) },
  {
    what: 'keys of a body in gzip',
    limit: JSON_LIMITS.keys,
    of: (size) => login(gzipSync(keys(size)).toString('latin1'), ['Content-Encoding: gzip']),
  },
  {
    what: 'items of a body',
    limit: JSON_LIMITS.items,
    of: (size, token) =>
      bytesOf({
        method: 'POST',
        target: '/api/v1/process/batch',
        headers: [`Authorization: Bearer ${token}`],
        body: items(size),
      }),
  },
  ...['x', '@', 'a.', 'a@', '\\\\', '\\u0041', ' ', '\xc3\xbc'].map((content): Input => {
    // No escape and no character is cut in two.
    return {
      what: `text of ${content} in a body`,
      limit: BODY_BYTES,
      of: (size) => login(text(content, Math.floor(size / 6) * 6)),
    };
  }),
  { what: 'blanks in a body', limit: BODY_BYTES, of: (size) => login(`{${' '.repeat(size - 2)}}`) },
  {
    what: 'zeros in gzip',
    limit: BODY_BYTES,
    of: (size) => login(gzipSync(text('0', size)).toString('latin1'), ['Content-Encoding: gzip']),
  },
  ...['x', '[', '{"a":', '"\\'].map((content): Input => {
    // Forged, but fresh: it has to be read.
    const headers = () => [`Stripe-Signature: t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`];
    return {
      what: `delivery of ${content}`,
      limit: DELIVERY_BYTES,
      of: (size) =>
        bytesOf({ method: 'POST', target: '/api/v1/stripe/webhook', headers: headers(), body: filled(content, size) }),
    };
  }),
];

const INPUTS: readonly Input[] = [
  ...queries('/api/v1/version'),
  ...queries('/'),
  ...queries('/api/v1/stripe/webhook', 'POST'),
  ...headerInputs('/api/v1/version'),
  ...headerInputs('/login'),
  ...paths,
  ...bodies,
];

type Cost = { readonly processor: number; readonly held: number };

/** Milliseconds of one request: processor time of the process, and time on its event loop. */
async function costOf(client: Child, port: number, bytes: string): Promise<Cost> {
  const load: CostLoad = { port, bytes, times: TIMES };
  const [processor, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
  const result = await client.ask<CostResult>(load);
  const used = process.cpuUsage(processor);
  const { active } = performance.eventLoopUtilization(loop);
  if ('error' in result) throw new Error(`${bytes.slice(0, 60)}: ${result.error}`);
  if (result.status >= 500) throw new Error(`${bytes.slice(0, 60)} was answered ${result.status}.`);
  return { processor: (used.user + used.system) / 1_000 / TIMES, held: active / TIMES };
}

async function bestOf(measure: () => Promise<Cost>): Promise<Cost> {
  let best: Cost = { processor: Number.POSITIVE_INFINITY, held: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) {
    const { processor, held } = await measure();
    best = { processor: Math.min(best.processor, processor), held: Math.min(best.held, held) };
  }
  return best;
}

export const requestCost: Figure = {
  name: 'requestCost',
  async measure({ dir, say }) {
    const webDir = join(dir, 'web');
    mkdirSync(webDir);
    writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>App</title>');
    const product = await startProduct(dir, { payments: paymentsOf(PROVIDER), webDir });
    const client = startChild('http/costClient');
    try {
      const { token } = await product.user();
      const plainBytes = bytesOf({ target: '/api/v1/version' });
      for (let round = 0; round < 50; round += 1) await costOf(client, product.port, plainBytes);
      const plain = await bestOf(() => costOf(client, product.port, plainBytes));
      let step = { what: '', ratio: 0 };
      let longest = { what: '', held: 0 };
      for (const { what, limit, of } of INPUTS) {
        const costs: Cost[] = [];
        for (const share of STEPS) {
          const bytes = of(Math.floor(limit * share), token);
          costs.push(await bestOf(() => costOf(client, product.port, bytes)));
        }
        const ratio = Math.max(
          ...costs.slice(1).map(({ processor }, nth) => processor / (costs[nth]?.processor ?? processor)),
        );
        const held = costs.at(-1)?.held ?? 0;
        if (ratio > step.ratio) step = { what, ratio };
        if (held > longest.held) longest = { what, held };
        if (ratio > 1.8 || held > (PLAIN / 4) * plain.held)
          say(
            `${what}: ${costs.map(({ processor }) => milliseconds(processor)).join(', ')}; held ${milliseconds(held)}`,
          );
      }
      const held = longest.held / (PLAIN * plain.held);
      return [
        {
          what: `${INPUTS.length} inputs of a request, each doubled up to its limit: the worst step in processor time (${step.what})`,
          ours: `${step.ratio.toFixed(2)} ×`,
          limit: '2 ×',
          ratio: step.ratio / 2,
          goal: `≤ ${WORST_STEP} ×`,
          met: step.ratio <= WORST_STEP,
        },
        {
          what: `the same: one request at its limit on the event loop vs ${PLAIN} plain ones (${longest.what})`,
          ours: milliseconds(longest.held),
          limit: milliseconds(PLAIN * plain.held),
          ratio: held,
          goal: '≤ 1',
          met: held <= 1,
        },
      ];
    } finally {
      await client.stop();
      await product.close();
    }
  },
};
