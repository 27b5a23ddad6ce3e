/** Findings of an audit rechecked on real sites on loopback that change in between. */
import { afterEach, expect, test } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { CHECKS } from '../../src/audit/checks/index.ts';
import type { CrawlEnv } from '../../src/audit/crawl/crawlEnv.ts';
import { compareRuns } from '../../src/audit/report/compare.ts';
import type { FindingsDocument } from '../../src/audit/report/findingsFormat.ts';
import { findingsDocument } from '../../src/audit/report/findingsJson.ts';
import { verificationText } from '../../src/audit/report/verificationText.ts';
import { type Rejudge, rejudge, type Verification, verifyFindings } from '../../src/audit/verify.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import { NameNotResolved } from '../../src/integrations/fetcher/resolveHost.ts';
import { siteNames, startSite } from '../servers/siteServer.ts';
import { startTestSite, type TestPage, type TestSite } from '../servers/testSite.ts';
import { crawlEnv } from './crawl/crawlEnv.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const OPTIONS = { maxPages: 50, maxMs: 60_000, maxBytes: 1e9, concurrency: 4 };

const LOOPBACK = Promise.resolve([{ address: '127.0.0.1', family: 4 as const }]);

function envFor(hosts: readonly string[]): CrawlEnv {
  const fetcher = createFetcher({
    allowHosts: [...hosts],
    userAgent: 'TestBot/1.0',
    // A fixed clock: the speed of this machine is no property of the site.
    now: () => 0,
    resolve: (name) =>
      hosts.some((host) => host.startsWith(`${name}:`)) ? LOOPBACK : Promise.reject(new NameNotResolved('not_found')),
  });
  closers.push(fetcher.close);
  return crawlEnv(fetcher);
}

async function documentOf(url: string, env: CrawlEnv): Promise<FindingsDocument> {
  const result = await audit(url, OPTIONS, env);
  return findingsDocument({
    url,
    host: new URL(url).host,
    generatedAt: '2026-03-01T12:00:00.000Z',
    checks: CHECKS,
    ...result,
  });
}

type Audited = {
  readonly site: TestSite;
  readonly document: FindingsDocument;
  readonly verify: (...only: string[]) => Promise<Verification>;
  readonly env: CrawlEnv;
};

/** From `verify`, the requests are those that the site has received since the audit. */
async function audited(pages: Record<string, TestPage>): Promise<Audited> {
  const site = await startTestSite(pages);
  closers.push(site.close);
  const env = envFor([site.host]);
  const document = await documentOf(`${site.origin}/`, env);
  site.requests.length = 0;
  return { site, document, env, verify: (...only) => verifyFindings({ document, only }, {}, env) };
}

const page = (head: string, body = '', lang = 'en') =>
  `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">${head}</head><body><main><h1>Tea</h1>${body}</main></body></html>`;
const TITLE = '<title>Green tea from the hills of Uji</title>';
const robots = (text: string): TestPage => ({ body: text, headers: { 'content-type': 'text/plain' } });

/** The home page links to all the others. */
const site = (pages: Record<string, TestPage>): Record<string, TestPage> => ({
  '/': page(
    '<title>A shop for tea and for cups</title>',
    Object.keys(pages)
      .map((path) => `<a href="${path}">Look at ${path}</a>`)
      .join(' '),
  ),
  '/robots.txt': robots('User-agent: *\nDisallow:\n'),
  ...pages,
});

const idAt = (document: FindingsDocument, checkId: string, path: string): string =>
  document.findings.find((finding) => finding.checkId === checkId && new URL(finding.evidence.url).pathname === path)
    ?.id ?? `no ${checkId} at ${path}`;
const states = ({ results }: Verification) =>
  results.map(({ finding, state, because }) => [finding.checkId, state, because]);

test('reports a repaired finding as fixed, fetching only its page and robots.txt', async () => {
  const { site: server, document, verify } = await audited(site({ '/tea': page(''), '/cup': page('') }));
  server.pages['/tea'] = page(TITLE);
  const found = await verify(idAt(document, 'title-missing', '/tea'));
  expect(states(found)).toEqual([['title-missing', 'fixed', null]]);
  expect(found.results[0]?.now).toBeNull();
  expect(server.requests.sort()).toEqual(['GET /robots.txt', 'GET /tea']);
  expect(
    found.requests.map(({ method, url, status }) => `${method} ${url.replace(server.origin, '')} ${status}`),
  ).toEqual(['GET /robots.txt 200', 'GET /tea 200']);
});

test('reports an unrepaired finding as still there, in its current form', async () => {
  const { site: server, document, verify } = await audited(site({ '/tea': page('<title>Tea</title>') }));
  server.pages['/tea'] = page('<title>Teas</title>');
  const { results } = await verify(idAt(document, 'title-too-short', '/tea'));
  expect(results).toMatchObject([
    {
      state: 'still_there',
      because: null,
      finding: { evidence: { value: 'Tea' } },
      now: { evidence: { value: 'Teas' } },
    },
  ]);
});

test('names what the code would change, and looks at the page that it changes', async () => {
  const lang = (code: string, head: string): TestPage =>
    `<!doctype html><html lang="${code}"><head>${TITLE}${head}</head><body><main><h1>${code}</h1></main></body></html>`;
  const both = '<link rel="alternate" hreflang="en" href="/en"><link rel="alternate" hreflang="de" href="/de">';
  const {
    site: server,
    document,
    verify,
  } = await audited(
    site({ '/en': lang('en', both), '/de': lang('de', '<link rel="alternate" hreflang="de" href="/de">') }),
  );
  const { id, edit } = document.findings.find(({ checkId }) => checkId === 'hreflang-no-return') ?? {};
  expect(edit).toMatchObject({ edits: 'head', operation: 'add', on: `${server.origin}/de` });
  server.requests.length = 0;
  server.pages['/de'] = lang('de', both);
  const verified = await verify(id ?? '');
  expect(states(verified)).toEqual([['hreflang-no-return', 'fixed', null]]);
  expect(server.requests).toContain('GET /de');
  expect(verificationText(verified)).toContain('Rechecked: the head of /de');
});

test('recognizes a finding that moved on its page, and does not confuse it with another one', async () => {
  const image = '<img src="/a.png" width="200" height="200">';
  const {
    site: server,
    document,
    verify,
  } = await audited(
    site({ '/tea': page(TITLE, `${image}<p>${image.replace('/a', '/b')}</p>`), '/a.png': '', '/b.png': '' }),
  );
  const found = document.findings.filter(({ checkId }) => checkId === 'image-alt-missing');
  expect(found).toHaveLength(2);
  const [first = '', second = ''] = found.map(({ id }) => id);
  server.pages['/tea'] = page(TITLE, `<div><div>${image}</div></div><p>${image.replace('/a', '/b')}</p>`);
  expect(states(await verify(first))).toEqual([['image-alt-missing', 'still_there', null]]);
  server.pages['/tea'] = page(TITLE, `<p>${image.replace('/a', '/b')}</p>`);
  expect(states(await verify(first, second)).map(([, state]) => state)).toEqual(['fixed', 'still_there']);
});

test.each<[string, TestPage, string | RegExp]>([
  ['gone', { status: 404 }, 'the page now answers with status 404'],
  ['broken', { status: 500 }, 'the page now answers with status 500'],
  [
    'no page any more',
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    /^the page has no content to check \(The answer is text\/plain/,
  ],
  ['moved away', { status: 301, headers: { location: '/' } }, /^the page now redirects to /],
  [
    'filled by scripts',
    '<title>x</title><div id="root"></div><script src="/app.js"></script>',
    'the content of the page now appears only when scripts run',
  ],
])('does not check a page that is %s, and gives the reason', async (_, now, because) => {
  const { site: server, document, verify } = await audited(site({ '/tea': page(TITLE, '<p>Short.</p>') }));
  server.pages['/tea'] = now;
  const { results } = await verify(idAt(document, 'thin-content', '/tea'));
  expect(results).toMatchObject([
    { state: 'not_checked', now: null, because: because instanceof RegExp ? expect.stringMatching(because) : because },
  ]);
});

test('does not fetch a page that robots.txt forbids by now', async () => {
  const { site: server, document, verify } = await audited(site({ '/tea': page('') }));
  server.pages['/robots.txt'] = robots('User-agent: *\nDisallow: /tea\n');
  expect(states(await verify(idAt(document, 'title-missing', '/tea')))).toEqual([
    ['title-missing', 'not_checked', 'robots.txt now blocks the page'],
  ]);
  expect(server.requests).toEqual(['GET /robots.txt']);
});

test('reports nothing as fixed while a host is down, and the outage as still there', async () => {
  const { site: server, document, env } = await audited(site({ '/tea': page('') }));
  await server.close();
  const again = await verifyFindings({ document, only: [] }, {}, env);
  expect(again.results.length).toBeGreaterThan(10);
  expect(again.results.filter(({ state }) => state !== 'not_checked')).toEqual([]);
  expect(again.results.find(({ finding }) => finding.checkId === 'title-missing')?.because).toMatch(
    /^the page did not answer \(robots.txt could not be fetched/,
  );
  const down = await documentOf(document.url, env);
  expect(states(await verifyFindings({ document: down, only: ['page-unreachable'] }, {}, env))).toEqual([
    ['page-unreachable', 'still_there', null],
  ]);
});

test('checks a link at its target, and nothing else that its page links to or loads', async () => {
  const links =
    '<a href="/gone">the old teas</a><img src="/a.png" alt="A cup"><a href="https://elsewhere.example/">elsewhere</a>';
  const { site: server, document, verify } = await audited(site({ '/tea': page(TITLE, links), '/a.png': '' }));
  const id = idAt(document, 'broken-internal-link', '/tea');
  expect(states(await verify(id))).toEqual([['broken-internal-link', 'still_there', null]]);
  server.pages['/gone'] = page(TITLE);
  server.requests.length = 0;
  expect(states(await verify(id))).toEqual([['broken-internal-link', 'fixed', null]]);
  expect(server.requests.sort()).toEqual(['GET /robots.txt', 'GET /tea', 'HEAD /gone']);
});

test('confirms a fixed link beside one that is closed to the crawler, and the closed one not', async () => {
  const {
    site: server,
    document,
    verify,
  } = await audited(
    site({ '/members': { status: 403 }, '/tea': page(TITLE, '<a href="/gone">old</a><a href="/members">in</a>') }),
  );
  const id = idAt(document, 'broken-internal-link', '/tea');
  server.pages['/tea'] = page(TITLE, '<a href="/members">in</a>');
  expect(states(await verify(id))).toEqual([['broken-internal-link', 'fixed', null]]);
  server.pages['/tea'] = page(TITLE, '<a href="/gone">old</a><a href="/members">in</a>');
  server.pages['/gone'] = page(TITLE);
  expect(states(await verify(id))).toEqual([['broken-internal-link', 'fixed', null]]);
  server.pages['/gone'] = { status: 403 };
  expect((await verify(id)).results[0]?.state).toBe('not_checked');
});

test('confirms in a comparison what was fixed beside a page that is closed to the crawler', async () => {
  const {
    site: server,
    document,
    env,
  } = await audited(
    site({ '/members': { status: 403 }, '/tea': page(TITLE, '<a href="/gone">old</a><a href="/members">in</a>') }),
  );
  const fixedNow = async (): Promise<readonly string[]> =>
    compareRuns(document, await documentOf(document.url, env)).fixed.map(
      ({ checkId, evidence }) => `${checkId} ${evidence.url.replace(server.origin, '')}`,
    );
  server.pages['/gone'] = page(TITLE);
  expect(await fixedNow()).toEqual(expect.arrayContaining(['broken-internal-link /tea', 'page-http-error /gone']));
  server.pages['/gone'] = { status: 429 };
  expect(await fixedNow()).not.toEqual(expect.arrayContaining(['broken-internal-link /tea']));
  expect(await fixedNow()).not.toEqual(expect.arrayContaining(['page-http-error /gone']));
  server.pages['/gone'] = { status: 404 };
  server.pages['/tea'] = page(TITLE, '<a href="/members">in</a>');
  expect(await fixedNow()).toContain('broken-internal-link /tea');
});

test('compares duplicate titles again on their pages, and on no others', async () => {
  // Copies of one page would be reported as such, once.
  const [green, black] = [
    'Green tea is steamed, rolled and dried within a day of picking.',
    'A pot holds the heat longer when its walls are thick and its lid sits well.',
  ];
  const {
    site: server,
    document,
    verify,
  } = await audited(
    site({
      '/a': page(TITLE, green.repeat(6)),
      '/b': page(TITLE, black.repeat(6)),
      '/c': page('<title>Another title for another page</title>'),
    }),
  );
  const id = idAt(document, 'title-duplicate', '/a');
  expect(states(await verify(id))).toEqual([['title-duplicate', 'still_there', null]]);
  server.requests.length = 0;
  server.pages['/b'] = page('<title>Black tea from the gardens of Assam</title>');
  expect(states(await verify(id))).toEqual([['title-duplicate', 'fixed', null]]);
  expect(server.requests.sort()).toEqual(['GET /a', 'GET /b', 'GET /robots.txt']);
  server.pages['/b'] = { status: 503 };
  server.pages['/robots.txt'] = robots('User-agent: *\nDisallow: /b\n');
  expect(states(await verify(id))).toEqual([['title-duplicate', 'not_checked', '1 page of 2 could not be requested']]);
});

test('checks findings of the whole site on all pages of the audit', async () => {
  const text = 'Tea is picked by hand in spring and dried in the shade of the old barn before it is rolled. '.repeat(5);
  const {
    site: server,
    document,
    verify,
  } = await audited(
    site({ '/a': page(TITLE, text), '/b': page('<title>Black tea from the gardens of Assam</title>', text) }),
  );
  const id = idAt(document, 'duplicate-content', '/b');
  expect(states(await verify(id))).toEqual([
    ['duplicate-content', 'still_there', 'only pages of the earlier audit were read'],
  ]);
  expect(server.requests.sort()).toEqual(['GET /', 'GET /a', 'GET /b', 'GET /robots.txt']);
  server.pages['/a'] = page(
    TITLE,
    'Something else altogether is told on this page, and nothing of it was told before. '.repeat(5),
  );
  expect(states(await verify(id))).toEqual([['duplicate-content', 'fixed', null]]);
});

test('needs no page for findings of robots.txt, sitemaps and single files', async () => {
  const { site: server, verify } = await audited({
    ...site({}),
    '/robots.txt': robots('User-agent: *\nDisalow: /x\n'),
    '*': 'found',
  });
  const found = await verify('robots-syntax', 'missing-404');
  expect(
    states(found)
      .map(([id, state]) => `${id} ${state}`)
      .sort(),
  ).toEqual(['missing-404 still_there', 'robots-syntax still_there']);
  expect(server.requests.filter((request) => !/not-here/.test(request))).toEqual(['GET /robots.txt', 'HEAD /']);
  server.pages['/robots.txt'] = robots('User-agent: *\nDisallow: /x\n');
  server.pages['*'] = { status: 404 };
  expect(states(await verify('robots-syntax', 'missing-404')).map(([, state]) => state)).toEqual(['fixed', 'fixed']);
});

test('checks an address of the sitemap by itself', async () => {
  const sitemap =
    (...paths: string[]): TestPage =>
    (request, response) => {
      const locs = paths.map((path) => `<url><loc>http://${request.headers.host}${path}</loc></url>`);
      response.setHeader('content-type', 'application/xml');
      response.end(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locs.join('')}</urlset>`);
    };
  const { site: server, verify } = await audited({
    ...site({ '/a': page(TITLE) }),
    '/sitemap.xml': sitemap('/', '/a', '/old', '/older'),
  });
  const of = async () =>
    Object.fromEntries(
      (await verify('sitemap-bad-urls')).results.map(({ finding, state }) => [
        new URL(finding.evidence.url).pathname,
        state,
      ]),
    );
  expect(await of()).toEqual({ '/old': 'still_there', '/older': 'still_there' });
  server.pages['/old'] = page(TITLE);
  server.requests.length = 0;
  expect(await of()).toEqual({ '/old': 'fixed', '/older': 'still_there' });
  expect(server.requests).not.toContain('GET /a');
  server.pages['/sitemap.xml'] = sitemap('/', '/a');
  expect(await of()).toEqual({ '/old': 'fixed', '/older': 'fixed' });
  server.pages['/sitemap.xml'] = { status: 503 };
  expect(await of()).toEqual({ '/old': 'not_checked', '/older': 'not_checked' });
});

test('counts clicks from the start again over the pages of the audit', async () => {
  const chain = {
    '/1': page(TITLE, '<a href="/2">two</a>'),
    '/2': page(TITLE, '<a href="/3">three</a>'),
    '/3': page(TITLE, '<a href="/4">four</a>'),
    '/4': page(TITLE),
  };
  const { site: server, verify } = await audited({ ...site({}), '/': page(TITLE, '<a href="/1">one</a>'), ...chain });
  expect(states(await verify('deep-page')).map(([, state]) => state)).toEqual(['still_there']);
  server.pages['/'] = page(TITLE, '<a href="/1">one</a><a href="/4">four</a>');
  expect(states(await verify('deep-page')).map(([, state]) => state)).toEqual(['fixed']);
});

test('checks hints like other findings', async () => {
  const { site: server, document, verify } = await audited(site({}));
  const hint = document.findings.find(({ checkId }) => checkId === 'llms-txt-missing');
  expect(hint?.hint).toBe(true);
  expect(states(await verify('llms-txt-missing'))).toEqual([['llms-txt-missing', 'still_there', null]]);
  server.pages['/llms.txt'] = robots(
    '# Tea\n\n> A shop for tea and for cups, with everything about them.\n\n- [Teas](/tea): all of them\n',
  );
  expect(states(await verify('llms-txt-missing'))).toEqual([['llms-txt-missing', 'fixed', null]]);
});

test('reports an unknown id, and does not check findings of another version’s checks', async () => {
  const { site: server, document, verify, env } = await audited(site({ '/tea': page('') }));
  const found = await verify('no-such-check', '0123456789abcdef');
  expect(found).toMatchObject({ results: [], unknown: ['no-such-check', '0123456789abcdef'], requests: [] });
  expect(server.requests).toEqual([]);
  const [finding] = document.findings;
  const older = { ...document, findings: finding ? [{ ...finding, checkId: 'retired-check' }] : [] };
  expect(states(await verifyFindings({ document: older, only: [] }, {}, env))).toEqual([
    ['retired-check', 'not_checked', 'this version does not have the check'],
  ]);
});

test('treats a redirecting start page as the submitted page', async () => {
  const home = page('', '<p>Tea.</p>');
  const {
    site: server,
    document,
    verify,
  } = await audited({ '/': { status: 302, headers: { location: '/en/' } }, '/en/': home, '/robots.txt': robots('') });
  const id = idAt(document, 'title-missing', '/en/');
  expect(states(await verify(id))).toEqual([['title-missing', 'still_there', null]]);
  server.pages['/en/'] = page(TITLE);
  expect(states(await verify(id, 'csp-missing')).map(([, state]) => state)).toEqual(
    expect.arrayContaining(['fixed', 'still_there']),
  );
});

test.each(siteNames())(
  'reports nothing of the unchanged site %s as fixed',
  async (name) => {
    const server = await startSite(name);
    closers.push(server.close);
    const env = envFor(server.hosts);
    const document = await documentOf(`${server.origin}/`, env);
    const { results } = await verifyFindings({ document, only: [] }, {}, env);
    expect(results).toHaveLength(document.findings.length);
    expect(
      results
        .filter(({ state }) => state === 'fixed')
        .map(({ finding }) => `${finding.checkId} ${finding.evidence.url} ${finding.evidence.place}`),
    ).toEqual([]);
    const unseen = results.filter(
      ({ state, because }) => state === 'not_checked' && because !== 'the address is not on this site',
    );
    expect(unseen.map(({ finding, because }) => `${finding.checkId} ${finding.evidence.url} ${because}`)).toEqual([]);
  },
  30_000,
);

test('ends when it is stopped, at whatever point it looks for the findings', async () => {
  const { document, env } = await audited({
    '/': page('<title>Tea</title>', '<a href="/tea">Tea</a><a href="/cup">Cups</a>'),
    '/tea': page(''),
    '/cup': page(''),
  });
  /** How often it paused; stopped at that pause, or never for 0. */
  const pausesOf = async (stopAt: number): Promise<number> => {
    let [now, pauses] = [0, 0];
    const stop = new AbortController();
    const judge: Rejudge = (input, crawl, { signal }) =>
      rejudge(input, crawl, {
        ...(signal ? { signal } : {}),
        // Each step takes so long that a pause is due.
        now: () => (now += 10),
        yieldToEventLoop: async () => {
          pauses += 1;
          if (pauses === stopAt) stop.abort(new Error('stopped'));
        },
      });
    const verifying = verifyFindings({ document, only: [] }, { signal: stop.signal }, env, judge);
    if (stopAt > 0) await expect(verifying).rejects.toThrow('stopped');
    else await verifying;
    return pauses;
  };
  const all = await pausesOf(0);
  expect(all).toBeGreaterThan(10);
  for (const at of [1, Math.ceil(all / 2), all]) expect(await pausesOf(at)).toBe(at);
});
