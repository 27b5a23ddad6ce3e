/** The command-line audit, run as a user runs it, on sites served on loopback. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseFindings } from '../../src/audit/report/findingsFormat.ts';
import { builtProgram } from '../given/product/processes.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { startAppSite } from '../servers/appSite.ts';
import { type SiteServer, startSite } from '../servers/siteServer.ts';
import { htmlPage, startTestSite } from '../servers/testSite.ts';

function run(...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [builtProgram('audit'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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

test('prints a readable report, and nothing to stderr unless it is a terminal', async () => {
  const { code, out, err } = await run(`${broken.origin}/`, '--allow-host', broken.host);
  expect(out).toContain(`SEO audit of ${broken.origin}/`);
  expect(out).toMatch(/Score \d+ of 100/);
  expect(out).toContain('HIGH  Page has no title  [title-missing, 1 address]');
  expect(out).toContain('robots.txt line 2: "disalow" isn’t a directive crawlers know.');
  expect(err).toBe('');
  expect(code).toBe(0);
});

test('--fail-on sets the exit code by the highest impact found', async () => {
  expect((await run(`${broken.origin}/`, '--allow-host', broken.host, '--fail-on', 'high')).code).toBe(1);
  expect((await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--fail-on', 'low')).code).toBe(0);
});

test('--json prints the findings as JSON, --pages limits the crawl', async () => {
  const { out } = await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--json', '--pages', '2');
  const found = JSON.parse(out);
  expect(found).toMatchObject({ format: 'seo-audit-findings', version: 2, coverage: { stop: 'page_budget', pages: { html: 2 } } });
});

test('--md prints the report as Markdown', async () => {
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
])('%j is refused with a clear message and exit code 2', async (args, text) => {
  const { code, out, err } = await run(...args);
  expect(err).toContain(text);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('a private address is not fetched unless it is allowed, and an audit without pages fails', async () => {
  const { code, out, err } = await run(`${broken.origin}/`);
  expect(out).toBe('');
  expect(err).toMatch(/^No page could be audited: /);
  expect(err).toContain(`or 8443; allow it with \`--allow-host ${broken.host}\`\n`);
  expect(code).toBe(2);
});

test('an audit without pages has no score in JSON or Markdown', async () => {
  const [json, md] = await Promise.all([run(`${broken.origin}/`, '--json'), run(`${broken.origin}/`, '--md')]);
  const found = JSON.parse(json.out);
  expect(found.score).toBeNull();
  expect(found.coverage.text).toBe(`No HTML page of ${broken.host} could be audited.`);
  expect(found.findings.map((finding: { checkId: string }) => finding.checkId)).not.toContain('https-missing');
  expect(md.out).toContain('## Score: not scored');
  expect(md.out).not.toMatch(/of 100|every page/);
});

test('AUDIT_ALLOW_HOSTS allows hosts just as --allow-host does', async () => {
  process.env.AUDIT_ALLOW_HOSTS = `other.example, ${perfect.host}`;
  try {
    const { code, out } = await run(`${perfect.origin}/`);
    expect(out).toMatch(/Score \d+ of 100/);
    expect(code).toBe(0);
  } finally {
    delete process.env.AUDIT_ALLOW_HOSTS;
  }
});

test('HTML and Markdown name the same things to do first, in one order and without hints', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  const file = join(dir, 'r.html');
  const { out } = await run(`${broken.origin}/`, '--allow-host', broken.host, '--md', '--html', file);
  const first = /Fix these first:<\/p><ol>([\s\S]*?)<\/ol>/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const titles = [...first.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, title = '']) => title.replace(/ \(.*\)$/, ''));
  const matters = /### What matters most\n\n([\s\S]*?)\n\n/.exec(out)?.[1] ?? '';
  expect(titles).toEqual([...matters.matchAll(/^- \*\*(.*?)\.?\*\*/gm)].map(([, title = '']) => title).slice(0, titles.length));
  expect(titles).toHaveLength(5);
  await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--html', file);
  expect(readFileSync(file, 'utf8')).not.toContain('costs no points, for');
  rmSync(dir, { recursive: true });
});

test('also writes HTML, JSON, CSV and SARIF, and compares with the saved run', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  const at = (name: string) => join(dir, name);
  const first = await run(
    `${broken.origin}/`,
    '--allow-host',
    broken.host,
    '--html',
    at('r.html'),
    '--save',
    at('r.json'),
    '--csv',
    at('r.csv'),
    '--sarif',
    at('r.sarif'),
  );
  expect(first).toMatchObject({ code: 0, err: '' });
  const saved = parseFindings(readFileSync(at('r.json'), 'utf8'));
  expect(saved.findings.length).toBeGreaterThan(10);
  expect(readFileSync(at('r.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*Page has no title/);
  expect(readFileSync(at('r.csv'), 'utf8').split('\r\n')).toHaveLength(saved.findings.length + 2);
  expect(JSON.parse(readFileSync(at('r.sarif'), 'utf8')).runs[0].results).toHaveLength(saved.findings.length);
  const again = await run(`${broken.origin}/`, '--allow-host', broken.host, '--compare', at('r.json'));
  expect(again.out).toContain(`0 new, 0 fixed, ${saved.findings.length} remaining, 0 not seen before, 0 not comparable.`);
  expect(await run(`${broken.origin}/`, '--allow-host', broken.host, '--compare', at('r.csv'))).toMatchObject({
    code: 2,
    err: `${at('r.csv')}: This is not JSON.\n`,
  });
  expect((await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--html', at('no/such/r.html'))).err).toContain('cannot be written (ENOENT)');
  rmSync(dir, { recursive: true });
});

test('rechecks single findings of a saved run, with an exit code that says whether they are still there', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  const file = join(dir, 'findings.json');
  const site = await startTestSite({
    '/': htmlPage('home', '/tea'),
    '/tea': htmlPage(''),
    '/robots.txt': { body: '', headers: { 'content-type': 'text/plain' } },
  });
  const audit = (...args: string[]) => run(...args, '--allow-host', site.host);
  try {
    expect((await audit(`${site.origin}/`, '--save', file)).code).toBe(0);
    const finding = parseFindings(readFileSync(file, 'utf8')).findings.find(({ checkId }) => checkId === 'title-missing');
    const again = await audit('--verify', file, '--only', finding?.id ?? '');
    expect(again).toMatchObject({ code: 1, err: '' });
    expect(again.out).toContain('1 finding looked at again: 0 fixed, 1 still there, 0 not checked.');
    expect(again.out).toContain(`[title-missing, ${finding?.id}]\n    ${site.origin}/tea`);
    site.pages['/tea'] = htmlPage('Green tea from the hills of Uji');
    site.requests.length = 0;
    const fixed = await audit(`${site.origin}/`, '--verify', file, '--only', 'title-missing', '--json');
    expect(fixed.code).toBe(0);
    expect(JSON.parse(fixed.out)).toMatchObject({ results: [{ state: 'fixed', because: null, now: null, finding: { id: finding?.id } }] });
    expect(site.requests.sort()).toEqual(['GET /robots.txt', 'GET /tea']);
    site.pages['/tea'] = { status: 404 };
    const gone = await audit('--verify', file, '--only', 'title-missing');
    expect(gone).toMatchObject({ code: 2, err: '' });
    expect(gone.out).toContain('The page now answers with status 404.');
    expect((await audit('--verify', file)).out).toMatch(/^\d+ findings looked at again: [\s\S]*\n {2}GET .*\/robots\.txt 200\n/);
    for (const [args, text] of [
      [['--verify', file, '--only', 'no-such'], 'has no finding and no check with findings named "no-such"'],
      [['--verify', builtProgram('audit')], 'This is not JSON.'],
      [['--verify', join(dir, 'none.json')], 'it cannot be read (ENOENT)'],
      [['example.com', '--verify', file], `has the findings of ${site.host}, not of example.com`],
      [['--only', 'title-missing'], '--only belongs to --verify'],
      [['--verify', file, '--html', join(dir, 'r.html')], "cannot be used with option '--html <file>'"],
    ] as const)
      expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) });
  } finally {
    await site.close();
    rmSync(dir, { recursive: true });
  }
}, 120_000);

test.runIf(available('Chromium', CHROMIUM))(
  '--render reads pages as a browser renders them',
  async () => {
    const app = await startAppSite();
    const before = process.env.CHROMIUM_PATH;
    try {
      delete process.env.CHROMIUM_PATH;
      expect(await run(`${app.origin}/`, '--render', '--allow-host', app.host)).toMatchObject({
        code: 2,
        err: '--render needs CHROMIUM_PATH: the path of a Chromium or Chrome.\n',
      });
      process.env.CHROMIUM_PATH = CHROMIUM;
      const { code, out, err } = await run(`${app.origin}/`, '--render', '--allow-host', app.host);
      expect(err).toBe('');
      expect(out).toContain('3 pages filled by scripts were read as a browser shows them.');
      expect(code).toBe(0);
    } finally {
      if (before === undefined) delete process.env.CHROMIUM_PATH;
      else process.env.CHROMIUM_PATH = before;
      await app.close();
    }
  },
  60_000,
);
