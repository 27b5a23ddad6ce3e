/** An assistant on this machine, over stdin and stdout, as the documentation says: by the address of an installation. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAnalysis } from '../given/analysis.ts';
import { assistantOf, ERAS, keyOf } from '../given/product/assistant.ts';
import { startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { ownFolder } from '../given/product/processes.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RUN = ['scripts/run.mjs', 'mcp'];

let app: TestApp;
let user: TestUser;
beforeAll(async () => {
  app = await startTestApp({ config: { freeAnalysesPerMonth: 1000 } });
  user = await app.signUp();
});
afterAll(() => app.close());

describe.each(ERAS)('an assistant of the %s era on this machine', (era) => {
  it('has the same tools and answers as over HTTP', async () => {
    const { jobId: audit_id } = await givenAnalysis(app, user.userId);
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
    );
    const env = { PATH: process.env.PATH ?? '', SEO_API_KEY: await keyOf(user) };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [...RUN, '--url', app.url],
        cwd: root,
        env,
        stderr: 'ignore',
      }),
    );
    const { call, refused, close } = assistantOf(client);
    expect((await client.listTools()).tools).toHaveLength(13);
    expect(await call('get_audit', { audit_id })).toMatchObject({ done: true, score: 71 });
    expect(await call('update_task', { audit_id, task_id: 'first', status: 'in-progress' })).toMatchObject({
      task: { status: 'in-progress' },
    });
    expect(await refused('get_audit', { audit_id: 'nothing' })).toMatchObject({ code: 'JOB_NOT_FOUND' });
    expect(await refused('audit_site', { url: 'example.com' })).toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    await close();
  });
});

/** What it writes, to its end. */
async function run(args: readonly string[], input: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [...RUN, ...args], { cwd: root, env: { PATH: process.env.PATH, ...env } });
  const [output, errors]: string[][] = [[], []];
  child.stdout.on('data', (text: Buffer) => output?.push(text.toString()));
  child.stderr.on('data', (text: Buffer) => errors?.push(text.toString()));
  child.stdin.write(input);
  return {
    child,
    output: () => (output ?? []).join(''),
    errors: () => (errors ?? []).join(''),
  };
}

describe('the documentation', () => {
  const [http, stdio, local] = [
    ...readFileSync(join(root, 'docs/integrations.md'), 'utf8').matchAll(/```json\n(.*?)```/gs),
  ].map(([, text = '']) => text);
  /** As written, with the address and the key of the reader. */
  const entryIn = (text: string | undefined, key: string) =>
    JSON.parse((text ?? '').replace('https://seo.example.com', app.url).replace('seo_YOUR_KEY', key)).mcpServers.seo;

  it('connects over HTTP', async () => {
    const { url, headers } = entryIn(http, await keyOf(user));
    const client = new Client({ name: 'test', version: '1' }, {});
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    expect(await assistantOf(client).call('list_audits')).toMatchObject({ truncated: false });
    await client.close();
  });

  it.each([
    ['over stdin and stdout', () => stdio],
    ['without a server', () => local],
  ])('connects %s', async (_, text) => {
    const { command, args, env } = entryIn(text(), await keyOf(user));
    const client = new Client({ name: 'test', version: '1' }, {});
    const own = { ...env, PATH: process.env.PATH ?? '', HOME: ownFolder() };
    await client.connect(new StdioClientTransport({ command, args, env: own, cwd: root, stderr: 'ignore' }));
    expect(await assistantOf(client).call('list_audits')).toMatchObject({ truncated: false });
    await client.close();
  });
});

describe('the program', () => {
  it('writes nothing but messages to stdout', async () => {
    const messages = [
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ];
    const { child, output } = await run(
      ['--url', app.url],
      messages.map((each) => `${JSON.stringify(each)}\n`).join(''),
      {
        SEO_API_KEY: 'seo_any',
      },
    );
    while (!output().includes('"id":2')) await once(child.stdout, 'data');
    child.stdin.end();
    await once(child, 'close');
    const lines = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 1],
      ['2.0', 2],
    ]);
  });

  it.each([
    [['--url', 'nowhere'], { SEO_API_KEY: 'x' }, 'no web address'],
    [['--url', 'https://example.com'], {}, 'SEO_API_KEY'],
    [[], {}, '--url'],
  ] as const)('says on stderr what it lacks: %j', async (args, env, text) => {
    const { child, output, errors } = await run(args, '', env);
    const [code] = await once(child, 'close');
    expect([code, output()]).toEqual([1, '']);
    expect(errors()).toContain(text);
  });

  it('tells the assistant when the installation does not answer', async () => {
    const client = new Client({ name: 'test', version: '1' }, {});
    const env = { PATH: process.env.PATH ?? '', SEO_API_KEY: 'seo_any' };
    const args = [...RUN, '--url', 'http://127.0.0.1:9'];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: root, env, stderr: 'ignore' }),
    );
    expect(await assistantOf(client).refused('list_audits')).toMatchObject({ code: 'UNREACHABLE' });
    await client.close();
  }, 30_000);
});
