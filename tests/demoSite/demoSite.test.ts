import { request } from 'node:http';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoSite, startDemoSite } from '../../src/demoSite/demoSite.ts';
import { FAULTS } from '../../src/demoSite/faults.ts';
import { DEAD_PATH, PAGES } from '../../src/demoSite/siteFiles.ts';

type Element = DefaultTreeAdapterMap['element'];
let site: DemoSite;

beforeAll(async () => {
  site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
});
afterAll(() => site.close());

const get = (path: string) => fetch(site.url + path, { redirect: 'manual' });

function elements(html: string): readonly Element[] {
  const found: Element[] = [];
  const walk = (node: DefaultTreeAdapterMap['node']) => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(html));
  return found;
}

const attribute = (element: Element, name: string) => element.attrs.find((one) => one.name === name)?.value;

async function page(path: string) {
  const answer = await get(path);
  const html = await answer.text();
  const all = elements(html);
  const text = html.replace(/^[\s\S]*<main>|<\/main>[\s\S]*$|<[^>]+>/g, ' ');
  return {
    status: answer.status,
    html,
    all,
    named: (tag: string) => all.filter((element) => element.tagName === tag),
    meta: (name: string) => all.find((element) => element.tagName === 'meta' && attribute(element, 'name') === name),
    words: text.split(/\s+/).filter(Boolean).length,
    jsonLd: [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(
      (match) => match[1] ?? '',
    ),
  };
}

describe('the demo site', () => {
  it('has a real number of pages, and each says that it is a demo', async () => {
    expect(PAGES.length).toBeGreaterThanOrEqual(12);
    expect(new Set(PAGES.map((one) => one.path)).size).toBe(PAGES.length);
    for (const { path } of PAGES) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      const html = await answer.text();
      expect(html).toContain('This is a demo site');
      expect(html).not.toContain('%ORIGIN%');
    }
  });

  it('has no broken links, except for its deliberate faults', async () => {
    const broken = new Set<string>();
    for (const { path } of PAGES) {
      const { all } = await page(path);
      const targets = all
        .flatMap((element) => [attribute(element, 'href'), attribute(element, 'src')])
        .filter((one): one is string => one?.startsWith('/') ?? false);
      for (const target of targets) if ((await get(target)).status >= 400) broken.add(`${path} → ${target}`);
    }
    expect([...broken].sort()).toEqual(['/about-this-demo → /favicon.ico', '/journal → /journal/spring-harvest']);
  });

  it('is valid where no fault is intended', async () => {
    const faulty = (id: string) => new Set(FAULTS.filter((fault) => fault.id === id).map((fault) => fault.path));
    for (const { path } of PAGES) {
      const { named, meta, words, all } = await page(path);
      expect([path, named('title').length]).toEqual([path, faulty('title-missing').has(path) ? 0 : 1]);
      expect([path, meta('viewport') !== undefined]).toEqual([path, !faulty('viewport-missing').has(path)]);
      expect([path, all.some((element) => attribute(element, 'rel') === 'canonical')]).toEqual([
        path,
        !faulty('canonical-missing').has(path),
      ]);
      if (!faulty('heading-order').has(path)) expect([path, named('h1').length]).toEqual([path, 1]);
      if (!faulty('thin-content').has(path)) expect([path, words > 200]).toEqual([path, true]);
      if (!faulty('description-missing').has(path))
        expect(attribute(meta('description') as Element, 'content')?.length).toBeGreaterThan(110);
    }
  });

  it('answers HEAD, refuses other methods, and has a page for unknown addresses', async () => {
    const head = await fetch(site.url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(site.url, { method: 'POST', body: 'x' })).status).toBe(405);
    const missing = await page('/no-such-page?x=<script>');
    expect(missing.status).toBe(404);
    expect(missing.html).toContain('no-such-page');
    expect(missing.html).not.toContain('<script>');
  });

  it('uses the visitor’s host in its own addresses, and never markup from the header', async () => {
    const ask = (host: string, path: string) =>
      new Promise<string>((resolve, reject) => {
        const { port } = new URL(site.url);
        request({ port, host: '127.0.0.1', path, headers: { host } }, async (answer) => {
          answer.setEncoding('utf8');
          let body = '';
          for await (const part of answer) body += part;
          resolve(body);
        })
          .on('error', reject)
          .end();
      });
    expect(await ask('Demo.example:4000', '/robots.txt')).toContain('Sitemap: http://demo.example:4000/sitemap.xml');
    expect(await ask('demo.example:4000', '/sitemap.xml')).toContain('<loc>http://demo.example:4000/teas</loc>');
    expect(await ask('demo.example:4000', '/')).toContain('href="http://demo.example:4000/"');
    expect(await ask('[::1]:4000', '/robots.txt')).toContain('http://[::1]:4000/sitemap.xml');
    for (const host of ['"><script>alert(1)</script>', 'a b'])
      expect(await ask(host, '/')).toContain(`href="http://localhost:${new URL(site.url).port}/"`);
  });

  it('reports a port in use, and closes with connections open', async () => {
    await expect(startDemoSite({ port: Number(new URL(site.url).port), host: '127.0.0.1' })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    const other = await startDemoSite({ port: 0, host: '127.0.0.1' });
    await fetch(other.url, { headers: { connection: 'keep-alive' } }).then((answer) => answer.text());
    await other.close();
    await other.close();
    await expect(fetch(other.url)).rejects.toThrow();
  });
});

/** Each listed fault, and how it shows. */
const PROOFS: Record<string, () => Promise<void>> = {
  'title-missing': async () => expect((await page('/teas/smoky-lapsang')).named('title')).toHaveLength(0),
  'description-duplicate': async () => {
    const [a, b] = await Promise.all(['/teas/mountain-oolong', '/teas/garden-mint'].map(page));
    expect(attribute(a?.meta('description') as Element, 'content')).toBe(
      attribute(b?.meta('description') as Element, 'content'),
    );
  },
  'description-missing': async () => expect((await page('/delivery')).meta('description')).toBeUndefined(),
  'jsonld-parse-error': async () => {
    const { jsonLd } = await page('/teas/mountain-oolong');
    expect(jsonLd).toHaveLength(1);
    expect(() => JSON.parse(jsonLd[0] ?? '')).toThrow();
    for (const path of ['/', '/journal/how-to-brew'])
      expect(JSON.parse((await page(path)).jsonLd[0] ?? '')).toHaveProperty('@type');
  },
  'heading-order': async () => {
    const levels = (await page('/teas')).all
      .filter((element) => /^h[1-6]$/.test(element.tagName))
      .map((element) => element.tagName);
    expect(levels).toEqual(['h1', 'h4', 'h1', 'h5']);
  },
  'link-text-generic': async () => expect((await page('/teas')).html).toContain('>click here</a>'),
  'image-alt-missing': async () =>
    expect((await page('/')).named('img').filter((image) => attribute(image, 'alt') === undefined)).toHaveLength(2),
  'viewport-missing': async () => expect((await page('/teaware')).meta('viewport')).toBeUndefined(),
  noindex: async () => {
    expect(attribute((await page('/teaware/clay-teapot')).meta('robots') as Element, 'content')).toBe('noindex');
    expect(await (await get('/sitemap.xml')).text()).toContain('/teaware/clay-teapot</loc>');
  },
  'placeholder-text': async () =>
    expect((await page('/teaware/clay-teapot')).html).toContain('Lorem ipsum dolor sit amet'),
  'broken-internal-link': async () => {
    expect((await page('/journal')).html).toContain('href="/journal/spring-harvest"');
    expect((await get('/journal/spring-harvest')).status).toBe(404);
  },
  'canonical-missing': async () => expect((await page('/journal/how-to-brew')).html).not.toContain('canonical'),
  'slow-page': async () => {
    // Delayed by a site that never answers the slow page: everything else answers, this page does not.
    const stuck = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 600_000 });
    const waiting = fetch(`${stuck.url}/journal/water-temperature`).then(
      () => 'answered',
      () => 'waiting',
    );
    expect((await fetch(`${stuck.url}/journal`)).status).toBe(200);
    await stuck.close();
    expect(await waiting).toBe('waiting');
  },
  'thin-content': async () =>
    expect((await page('/journal/short-note')).html.match(/<p>[^<]*kettle[^<]*<\/p>/g)).toHaveLength(1),
  'redirect-chain': async () => {
    expect((await page('/')).html).toContain('href="/shipping"');
    const hops = [];
    for (let path: string | null = '/shipping'; path !== null; ) {
      const answer: Response = await get(path);
      hops.push(answer.status);
      path = answer.headers.get('location');
    }
    expect(hops).toEqual([301, 301, 200]);
  },
  'robots-syntax': async () => expect(await (await get('/robots.txt')).text()).toMatch(/^Dissalow: /m),
  'sitemap-dead-url': async () => {
    expect(await (await get('/sitemap.xml')).text()).toContain(`${DEAD_PATH}</loc>`);
    expect((await get(DEAD_PATH)).status).toBe(404);
  },
  'favicon-missing': async () => {
    expect((await get('/favicon.ico')).status).toBe(404);
    expect((await page('/')).html).not.toMatch(/rel="(shortcut )?icon"/);
  },
  'social-missing': async () => {
    for (const { path } of PAGES) expect((await page(path)).html).not.toContain('property="og:');
  },
};

describe('the documented faults', () => {
  it('are all listed on the page about the demo, each with a proof', async () => {
    const { html } = await page('/about-this-demo');
    for (const fault of FAULTS) expect(html).toContain(fault.text);
    expect(Object.keys(PROOFS).sort()).toEqual(FAULTS.map((fault) => fault.id).sort());
  });

  it.each(FAULTS.map((fault) => [fault.id]))('%s', async (id) => {
    await PROOFS[id]?.();
  });
});
