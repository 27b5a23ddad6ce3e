/** An assistant without a server: the product runs in the program that the client starts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf } from '../given/product/assistant.ts';
import { ownFolder } from '../given/product/processes.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RUN = ['scripts/run.mjs', 'mcp', '--local'];
const page = (head: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}</head><body><main><h1>Tea</h1></main></body></html>`;

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite({ '/': page('') });
});
afterAll(() => site.close());

async function local(folder: string) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const args = [...RUN, '--data-dir', folder, '--allow-host', site.host];
  const env = { PATH: process.env.PATH ?? '' };
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: root, env, stderr: 'ignore' });
  await client.connect(transport);
  return { ...assistantOf(client), pid: transport.pid };
}

it('goes the whole way, keeps what it has, and shares its folder with nobody', { timeout: 120_000 }, async () => {
  const folder = ownFolder();
  const first = await local(folder);
  const { tools } = await first.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('share_report');
  expect(tools).toHaveLength(12);
  const { audit_id } = await first.call('audit_site', { url: site.origin });
  let audit = await first.call('get_audit', { audit_id, wait_seconds: 25 });
  for (let time = 0; time < 3 && !audit.done; time += 1)
    audit = await first.call('get_audit', { audit_id, wait_seconds: 25 });
  expect(audit).toMatchObject({ done: true, status: 'completed' });
  const { tasks } = await first.call('list_tasks', { audit_id });
  expect(tasks.map(({ task_id }: { task_id: string }) => task_id)).toContain('title-missing');
  expect(await first.call('get_fix', { task_id: 'title-missing', audit_id })).toMatchObject({ places_total: 1 });
  site.pages['/'] = page('<title>Tea from Assam, first flush</title>');
  expect(await first.call('verify_fix', { task_id: 'title-missing', audit_id })).toMatchObject({ outcome: 'fixed' });

  const second = spawn(process.execPath, [...RUN, '--data-dir', folder], {
    cwd: root,
    env: { PATH: process.env.PATH },
  });
  const [output, errors] = [[] as string[], [] as string[]];
  second.stdout.on('data', (text: Buffer) => output.push(text.toString()));
  second.stderr.on('data', (text: Buffer) => errors.push(text.toString()));
  const [code] = await once(second, 'close');
  expect([code, output]).toEqual([1, []]);
  expect(errors.join('')).toContain(folder);

  await first.close();
  const again = await local(folder);
  expect(await again.call('list_audits')).toMatchObject({ audits: [{ audit_id }] });
  await again.close();
});
