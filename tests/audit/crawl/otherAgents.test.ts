/** Pages as phones and Googlebot get them: asked for last, few, and judged by what Google would see. */
import { afterEach, describe, expect, test } from 'vitest';
import { type AuditResult, audit } from '../../../src/audit/audit.ts';
import type { CrawlOptions } from '../../../src/audit/crawl/crawlEnv.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { words } from '../../given/audit/page.ts';
import { startTestSite, type TestPage } from '../../servers/testSite.ts';
import { crawlEnv } from './crawlEnv.ts';

const OPTIONS = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4, askAsOthers: true } as const;
const OWN_NAME = 'TestBot/1.0';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Agent = 'phone' | 'googlebot' | 'audit';
type Answer = Exclude<TestPage, string | ((...given: never) => void)>;
type Asked = { readonly agent: Agent; readonly name: string; readonly path: string };

const agentOf = (name: string): Agent =>
  name.includes('Googlebot') ? 'googlebot' : name.includes('Mobile') ? 'phone' : 'audit';

const NAMES = ['one', 'two', 'three'];
const PATHS = ['/', ...['tea', 'blog', 'help'].flatMap((folder) => NAMES.map((name) => `/${folder}/${name}`))];
const SCHEMA =
  '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"x"}</script>';

function html(
  path: string,
  { text = words(300, path.split('/').at(-1) || 'start'), head = '', links = PATHS as readonly string[] } = {},
): string {
  const tags = { blog: 'article', help: 'section', tea: 'table' }[path.split('/')[1] ?? ''] ?? 'div';
  const anchors = links.map((link) => `<a href="${link}">go to ${link}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><title>Page ${path} about tea</title>${SCHEMA}${head}</head><body><nav>${anchors}</nav><main><h1>${path}</h1><${tags} class="${tags}-body"><p>${text}</p></${tags}></main></body></html>`;
}

/** A site that answers each agent in its own way. */
async function audited(
  answer: (agent: Agent, path: string) => Answer,
  options: Partial<CrawlOptions> = {},
  robots = '',
): Promise<AuditResult & { readonly asked: readonly Asked[]; readonly found: readonly string[] }> {
  const asked: Asked[] = [];
  const pages: Record<string, TestPage> = {
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: robots },
  };
  for (const path of PATHS)
    pages[path] = (request, response) => {
      const name = request.headers['user-agent'] ?? '';
      const agent = agentOf(name);
      asked.push({ agent, name, path });
      const { status = 200, headers = {}, body = '' } = answer(agent, path);
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
    };
  const site = await startTestSite(pages);
  const fetcher = createFetcher({ allowHosts: [site.host], userAgent: OWN_NAME });
  closers.push(site.close, fetcher.close);
  const result = await audit(
    `${site.origin}/`,
    { ...OPTIONS, ...options },
    {
      ...crawlEnv(fetcher),
      userAgent: OWN_NAME,
    },
  );
  const ids = ['googlebot-refused', 'noindex-by-agent', 'phone-'];
  const found = result.findings.map(({ checkId }) => checkId).filter((id) => ids.some((each) => id.startsWith(each)));
  return { ...result, asked, found };
}

const same = (_: Agent, path: string): Answer => ({ body: html(path) });
const only =
  (whom: Agent, other: (path: string) => Answer) =>
  (agent: Agent, path: string): Answer =>
    agent === whom ? other(path) : { body: html(path) };
const stateOf = ({ outcomes }: AuditResult, id: string) => outcomes.find(({ checkId }) => checkId === id)?.state;

describe('what is asked for', () => {
  test('is a page each of three templates, twice, after everything else, with our own name', async () => {
    const { asked, found, crawl } = await audited(same);
    const others = asked.slice(-6);
    expect(asked.slice(0, -6).every(({ agent }) => agent === 'audit')).toBe(true);
    expect(others.map(({ agent }) => agent)).toEqual([...Array(3).fill('phone'), ...Array(3).fill('googlebot')]);
    expect(others.slice(3).map(({ path }) => path)).toEqual(others.slice(0, 3).map(({ path }) => path));
    expect(others[0]?.path).toBe('/');
    expect(new Set(others.map(({ path }) => path.split('/')[1])).size).toBe(3);
    expect(others.every(({ name }) => name.endsWith(OWN_NAME))).toBe(true);
    expect(others[3]?.name).toContain('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)');
    expect(crawl.agentAnswers).toHaveLength(6);
    expect(found).toEqual([]);
  });

  test('is nothing when the setting turns it off', async () => {
    const { asked, crawl } = await audited(same, { askAsOthers: false });
    expect(asked.every(({ agent }) => agent === 'audit')).toBe(true);
    expect(crawl.agentAnswers).toBeUndefined();
  });

  test.each([
    ['Googlebot', 'User-agent: Googlebot\nDisallow: /'],
    ['a phone’s page to Googlebot', 'User-agent: Googlebot\nDisallow: /*\nUser-agent: TestBot\nAllow: /'],
  ])('is nothing that robots.txt forbids: %s', async (_, robots) => {
    const { asked } = await audited(same, {}, robots);
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.every(({ agent }) => agent === 'audit')).toBe(true);
  });

  test('is another page of a template of which robots.txt forbids one to Googlebot', async () => {
    const { asked } = await audited(same, {}, 'User-agent: Googlebot\nDisallow: /*/one');
    const others = asked.filter(({ agent }) => agent !== 'audit').map(({ path }) => path);
    expect(others).toHaveLength(6);
    expect(others.some((path) => path.endsWith('/one'))).toBe(false);
  });
});

describe('what is found', () => {
  test('a server that refuses the name Googlebot: high, without points, once, and not asked again', async () => {
    const plain = await audited(same);
    const result = await audited(only('googlebot', () => ({ status: 403 })));
    expect(result.found).toEqual(['googlebot-refused']);
    expect(result.findings.find(({ checkId }) => checkId === 'googlebot-refused')?.impact).toBe('high');
    expect(result.score?.value).toBe(plain.score?.value);
    expect(result.asked.filter(({ agent }) => agent === 'googlebot')).toHaveLength(1);
  });

  test.each([
    ['phone', 'header', { 'x-robots-tag': 'noindex' }, ''],
    ['phone', 'meta', {}, '<meta name="robots" content="noindex">'],
    ['googlebot', 'header', { 'x-robots-tag': 'noindex' }, ''],
    ['googlebot', 'meta', {}, '<meta name="googlebot" content="noindex">'],
  ] as const)('a noindex to %s in a %s closes all pages of these templates', async (agent, _, headers, head) => {
    const result = await audited(only(agent, (path) => ({ headers, body: html(path, { head }) })));
    // The start page, and two of the three folders.
    expect(result.found).toEqual(Array(7).fill('noindex-by-agent'));
    const [first] = result.score?.deductions ?? [];
    expect(first).toMatchObject({ checkId: 'noindex-by-agent', gate: true, failed: 7 });
    expect(result.score?.limits[0]?.reason).toContain('Google may not list the home page and 6 of the 9');
  });

  test('one sentence to phones counts as missing text on all pages of these templates', async () => {
    const result = await audited(only('phone', () => ({ body: '<p>Please use our app.</p>' })));
    expect(result.found).toEqual(Array(7).fill('phone-text-missing'));
    const [plain, deduction] = [
      await audited(same),
      result.score?.deductions.find(({ checkId }) => checkId === 'phone-text-missing'),
    ];
    expect(deduction).toMatchObject({ failed: 7, base: 10 });
    expect(result.score?.value).toBeLessThan((plain.score?.value ?? 0) - 20);
  });

  test('links that phones lack', async () => {
    const { found } = await audited(only('phone', (path) => ({ body: html(path, { links: ['/'] }) })));
    expect(found).toEqual(Array(7).fill('phone-links-missing'));
  });

  test('structured data that phones lack', async () => {
    const { found } = await audited(only('phone', (path) => ({ body: html(path).replace(SCHEMA, '') })));
    expect(found).toEqual(Array(7).fill('phone-schema-missing'));
  });
});

const WALL = '<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt={}</script><p>Wait</p>';

describe('what says nothing', () => {
  test.each([
    ['a test whether a person is there', 'phone', { status: 403, body: WALL }],
    ['a test whether a person is there', 'phone', { status: 200, body: WALL }],
    ['a test whether a person is there', 'googlebot', { status: 403, body: WALL }],
    ['a request to wait', 'phone', { status: 429 }],
    ['a request to wait', 'googlebot', { status: 429 }],
    ['a refusal', 'phone', { status: 403 }],
    ['a failing server', 'googlebot', { status: 503 }],
    ['another address', 'phone', { status: 302, headers: { location: '/robots.txt' } }],
  ] as const)('%s, to %s', async (_, agent, answer) => {
    const result = await audited(only(agent, () => answer));
    expect(result.found).toEqual([]);
    const ids = agent === 'phone' ? ['phone-text-missing', 'phone-links-missing'] : ['googlebot-refused'];
    expect(ids.map((id) => stateOf(result, id))).toEqual(ids.map(() => 'not_checked'));
  });
});
