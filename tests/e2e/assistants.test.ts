/** Assistants get the same whichever way they come: over HTTP, by a program on their machine, and without a server. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp } from '../given/product/apiClient.ts';
import { type Assistant, assistantOf, connect } from '../given/product/assistant.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { ownFolder } from '../given/product/processes.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = (head: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main><h1>Tea</h1></main></body></html>`;

const data = temporaryData();
let site: TestSite;
let server: BuiltServer;
beforeAll(async () => {
  site = await startTestSite({});
  server = await startBuiltServer(data.dir, { BILLING: 'off', DEMO: 'false', AUDIT_ALLOW_HOSTS: site.host });
}, 60_000);
afterAll(async () => {
  await server.stop();
  await site.close();
  data.remove();
});

/** Of an account of its own: nobody sees an audit before. */
async function newKey(email: string): Promise<string> {
  const user = await signUp(server.url, email);
  const named = { name: 'Assistant', scope: 'write' };
  return (await user.call<{ key: string }>('POST', '/api/v1/api-keys', named)).body.key;
}

async function overStdio(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const own = { PATH: process.env.PATH ?? '', ...env };
  const started = { command: process.execPath, args: ['scripts/run.mjs', 'mcp', ...args], cwd: root, env: own };
  await client.connect(new StdioClientTransport({ ...started, stderr: 'ignore' }));
  return assistantOf(client);
}

/** From an audit to a fix that is proved: what each call answers, without ids and times. */
async function wholeWay({ call }: Assistant): Promise<readonly unknown[]> {
  site.pages['/'] = page('');
  const started = await call('audit_site', { url: site.origin });
  const { audit_id } = started;
  let audit = await call('get_audit', { audit_id, wait_seconds: 25 });
  for (let waited = 1; waited < 4 && !audit.done; waited += 1)
    audit = await call('get_audit', { audit_id, wait_seconds: 25 });
  const answers = [audit];
  const next = async (tool: string, args: object): Promise<void> => {
    answers.push(await call(tool, { audit_id, ...args }));
  };
  await next('list_findings', { detail: 'full' });
  await next('list_findings', { check: 'title-missing' });
  await next('query_pages', {});
  await next('list_tasks', {});
  await next('get_fix', { task_id: 'title-missing', detail: 'full' });
  await next('verify_fix', { task_id: 'title-missing', wait_seconds: 25 });
  site.pages['/'] = page('<title>Tea from Assam, first flush</title>');
  await next('verify_fix', { task_id: 'title-missing', wait_seconds: 25 });
  await next('list_tasks', { status: 'completed' });
  const without = JSON.stringify(answers)
    .replaceAll(audit_id, 'AUDIT')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return JSON.parse(without);
}

it('go the whole way', { timeout: 240_000 }, async () => {
  const ways = [
    () => newKey('http@example.com').then((key) => connect(server, key)),
    () => newKey('stdio@example.com').then((key) => overStdio(['--url', server.url], { SEO_API_KEY: key })),
    () => overStdio(['--local', '--data-dir', ownFolder(), '--allow-host', site.host]),
  ];
  const all: (readonly unknown[])[] = [];
  for (const way of ways) {
    const assistant = await way();
    all.push(await wholeWay(assistant));
    await assistant.close();
  }
  const [http, stdio, local] = all;
  expect(http?.[0]).toMatchObject({ done: true, status: 'completed' });
  expect(http?.slice(-3)).toMatchObject([
    { done: true, outcome: 'still_failing', completed: false },
    { done: true, outcome: 'fixed', completed: true },
    { tasks: [{ task_id: 'title-missing', verified: 'fixed' }] },
  ]);
  expect(stdio).toEqual(http);
  expect(local).toEqual(http);
});
