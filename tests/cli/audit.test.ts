/** The command-line audit, run as a user runs it, on sites served on loopback. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normaliseSubmission } from '../../src/audit/crawl/url.ts';
import { parseFindings } from '../../src/audit/report/findingsFormat.ts';
import { NOT_JUDGED_TEXTS } from '../../src/model/scores.ts';
import { builtProgram } from '../given/product/processes.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { startAppSite } from '../servers/appSite.ts';
import { type SiteServer, startSite } from '../servers/siteServer.ts';
import { htmlPage, startTestSite } from '../servers/testSite.ts';

type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

const run = (...args: string[]): Promise<Ran> => runWith({}, ...args);

/** `env`: besides this process's environment. */
function runWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [builtProgram('audit'), ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
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
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  [broken, perfect] = await Promise.all([startSite('broken'), startSite('perfect')]);
});
afterAll(async () => {
  rmSync(dir, { recursive: true });
  await Promise.all([broken.close(), perfect.close()]);
});

const at = (name: string): string => join(dir, name);
const written = (name: string): string => readFileSync(at(name), 'utf8');

/** Audits that several tests look at: each runs once, for the first test that asks for it. */
const shared = {
  broken: once(() => {
    const files = [
      '--html',
      at('broken.html'),
      '--save',
      at('broken.json'),
      '--csv',
      at('broken.csv'),
      '--sarif',
      at('broken.sarif'),
    ];
    return runWith({ AUDIT_ALLOW_HOSTS: `other.example, ${broken.host}` }, `${broken.origin}/`, ...files);
  }),
  brokenAgain: once(async () => {
    await shared.broken();
    const options = ['--md', '--html', at('again.html'), '--compare', at('broken.json'), '--fail-on', 'high'];
    return run(`${broken.origin}/`, '--allow-host', broken.host, ...options);
  }),
  perfect: once(() =>
    run(`${perfect.origin}/`, '--allow-host', perfect.host, '--md', '--html', at('perfect.html'), '--fail-on', 'low'),
  ),
};

function once(audit: () => Promise<Ran>): () => Promise<Ran> {
  let ran: Promise<Ran> | undefined;
  return () => {
    ran ??= audit();
    return ran;
  };
}

test('prints a readable report, and nothing to stderr unless it is a terminal', async () => {
  const { code, out, err } = await shared.broken();
  expect(out).toContain(`SEO audit of ${broken.origin}/`);
  expect(out).toMatch(/Score \d+ of 100/);
  expect(out).toContain('LOW  Page has no title  [title-missing, 1 address]');
  expect(out).toContain('robots.txt line 2: "disalow" isn’t a directive crawlers know.');
  expect(err).toBe('');
  expect(code).toBe(0);
});

test('--fail-on sets the exit code by the highest impact found', async () => {
  expect((await shared.brokenAgain()).code).toBe(1);
  expect((await shared.perfect()).code).toBe(0);
});

test('--json prints the findings as JSON, --pages limits the crawl', async () => {
  const { out } = await run(`${perfect.origin}/`, '--allow-host', perfect.host, '--json', '--pages', '2');
  const found = JSON.parse(out);
  expect(found).toMatchObject({
    format: 'seo-audit-findings',
    version: 3,
    coverage: { stop: 'page_budget', pages: { html: 2 } },
  });
});

test('--md prints the report as Markdown', async () => {
  const { out } = await shared.perfect();
  expect(out).toMatch(/^# SEO audit of /);
  expect(out).toContain('No issues lower the score.');
});

test.each([
  [['not a url'], 'The address contains spaces or backslashes.'],
  [[], "missing required argument 'url'"],
  [['example.com', '--json', '--md'], "option '--json' cannot be used with option '--md'"],
  [['example.com', '--fail-on', 'everything'], 'Allowed choices are high, medium, low.'],
])('%j is refused with a clear message and exit code 2', async (args, text) => {
  const { code, out, err } = await run(...args);
  expect(err).toContain(text);
  expect(out).toBe('');
  expect(code).toBe(2);
});

test('an address that is not on the web is refused in the same way', () => {
  expect(normaliseSubmission('ftp://example.com')).toEqual({
    ok: false,
    reason: 'Only http and https addresses can be audited.',
  });
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

test('a site that is not scored says why in every form, with the exit code of no result', async () => {
  const site = await startTestSite({ '/': { status: 403, body: 'Forbidden' } });
  const files = ['--html', at('refused.html'), '--save', at('refused.json'), '--sarif', at('refused.sarif')];
  try {
    const { code, out, err } = await run(`${site.origin}/`, '--allow-host', site.host, ...files);
    expect([code, err]).toEqual([2, '']);
    expect(out).toContain(`Not scored. ${NOT_JUDGED_TEXTS.refused}`);
    for (const text of [out, written('refused.html')]) expect(text).not.toMatch(/of 100/);
    expect(written('refused.html')).toContain('Not scored');
    expect(parseFindings(written('refused.json'))).toMatchObject({ score: null, notJudged: 'refused', findings: [] });
    expect(JSON.parse(written('refused.sarif')).runs[0]).toMatchObject({
      results: [],
      properties: { score: null, notJudged: 'refused' },
    });
    const md = await run(`${site.origin}/`, '--allow-host', site.host, '--md');
    expect(md.out).toContain(`## Not scored\n\n${NOT_JUDGED_TEXTS.refused}`);
  } finally {
    await site.close();
  }
});

test('a site that shuts out every crawler has its robots.txt audited', async () => {
  const site = await startTestSite({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /', headers: { 'content-type': 'text/plain' } },
  });
  try {
    const { code, out } = await run(`${site.origin}/`, '--allow-host', site.host);
    expect(code).toBe(0);
    expect(out).toContain('Score 0 of 100');
    expect(out).toContain('HIGH  robots.txt blocks the whole site  [robots-blocks-all, 1 address]');
    expect(out).not.toContain('ai-search-bots-blocked');
  } finally {
    await site.close();
  }
});

test('AUDIT_ALLOW_HOSTS allows hosts just as --allow-host does', async () => {
  const { code, out } = await shared.broken();
  expect(out).toMatch(/Score \d+ of 100/);
  expect(code).toBe(0);
});

test('HTML and Markdown name the same things to do first, in one order and without hints', async () => {
  const { out } = await shared.brokenAgain();
  const first = /Fix first:<\/p><ol>([\s\S]*?)<\/ol>/.exec(written('again.html'))?.[1] ?? '';
  const titles = [...first.matchAll(/<strong>(.*?)<\/strong>/g)].map(([, title = '']) => title.replace(/ \(.*\)$/, ''));
  const matters = /### What matters most\n\n([\s\S]*?)\n\n/.exec(out)?.[1] ?? '';
  expect(titles).toEqual(
    [...matters.matchAll(/^- \*\*(.*?)\.?\*\*/gm)].map(([, title = '']) => title).slice(0, titles.length),
  );
  expect(titles).toHaveLength(5);
  await shared.perfect();
  expect(written('perfect.html')).not.toContain('Optional, about');
});

test('also writes HTML, JSON, CSV and SARIF, and compares with the saved run', async () => {
  expect(await shared.broken()).toMatchObject({ code: 0, err: '' });
  const saved = parseFindings(written('broken.json'));
  expect(saved.findings.length).toBeGreaterThan(10);
  expect(written('broken.html')).toMatch(/^<!doctype html>[\s\S]*Page has no title/);
  expect(written('broken.csv').split('\r\n')).toHaveLength(saved.findings.length + 2);
  expect(JSON.parse(written('broken.sarif')).runs[0].results).toHaveLength(saved.findings.length);
  expect((await shared.brokenAgain()).out).toContain(
    `0 new, 0 fixed, ${saved.findings.length} remaining, 0 not seen before, 0 not comparable.`,
  );
  expect(await run(`${broken.origin}/`, '--allow-host', broken.host, '--compare', at('broken.csv'))).toMatchObject({
    code: 2,
    err: `${at('broken.csv')}: This is not JSON.\n`,
  });
  // Files are written of an audit without pages, too, which takes less.
  expect((await run(`${perfect.origin}/`, '--html', at('no/such/r.html'))).err).toContain('cannot be written (ENOENT)');
});

test('rechecks single findings of a saved run, with an exit code that says whether they are still there', async () => {
  const file = at('findings.json');
  const site = await startTestSite({
    '/': htmlPage('home', '/tea'),
    '/tea': htmlPage(''),
    '/robots.txt': { body: '', headers: { 'content-type': 'text/plain' } },
  });
  const audit = (...args: string[]) => run(...args, '--allow-host', site.host);
  try {
    expect((await audit(`${site.origin}/`, '--save', file)).code).toBe(0);
    const finding = parseFindings(readFileSync(file, 'utf8')).findings.find(
      ({ checkId }) => checkId === 'title-missing',
    );
    const again = await audit('--verify', file, '--only', finding?.id ?? '');
    expect(again).toMatchObject({ code: 1, err: '' });
    expect(again.out).toContain('1 finding rechecked: 0 fixed, 1 still there, 0 not checked.');
    expect(again.out).toContain(`[title-missing, ${finding?.id}]\n    ${site.origin}/tea`);
    site.pages['/tea'] = htmlPage('Green tea from the hills of Uji');
    site.requests.length = 0;
    const fixed = await audit(`${site.origin}/`, '--verify', file, '--only', 'title-missing', '--json');
    expect(fixed.code).toBe(0);
    expect(JSON.parse(fixed.out)).toMatchObject({
      results: [{ state: 'fixed', because: null, now: null, finding: { id: finding?.id } }],
    });
    expect(site.requests.sort()).toEqual(['GET /robots.txt', 'GET /tea']);
    site.pages['/tea'] = { status: 404 };
    const gone = await audit('--verify', file, '--only', 'title-missing');
    expect(gone).toMatchObject({ code: 2, err: '' });
    expect(gone.out).toContain('The page now answers with status 404.');
    expect((await audit('--verify', file)).out).toMatch(
      /^\d+ findings rechecked: [\s\S]*\n {2}GET .*\/robots\.txt 200\n/,
    );
    for (const [args, text] of [
      [['--verify', file, '--only', 'no-such'], 'has no finding and no check with findings named "no-such"'],
      [['--verify', at('none.json')], 'it cannot be read (ENOENT)'],
      [['example.com', '--verify', file], `has the findings of ${site.host}, not of example.com`],
      [['--only', 'title-missing'], '--only belongs to --verify'],
      [['--verify', file, '--html', at('r.html')], "cannot be used with option '--html <file>'"],
    ] as const)
      expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) });
    expect(() => parseFindings(readFileSync(builtProgram('audit'), 'utf8'))).toThrow('This is not JSON.');
  } finally {
    await site.close();
  }
}, 120_000);

test('--folder, --include, --exclude and --sitemap-only audit a part, and a comparison says so', async () => {
  const site = await startTestSite({
    '/': htmlPage('home', '/blog/', '/shop'),
    '/blog/': htmlPage('blog', '/blog/a', '/blog/a?sort=x'),
    '/blog/a': htmlPage('a'),
    '/blog/a?sort=x': htmlPage('a, sorted'),
    '/shop': htmlPage('shop'),
  });
  const audit = (...args: string[]) => run(`${site.origin}/`, '--allow-host', site.host, ...args);
  try {
    await audit('--save', at('whole.json'));
    const part = await audit(
      '--folder',
      'blog',
      '--exclude',
      '*?sort=',
      '--pages',
      '40',
      '--save',
      at('part.json'),
      '--compare',
      at('whole.json'),
    );
    expect(part.out).toContain('Part of the site: /blog/ only, without *?sort=, 40 pages');
    expect(part.out).toContain('The scores cannot be compared: the audits cover different parts of the site.');
    const { coverage, pages } = parseFindings(written('part.json'));
    expect(coverage.settings).toEqual({ maxPages: 40, folder: '/blog/', exclude: ['*?sort='] });
    expect(pages.map(({ url }) => url.replace(site.origin, ''))).toEqual(['/', '/blog/', '/blog/a']);
    expect(parseFindings(written('whole.json')).coverage).not.toHaveProperty('settings');
    const listed = await audit('--sitemap-only', '--include', '/blog/*', '--md');
    expect(listed.out).toContain('No sitemap could be read, so only the home page was audited.');
    for (const [args, text] of [
      [['--folder', '/a?b'], 'Please enter a path such as /blog/'],
      [['--include', 'blog'], 'A pattern starts with / or *'],
      [['--verify', at('whole.json'), '--sitemap-only'], "cannot be used with option '--sitemap-only'"],
    ] as const)
      expect(await audit(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) });
  } finally {
    await site.close();
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
      expect(out).toContain('3 pages that need scripts were rendered in a browser.');
      expect(code).toBe(0);
    } finally {
      if (before === undefined) delete process.env.CHROMIUM_PATH;
      else process.env.CHROMIUM_PATH = before;
      await app.close();
    }
  },
  60_000,
);
