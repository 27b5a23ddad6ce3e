/**
 * Sites made so that looking at what was crawled takes long: from the checks to the score, work yields to the event
 * loop after every small step, and no site needs more than so much of it. Work is counted, not measured: by the
 * characters that the expensive primitives read (rules with stars, addresses, Link headers, robots directives, types of structured data, names and
 * texts of scripts). The clock moves with every look at it, so that each place where work can pause ends a slice.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HeaderLink } from '../../src/audit/crawl/linkHeader.ts';
import type { Crawl } from '../../src/audit/crawl/site.ts';
import type { PageFacts } from '../../src/audit/facts/pageFacts.ts';
import { parseFindings } from '../../src/audit/report/findingsFormat.ts';
import { verifyFindings } from '../../src/audit/verify.ts';
import { evaluate } from '../../src/workers/evaluation.ts';
import { type GivenPage, type GivenSite, givenSite } from '../given/audit/page.ts';
import { findingsOf } from '../given/audit/runs.ts';
import { some } from '../given/fullForm.ts';
import { HOSTILE_PAGES } from '../servers/hostilePages.ts';
import { crawlEnv } from './crawl/crawlEnv.ts';

const meter = vi.hoisted(() => ({
  now: 0,
  sinceTurn: 0,
  most: 0,
  all: 0,
  add(characters: number): void {
    this.all += characters;
    this.sinceTurn += characters;
    this.most = Math.max(this.most, this.sinceTurn);
  },
}));

vi.mock('../../src/audit/crawl/robots/robotsPattern.ts', async (original) => {
  const patterns = await original<typeof import('../../src/audit/crawl/robots/robotsPattern.ts')>();
  const patternMatches: typeof patterns.patternMatches = (pattern, path, reached) => {
    meter.add(pattern.rest.length > 0 && path.startsWith(pattern.first) ? reached.length : pattern.first.length);
    return patterns.patternMatches(pattern, path, reached);
  };
  return { ...patterns, patternMatches };
});

vi.mock('../../src/audit/crawl/linkHeader.ts', async (original) => {
  const module = await original<typeof import('../../src/audit/crawl/linkHeader.ts')>();
  const known = new WeakSet<readonly HeaderLink[]>();
  const headerLinks: typeof module.headerLinks = (outcome) => {
    const links = module.headerLinks(outcome);
    if (!known.has(links)) meter.add((outcome.headers.link ?? []).join('').length);
    known.add(links);
    return links;
  };
  return { ...module, headerLinks };
});

vi.mock('../../src/audit/checks/lookups/directiveWords.ts', async (original) => {
  const module = await original<typeof import('../../src/audit/checks/lookups/directiveWords.ts')>();
  const directiveWords: typeof module.directiveWords = (content) => {
    meter.add(content.length);
    return module.directiveWords(content);
  };
  return { directiveWords };
});

/** About what a node of structured data costs for each time that its type is read. */
const NODE = 100;

vi.mock('../../src/audit/facts/structuredData.ts', async (original) => {
  const module = await original<typeof import('../../src/audit/facts/structuredData.ts')>();
  const shortType: typeof module.shortType = (type) => {
    meter.add(NODE + type.length);
    return module.shortType(type);
  };
  return { ...module, shortType };
});

/** About what it costs to look for what a node lacks. */
const NEEDS = 1000;

vi.mock('../../src/audit/checks/schemaOrg/schemaNeeds.ts', async (original) => {
  const module = await original<typeof import('../../src/audit/checks/schemaOrg/schemaNeeds.ts')>();
  const lacksOf: typeof module.lacksOf = (node, type, facts) => {
    meter.add(NEEDS);
    return module.lacksOf(node, type, facts);
  };
  return { ...module, lacksOf };
});

vi.mock('../../src/audit/checks/lookups/trackers.ts', async (original) => {
  const module = await original<typeof import('../../src/audit/checks/lookups/trackers.ts')>();
  const read = ({ resources, inlineScripts }: PageFacts): void =>
    meter.add([...resources.map(({ url }) => url), ...inlineScripts.map(({ text }) => text)].join('').length);
  const trackerOn: typeof module.trackerOn = (facts) => {
    // Once for each tracker.
    for (let tracker = 0; tracker < 4; tracker += 1) read(facts);
    return module.trackerOn(facts);
  };
  const hasConsentTool: typeof module.hasConsentTool = (facts) => {
    read(facts);
    return module.hasConsentTool(facts);
  };
  return { ...module, trackerOn, hasConsentTool };
});

/** About what an address costs, however short it is. */
const ADDRESS = 100;

const plainParse = URL.parse;

class CountingURL extends URL {
  constructor(url: string | URL, base?: string | URL) {
    meter.add(ADDRESS + String(url).length + String(base ?? '').length);
    super(url, base);
  }

  static override parse(url: string, base?: string): URL | null {
    meter.add(ADDRESS + url.length + (base ?? '').length);
    return plainParse(url, base);
  }
}

/** One verdict of a robots.txt with the most rules with stars that are read, and a little more: about 10 ms. */
const AT_ONCE = 1000 * 2048 + 500_000;
const PAGES = 48;
const ORIGIN = 'https://site.example';

const each = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const words = (page: number): string => each(300, (index) => `word${(page * 31 + index * 7) % 997}`).join(' ');
const html = (page: number, { head = '', body = '' } = {}): string =>
  `<!doctype html><html lang="en"><head><title>t${page}</title>${head}</head><body>${body}<main><p>${words(page)}</p></main></body></html>`;
const pathOf = (page: number): string => (page === 0 ? '/' : `/p${page}`);
/** Four blocks of so many nodes. */
const nodes = (count: number, make: (index: number) => object): string =>
  each(
    4,
    (block) =>
      `<script type="application/ld+json">${JSON.stringify(each(count, (index) => make(block * count + index)))}</script>`,
  ).join('');
const filled = (text: string): string => text.repeat(Math.floor(15_000 / text.length)).slice(0, -1);
const versions = each(
  500,
  (index) => `<link rel="alternate" hreflang="${['de', 'fr', 'es', 'it'][index % 4]}" href="/p${index % PAGES}">`,
).join('');

const rules = (piece: string): string => each(995, (index) => `Disallow: /p*${piece}b${index}`).join('\n');
/** The rules for everyone, and a second set for the other search engines, which blocks all pages. */
const robots = (piece: string): string =>
  `User-agent: *\n${rules(piece)}\n\nUser-agent: bingbot\nUser-agent: duckduckbot\nUser-agent: archive.org_bot\n${rules(piece)}\nDisallow: /p\n`;

type Site = Pick<GivenSite, 'sitemaps'> & {
  readonly robots?: string;
  readonly pages: readonly GivenPage[];
  readonly work: number;
};

/** As many robots metas as are read of a page, each as long as is read. */
const METAS = `<meta name="robots" content="${'a,'.repeat(999)}">`.repeat(300);
const METAS_READ = 600_000;

const SITES: Readonly<Record<string, () => Site>> = {
  'rules with stars, and long addresses': () => ({
    robots: robots('a'.repeat(32)),
    pages: each(PAGES, (page) => ({ url: `/p${page}-${'a'.repeat(1960)}`, html: html(page) })),
    work: 2 * (PAGES + 1) * AT_ONCE,
  }),
  'rules with stars, and long addresses that are all blocked': () => ({
    robots: `User-agent: *\n${rules('a'.repeat(32))}\nDisallow: /p\n`,
    pages: [{ html: html(0) }, ...each(250, (page) => ({ url: `/p${page}-${'a'.repeat(1960)}`, robotsBlocked: true }))],
    work: 252 * AT_ONCE,
  }),
  'rules with stars, and redirects to the longest addresses': () => ({
    robots: robots('%E4%B8%AD'.repeat(5)),
    pages: each(PAGES, (page) => ({
      url: `/p${page}`,
      finalUrl: `${ORIGIN}/p${page}-${'%E4%B8%AD'.repeat(900)}`,
      hops: [{ url: `${ORIGIN}/p${page}`, status: 302, location: 'x' }],
      html: html(page),
    })),
    work: 3 * (PAGES + 1) * AT_ONCE,
  }),
  'canonicals in headers, and alternates in HTML': () => ({
    pages: each(PAGES, (page) => ({
      url: `/p${page}`,
      headers: { link: [filled(`<p${page}>;rel=canonical,`), filled(`<p${page}>;rel=canonical,`)] },
      html: html(page, { head: versions }),
    })),
    work: PAGES * 100_000,
  }),
  'alternates in headers and in HTML': () => ({
    pages: each(PAGES, (page) => ({
      url: `/p${page}`,
      headers: { link: [filled('<p1>;rel=alternate;hreflang=de,'), filled('<p2>;rel=alternate;hreflang=fr,')] },
      html: html(page, { head: versions }),
    })),
    work: PAGES * 200_000,
  }),
  'alternates of pages with long addresses': () => ({
    pages: each(PAGES, (page) => ({
      url: `/p${page}?${'a'.repeat(1900)}`,
      headers: { link: each(2, (part) => each(450, (index) => `<?${part}${index}>;rel=alternate;hreflang=de`).join()) },
      html: html(page),
    })),
    work: PAGES * 3_000_000,
  }),
  'missing pages at the end of deep paths': () => ({
    pages: [
      { html: html(0) },
      ...each(PAGES, (page) => ({ url: `/x${page}/${'a/'.repeat(970)}z`, status: 404 })),
      ...each(PAGES, (page) => ({ url: `/y${page}${'/'.repeat(1950)}z`, status: 404 })),
    ],
    work: 2 * PAGES * 5_000,
  }),
  'missing pages at the end of paths that are as long as those of redirects may be': () => ({
    pages: [
      { html: html(0) },
      ...each(PAGES, (page) => ({ url: `/x${page}/${'%E4%B8%AD/'.repeat(800)}z`, status: 404 })),
    ],
    work: PAGES * 500_000,
  }),
  'long robots metas on a page that a sitemap lists under many addresses': () => ({
    sitemaps: [{ locs: each(2000, (index) => `/p1?utm_source=${index}`) }],
    pages: [{ html: html(0) }, { url: '/p1', html: html(1, { head: METAS }) }],
    work: 50 * METAS_READ,
  }),
  'long robots metas below folders of filters': () => ({
    pages: each(PAGES, (page) => ({ url: `/${'filter/'.repeat(28)}p${page}`, html: html(page, { head: METAS }) })),
    work: PAGES * 50 * METAS_READ,
  }),
  'businesses, each with a name of its own': () => ({
    pages: each(PAGES, (page) => ({
      url: pathOf(page),
      html: html(page, { body: nodes(1600, (index) => ({ '@type': 'Store', name: `${page}.${index}` })) }),
    })),
    work: PAGES * 10_000_000,
  }),
  'businesses that are only reviewed': () => ({
    pages: each(PAGES, (page) => ({
      url: pathOf(page),
      html: html(page, {
        body: nodes(300, (index) => ({ '@type': 'Review', itemReviewed: { '@type': 'Store', name: `${index}` } })),
      }),
    })),
    work: PAGES * 10_000_000,
  }),
  'nodes without end': () => ({
    pages: each(PAGES, (page) => ({
      url: pathOf(page),
      html: html(page, { body: nodes(2400, () => ({ '@type': 'Offer' })) }),
    })),
    work: PAGES * 10_000_000,
  }),
  'nodes without end in items of the start page': () => ({
    pages: [
      { html: html(0, { body: nodes(1600, (index) => ({ '@type': 'Organization', name: `${index}` })) }) },
      {
        url: '/p1',
        html: html(1, { body: nodes(1600, (index) => ({ '@type': 'WebSite', name: 'a', url: `/${index}` })) }),
      },
    ],
    work: 20_000_000,
  }),
  'scripts that might track, and long names of scripts': () => ({
    pages: each(PAGES, (page) => ({
      url: pathOf(page),
      html: html(page, {
        head: '<script src="https://static.hotjar.com/x.js"></script>',
        body:
          each(120, (index) => `<script src="/${page}/${index}/${'cookie-googletagm'.repeat(80)}"></script>`).join('') +
          `<script>${'gtag( "c'.repeat(300)}</script>`.repeat(40),
      }),
    })),
    work: PAGES * 10_000_000,
  }),
  'many links, each generic': () => ({
    pages: each(PAGES, (page) => ({
      url: `/p${page}`,
      html: html(page, { body: each(1900, (index) => `<p><a href="/p${index % PAGES}">click here</a></p>`).join('') }),
    })),
    work: PAGES * 10_000,
  }),
};

/** They make a parser work for seconds, which happens in threads of its own. */
const SLOW_TO_PARSE = /million|fonts|50 MB|50,000|100,000/;

const HOSTILE = some(Object.entries(HOSTILE_PAGES), 2).filter(([name]) => !SLOW_TO_PARSE.test(name));

async function worked(crawl: Crawl): Promise<void> {
  Object.assign(meter, { now: 0, sinceTurn: 0, most: 0, all: 0 });
  const { outcomes } = await evaluate(crawl, {
    now: () => {
      meter.now += 1000;
      return meter.now;
    },
    yieldToEventLoop: async () => {
      meter.sinceTurn = 0;
    },
  });
  expect(outcomes.filter(({ state }) => state === 'error')).toEqual([]);
}

beforeAll(() => void vi.stubGlobal('URL', CountingURL));
afterAll(() => void vi.unstubAllGlobals());

describe('H14, H17: checks, code and score', () => {
  test.each(Object.entries(SITES))('%s', async (_name, make) => {
    const { pages, work, ...site } = make();
    await worked(givenSite({ origin: ORIGIN, pages, ...site }));
    expect(meter.all).toBeGreaterThan(0);
    expect(meter.most).toBeLessThan(AT_ONCE);
    expect(meter.all).toBeLessThan(work);
  });

  test.each(HOSTILE)('%s', async (_name, make) => {
    const text = make();
    const body = new TextDecoder().decode(typeof text === 'string' ? new TextEncoder().encode(text) : text);
    await worked(givenSite({ origin: ORIGIN, pages: [{ html: body }, { url: '/again', html: body }] }));
    expect(meter.most).toBeLessThan(AT_ONCE);
  });
});

test('H14: a check whether many findings on pages with long addresses are gone', async () => {
  const longPathOf = (page: number): string => `/p${page}-${'%E4%B8%AD'.repeat(200)}`;
  const links = each(PAGES, (page) => `<a href="${longPathOf(page)}">here</a>`).join('');
  const start = { html: html(0, { body: links }) };
  const poor = each(PAGES, (page) => ({
    url: longPathOf(page),
    html: `<title>t</title><h3>${each(10, (index) => `<img src="/${index}.png">`).join('')}</h3>`,
  }));
  const document = parseFindings(findingsOf({ origin: ORIGIN, pages: [start, ...poor] }, 'site.example').text);
  expect(document.findings.length).toBeGreaterThan(10 * PAGES);
  Object.assign(meter, { sinceTurn: 0, most: 0, all: 0 });
  const env = crawlEnv(
    async (url, options) => {
      meter.sinceTurn = 0;
      const isPage = url === `${ORIGIN}/` || url.includes('/p');
      const body = new TextEncoder().encode(isPage && options?.method !== 'HEAD' ? start.html : '');
      const times = { ttfbMs: 1, totalMs: 1, httpVersion: '2', transferBytes: body.length, truncated: false };
      const headers = { 'content-type': ['text/html'] };
      return { ok: true, status: isPage ? 200 : 404, requestedUrl: url, url, headers, body, hops: [], ...times };
    },
    {
      now: () => meter.all / 100_000,
      yieldToEventLoop: async () => {
        meter.sinceTurn = 0;
      },
    },
  );
  const { results } = await verifyFindings({ document, only: [] }, { maxMs: 1e9 }, env);
  expect(results.filter(({ state }) => state === 'fixed').length).toBeGreaterThan(5 * PAGES);
  expect(meter.most).toBeLessThan(AT_ONCE);
  expect(meter.all).toBeLessThan(document.findings.length * 50_000);
});
