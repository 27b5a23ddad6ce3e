/** The terminal program, run as a user runs it, on sites served on loopback. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SiteServer, startSite } from './servers/siteServer.ts';

const PROGRAM = fileURLToPath(new URL('../src/auditCli.ts', import.meta.url));

function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    child.stdout.on('data', (part) => {
      out += part;
    });
    child.stderr.on('data', (part) => {
      err += part;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

let broken: SiteServer;
let perfect: SiteServer;
beforeAll(async () => {
  [broken, perfect] = await Promise.all([startSite('broken'), startSite('perfect')]);
});
afterAll(() => Promise.all([broken.close(), perfect.close()]));

test('prints a readable report, and nothing on stderr when that is no terminal', async () => {
  const { code, out, err } = await run(`${broken.origin}/`, '--allow-host', broken.host);
  expect(out).toContain(`SEO audit of ${broken.origin}/`);
  expect(out).toMatch(/Score \d+ of 100/);
  expect(out).toContain('HIGH  Page has no title  [title-missing, 1 address]');
  expect(out).toContain('robots.txt line 2: "disalow" is no directive that crawlers know.');
  expect(err).toBe('');
  expect(code).toBe(0);
});

test('--fail-on tells by the exit code whether something that bad was found', async () => {
  expect((await run(`${broken.origin}/`, '--allow-host', broken.host, '--fail-on', 'high')).code).toBe(1);
  expect((await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--fail-on', 'low')).code).toBe(0);
});

test('--json prints findings for machines, --pages bounds the crawl', async () => {
  const { out } = await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--json', '--pages', '2');
  const found = JSON.parse(out);
  expect(found).toMatchObject({ format: 'seo-audit-findings', version: 1, coverage: { stop: 'page_budget', pages: { html: 2 } } });
});

test('--md prints the report as markdown', async () => {
  const { out } = await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--md');
  expect(out).toMatch(/^# SEO audit of /);
  expect(out).toContain('Nothing was found that lowers the score.');
});

test.each([
  [['not a url'], 'The address contains spaces or backslashes.'],
  [['ftp://example.com'], 'Only http and https addresses can be audited.'],
  [[], "missing required argument 'url'"],
  [['example.com', '--json', '--md'], "option '--json' cannot be used with option '--md'"],
  [['example.com', '--fail-on', 'everything'], 'Allowed choices are high, medium, low.'],
])('%j is refused with a clear text and exit code 2', async (args, text) => {
  const { code, out, err } = await run(...args);
  expect(err).toContain(text);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('a private address is not fetched unless it is allowed, and an audit of nothing is no success', async () => {
  const { code, out, err } = await run(`${broken.origin}/`);
  expect(out).toBe('');
  expect(err).toMatch(/^No page could be audited: /);
  expect(err).toContain(`8443 are; allow it with \`--allow-host ${broken.host}\`\n`);
  expect(code).toBe(2);
});

test('an audit of nothing has no score, for machines and in markdown too', async () => {
  const [json, md] = await Promise.all([run(`${broken.origin}/`, '--json'), run(`${broken.origin}/`, '--md')]);
  const found = JSON.parse(json.out);
  expect(found.score).toBeNull();
  expect(found.coverage.text).toBe(`No HTML page of ${broken.host} could be audited.`);
  expect(found.findings.map((finding: { checkId: string }) => finding.checkId)).not.toContain('https-missing');
  expect(md.out).toContain('## Score: not scored');
  expect(md.out).not.toMatch(/of 100|every page/);
});

test('AUDIT_ALLOW_HOSTS allows hosts as --allow-host does', async () => {
  process.env.AUDIT_ALLOW_HOSTS = `other.example, ${perfect.host}`;
  try {
    const { code, out } = await run(`${perfect.origin}/`);
    expect(out).toMatch(/Score \d+ of 100/);
    expect(code).toBe(0);
  } finally {
    delete process.env.AUDIT_ALLOW_HOSTS;
  }
});
