/** Whole audits of hostile pages, in a process of their own: each ends with a reason, in time, and leaks nothing. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundled } from '../../given/bundled.ts';
import { FULL, some } from '../../given/fullForm.ts';
import { BUILT_PARSER } from '../../given/product/processes.ts';
import { HOSTILE_PAGES } from '../../servers/hostilePages.ts';
import { HOSTILE_PATHS, type HostileServer, startHostileServer } from '../../servers/hostileServer.ts';
import type { HostileOutcome } from './hostileChild.ts';

/** Take a parser seconds: in the full form. */
const SLOWEST = ['fonts of many kinds that cross', 'a million links'];
const NAMES = some(Object.keys(HOSTILE_PAGES), 2).filter((name) => FULL || !SLOWEST.includes(name));
const GOOD = '<!doctype html><html lang="en"><title>A good page</title><h1>Good</h1><p>All is well.</p></html>';

const server = createServer((request, response) => {
  const path = decodeURIComponent((request.url ?? '/').slice(1));
  const made = path === 'good' ? () => GOOD : HOSTILE_PAGES[path];
  response.writeHead(made ? 200 : 404, { 'content-type': 'text/html', connection: 'close' });
  response.on('error', () => undefined);
  response.end(request.method === 'HEAD' ? undefined : made?.());
});

type Run = { readonly outcomes: readonly HostileOutcome[]; readonly exitCode: number | null; readonly stderr: string };

/** Audits the addresses in one process; `requestMs` is the limit of a request. */
async function auditAll(urls: readonly string[], requestMs: number): Promise<Run> {
  const outcomes: HostileOutcome[] = [];
  let stderr = '';
  let exitCode: number | null = null;
  const entry = bundled(fileURLToPath(new URL('./hostileChild.ts', import.meta.url)));
  const child = spawn(
    process.execPath,
    ['--expose-gc', entry, JSON.stringify(urls), String(requestMs), BUILT_PARSER.href],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<void>((resolve) =>
    child.once('close', (code) => {
      exitCode = code;
      resolve();
    }),
  );
  for await (const line of createInterface({ input: child.stdout })) {
    outcomes.push(JSON.parse(line) as HostileOutcome);
  }
  await ended;
  return { outcomes, exitCode, stderr };
}

/** The heaviest again: their memory is not held twice. */
const AGAIN = [
  '100,000 links in each other',
  'NUL bytes',
  ...(FULL
    ? ['one line of 50 MB', 'a million links', '50,000 images', 'a graph of 50,000 nodes', 'a million links']
    : []),
];

describe('H14, H15: pages designed to break parsers', () => {
  const order = [
    'good',
    ...NAMES.flatMap((name, index) => (index % 8 === 7 ? [name, 'good'] : [name])),
    'good',
    ...AGAIN,
    'good',
  ];
  let run: Run;
  const outcomesOf = (name: string): HostileOutcome[] =>
    run.outcomes.filter(({ url }) => decodeURIComponent(new URL(url).pathname.slice(1)) === name);

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    run = await auditAll(
      order.map((name) => `${origin}/${encodeURIComponent(name)}`),
      10_000,
    );
  }, 900_000);

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  test('are all audited by one process that never crashes', () => {
    expect(run).toMatchObject({ stderr: '', exitCode: 0, outcomes: { length: order.length } });
    expect(NAMES.length).toBeGreaterThan(FULL ? 60 : 30);
  });

  test.each(NAMES)('%s: ends in time, with facts or with a reason', (name) => {
    for (const { ms, hasFacts, status, failure, message, errors, factsBytes, stop } of outcomesOf(name)) {
      expect(status).toBe(200);
      expect(failure).toBeNull();
      if (!hasFacts) expect(message).toMatch(/^[A-Z].+\.$/);
      expect(errors).toEqual([]);
      expect(factsBytes).toBeLessThan(1_500_000);
      expect(['complete', 'page_budget', 'time_budget']).toContain(stop);
      expect(ms).toBeLessThan(60_000);
    }
  });

  test('the next audit is correct, each time', () => {
    for (const { hasFacts, message, stop } of outcomesOf('good'))
      expect({ hasFacts, message, stop }).toEqual({ hasFacts: true, message: null, stop: 'complete' });
  });

  test('nothing is leaked, and memory does not grow', () => {
    const good = outcomesOf('good');
    const [first, ...later] = good.map(({ heldMb }) => heldMb);
    for (const heldMb of later) expect(heldMb - (first ?? 0)).toBeLessThan(40);
    // When a process returns memory to the system is up to it; it must not keep growing.
    const [start, end] = [good[0], good.at(-1)].map((outcome) => outcome?.rssMb ?? 0) as [number, number];
    expect(end - start).toBeLessThan(450);
    expect(Math.max(...run.outcomes.map(({ rssMb }) => rssMb))).toBeLessThan(1100);
  });
});

describe('hostile servers', () => {
  let hostile: HostileServer;
  let run: Run;

  beforeAll(async () => {
    hostile = await startHostileServer();
    run = await auditAll(
      ['/ok', ...HOSTILE_PATHS.flatMap((path) => [path, '/ok'])].map((path) => hostile.origin + path),
      1000,
    );
  }, 900_000);
  afterAll(() => hostile.close());

  test('are all audited by one process that never crashes', () => {
    expect(run).toMatchObject({ stderr: '', exitCode: 0, outcomes: { length: 2 * HOSTILE_PATHS.length + 1 } });
  });

  test.each(HOSTILE_PATHS)(
    '%s: ends in time, with facts, with a status or with a reason, and the next audit is fine',
    (path) => {
      const at = run.outcomes.findIndex(({ url }) => url === hostile.origin + path);
      const { ms, hasFacts, status, message, errors } = run.outcomes[at] ?? ({} as HostileOutcome);
      if (!hasFacts && (status === null || status === 200)) expect(message).toMatch(/^[A-Z].+\.$/);
      expect(errors).toEqual([]);
      expect(ms).toBeLessThan(35_000);
      expect(run.outcomes[at + 1]).toMatchObject({
        url: `${hostile.origin}/ok`,
        hasFacts: true,
        status: 200,
        message: null,
        stop: 'complete',
      });
    },
  );

  test('nothing is leaked, and memory does not grow', () => {
    const held = run.outcomes.filter(({ url }) => url.endsWith('/ok')).map(({ heldMb }) => heldMb);
    for (const heldMb of held) expect(heldMb - (held[0] ?? 0)).toBeLessThan(40);
    expect(Math.max(...run.outcomes.map(({ rssMb }) => rssMb))).toBeLessThan(600);
  });
});
