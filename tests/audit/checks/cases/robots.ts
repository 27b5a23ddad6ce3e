import type { CaseTable } from '../../../given/audit/checkCases.ts';
import type { GivenSite } from '../../../given/audit/page.ts';
import { head, LONG, main } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const pages = [page];
const listed = (url: string) => [{ locs: ['/', url] }];
const child = 'https://example.com/teas.xml';
const index = { kind: 'index', locs: ['/teas.xml'] } as const;

/** A sitemap with pages of another host, and that host's robots.txt. */
const foreign = (text: string): GivenSite => ({
  pages,
  sitemaps: listed('https://other.example/a'),
  fileChecks: [{ url: 'https://other.example/robots.txt', kind: 'foreign-robots', text }],
});

export const ROBOTS: CaseTable = {
  'robots-missing': {
    passes: [{ pages }],
    finds: [{ site: { pages, robots: { status: 404 } }, hint: true, code: 'User-agent: *\nDisallow:' }],
    unchecked: [{ pages, robots: { failure: 'timeout' } }],
  },
  'robots-server-error': {
    passes: [{ pages }],
    finds: [
      { site: { pages, robots: { status: 503 } }, tells: 'status 503' },
      { site: { pages, robots: { failure: 'timeout' } }, tells: 'no answer (timeout)' },
      { pages, robots: { status: 429 } },
    ],
    skips: [{ pages, robots: { status: 404 } }],
    unchecked: [{ pages: [{ failure: 'dns' }], robots: { failure: 'dns' } }],
  },
  'robots-syntax': {
    passes: [
      {
        pages,
        robots: 'User-agent: *\nDisallow: /a*.pdf$ # files\nCrawl-delay: 1\nSitemap: https://example.com/s.xml',
      },
    ],
    finds: [
      {
        site: { pages, robots: 'User-agent: *\nDisalow: /a' },
        tells: 'robots.txt line 2: "disalow" isn’t a directive',
      },
      { site: { pages, robots: 'User-agent: *\nDisallow /a' }, tells: 'no colon' },
      { site: { pages, robots: 'Disallow: /a' }, tells: 'before any User-agent' },
      { site: { pages, robots: 'User-agent:\nDisallow: a' }, tells: 'no crawler is named', count: 3 },
      { site: { pages, robots: 'User-agent: *\nDisallow: /a$b' }, tells: '$ is allowed only at the end' },
      { site: { pages, robots: 'Sitemap: /sitemap.xml' }, tells: 'not absolute' },
    ],
    skips: [
      { pages, robots: { status: 404 } },
      { pages, robots: '' },
    ],
  },
  'robots-blocks-all': {
    passes: [
      { pages },
      { pages, robots: 'User-agent: *\nDisallow: /\nAllow: /shop' },
      { pages, robots: 'User-agent: badbot\nDisallow: /' },
      { pages, robots: 'User-agent: *\nDisallow: /$' },
      { pages, robots: 'User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /' },
    ],
    finds: [
      {
        site: { pages, robots: 'User-agent: *\nDisallow: /' },
        tells: '"Disallow: /" (line 2, under "User-agent: *" in line 1) closes the whole site',
      },
      { pages, robots: 'User-agent: *\nDisallow: /\nAllow: /ads.txt' },
      {
        site: { pages, robots: 'User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /' },
        tells:
          '"Disallow: /" (line 2, under "User-agent: Googlebot" in line 1) and "Disallow: /" (line 5, under "User-agent: *" in line 4) close',
      },
      { pages, robots: 'User-agent: *\nDisallow: /*' },
    ],
    skips: [{ pages, robots: { status: 404 } }],
  },
  'robots-too-large': {
    passes: [{ pages }],
    finds: [
      { site: { pages, robots: { text: 'User-agent: *\nDisallow: /a', bytes: 600_000 } }, tells: '600 KB' },
      { pages, robots: { text: 'User-agent: *\nDisallow: /a', truncated: true } },
    ],
  },
  'robots-html': {
    passes: [{ pages }],
    finds: [
      {
        site: {
          pages,
          robots: { text: '<!doctype html><html><title>Home</title></html>', headers: { 'content-type': 'text/html' } },
        },
        tells: 'text/html',
      },
    ],
    skips: [{ pages, robots: { status: 404 } }],
  },
  'robots-no-sitemap': {
    passes: [
      {
        pages,
        robots: 'User-agent: *\nDisallow: /a\nSitemap: https://example.com/sitemap.xml',
        sitemaps: listed('/a'),
      },
    ],
    finds: [{ site: { pages, sitemaps: listed('/a') }, code: 'Sitemap: https://example.com/sitemap.xml' }],
    skips: [{ pages }, { pages, sitemaps: [{ status: 404 }] }],
  },
  'robots-bot-group-overrides': {
    passes: [
      { pages, robots: 'User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /private' },
      { pages, robots: 'User-agent: *\nDisallow:\n\nUser-agent: GPTBot\nAllow: /' },
      { pages, robots: 'User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nAllow: /' },
    ],
    finds: [
      {
        site: { pages, robots: 'User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nAllow: /' },
        tells: '/private is open to it',
        code: 'Disallow: /private',
      },
      {
        site: { pages, robots: 'User-agent: *\nDisallow: /private\n\nUser-agent: AI2Bot\nAllow: /' },
        tells: 'The group for ai2bot',
        code: 'User-agent: ai2bot',
      },
    ],
  },
  'sitemap-missing': {
    passes: [{ pages, sitemaps: listed('/a') }],
    finds: [
      {
        site: { pages, sitemaps: [{ status: 404 }] },
        tells: '/sitemap.xml: 404',
      },
      { pages },
    ],
    unchecked: [{ pages: [{ failure: 'dns' }] }],
  },
  'sitemap-index-broken': {
    passes: [{ pages, sitemaps: [index, { url: child, from: 'index', locs: ['/'] }] }],
    finds: [
      {
        site: { pages, sitemaps: [index, { url: child, from: 'index', status: 404 }] },
        tells: 'names /teas.xml, which answers with status 404',
      },
      {
        site: { pages, sitemaps: [index, { ...index, url: child, from: 'index' }] },
        tells: 'names /teas.xml, which is an index itself',
      },
    ],
    skips: [{ pages, sitemaps: listed('/a') }, { pages }],
  },
  'sitemap-invalid': {
    passes: [{ pages, sitemaps: listed('/a') }],
    finds: [{ site: { pages, sitemaps: [{ kind: 'invalid', error: 'it is a web page' }] }, tells: 'it is a web page' }],
    skips: [{ pages, sitemaps: [{ status: 404 }] }],
  },
  'sitemap-too-large': {
    passes: [{ pages, sitemaps: listed('/a') }],
    finds: [
      { site: { pages, sitemaps: [{ locs: ['/'], urlCount: 60_000 }] }, tells: '60,000 URLs' },
      { pages, sitemaps: [{ locs: ['/'], bytes: 60_000_000 }] },
    ],
  },
  'sitemap-bad-urls': {
    passes: [{ pages: [page, { url: '/a', html: page }], sitemaps: listed('/a') }],
    finds: [
      {
        site: { pages: [page, { url: '/a', status: 404 }], sitemaps: listed('/a') },
        tells: '/a, which answers with status 404',
        count: 1,
      },
      {
        site: {
          pages: [
            page,
            {
              url: '/a',
              finalUrl: 'https://example.com/b',
              hops: [{ url: 'https://example.com/a', status: 301, location: '/b' }],
            },
          ],
          sitemaps: listed('/a'),
        },
        tells: 'redirects to https://example.com/b',
      },
    ],
    skips: [{ pages }],
    unchecked: [
      { pages, sitemaps: [{ locs: ['/a'] }] },
      { pages: [page, { url: '/a', status: 429 }], sitemaps: listed('/a') },
    ],
  },
  'sitemap-noindex': {
    passes: [{ pages: [page, { url: '/a', html: page }], sitemaps: listed('/a') }],
    finds: [
      {
        site: {
          pages: [page, { url: '/a', html: head('<meta name="robots" content="noindex">') }],
          sitemaps: listed('/a'),
        },
        tells: 'https://example.com/a',
      },
      {
        site: {
          pages: [
            page,
            { url: '/a', html: head('<meta name="robots" content="noindex"><meta name="googlebot" content="index">') },
          ],
          sitemaps: listed('/a'),
        },
        count: 1,
      },
    ],
    unchecked: [
      { pages, sitemaps: [{ locs: ['/a'] }] },
      { pages, sitemaps: listed('/a') },
    ],
  },
  'sitemap-blocked': {
    passes: [{ pages, sitemaps: listed('/a') }],
    finds: [{ site: { pages, sitemaps: listed('/private/a') }, tells: 'Disallow: /private/', count: 1 }],
    skips: [{ pages, sitemaps: listed('/a'), robots: { status: 404 } }],
  },
  'sitemap-noncanonical': {
    passes: [
      {
        pages: [page, { url: '/a', html: head('<link rel="canonical" href="https://example.com/a">') }],
        sitemaps: listed('/a'),
      },
    ],
    finds: [
      {
        site: {
          pages: [page, { url: '/a', html: head('<link rel="canonical" href="https://example.com/b">') }],
          sitemaps: listed('/a'),
        },
        tells: 'https://example.com/b',
      },
    ],
  },
  'sitemap-foreign-host': {
    passes: [{ pages, sitemaps: listed('/a') }, foreign('Sitemap: https://example.com/sitemap.xml')],
    finds: [
      foreign('Sitemap: https://example.com/other.xml'),
      { site: { pages, sitemaps: listed('http://example.com/a') }, tells: 'lists 1 URL outside https://example.com' },
      { pages, sitemaps: listed('https://www.example.com/a') },
    ],
  },
  'sitemap-incomplete': {
    passes: [{ pages: [page, { url: '/a', html: page }, { url: '/b', html: page }], sitemaps: listed('/a') }],
    finds: [
      {
        site: { pages: [page, ...['/a', '/b', '/c'].map((url) => ({ url, html: page }))], sitemaps: [{ locs: ['/'] }] },
        tells: '3 of 4 indexable pages',
        count: 3,
      },
    ],
    skips: [{ pages }, { pages, sitemaps: [{ locs: ['/'], urlCount: 70_000 }] }],
  },
  'sitemap-lastmod': {
    passes: [
      {
        pages,
        sitemaps: [
          {
            locs: [
              { loc: '/', lastmod: '2026-01-05' },
              { loc: '/a', lastmod: '2025-12-01T10:00:00+01:00' },
            ],
          },
        ],
      },
    ],
    finds: [
      { site: { pages, sitemaps: listed('/a') }, tells: '2 of 2 entries have no lastmod date' },
      {
        site: { pages, sitemaps: [{ locs: [{ loc: '/', lastmod: '05.01.2026' }] }] },
        tells: '"05.01.2026" is not written as a sitemap date',
      },
      { site: { pages, sitemaps: [{ locs: [{ loc: '/', lastmod: '2031-01-01' }] }] }, tells: 'is in the future' },
      {
        site: {
          pages,
          sitemaps: [{ locs: ['2031-01-01', '05.01.2026'].map((lastmod, at) => ({ loc: `/${at}`, lastmod })) }],
        },
        tells: 'is not written as a sitemap date',
        count: 2,
      },
      {
        site: { pages, sitemaps: [{ locs: ['/', '/a', '/b'].map((loc) => ({ loc, lastmod: '2026-03-01' })) }] },
        tells: 'changed today',
      },
    ],
    skips: [{ pages }],
  },
  'sitemap-news': {
    passes: [
      {
        pages,
        sitemaps: [{ locs: [{ loc: '/', news: { date: '2026-02-28T12:00:00Z', titled: true } }, { loc: '/a' }] }],
      },
    ],
    finds: [
      {
        site: {
          pages,
          sitemaps: [
            {
              locs: ['2020-01-05', '2026-02-28'].map((date, at) => ({ loc: `/${at}`, news: { date, titled: true } })),
            },
          ],
        },
        tells: '1 of 2 articles with news tags are older than two days, such as https://example.com/0',
        count: 1,
      },
      {
        site: { pages, sitemaps: [{ locs: [{ loc: '/', news: { date: null, titled: false } }] }] },
        tells: 'have no date that can be read',
        count: 2,
      },
      {
        site: { pages, sitemaps: [{ locs: [{ loc: '/', news: { date: '2026-03-01', titled: false } }] }] },
        tells: '1 of 1 article with news tags have no title',
        count: 1,
      },
    ],
    skips: [{ pages }, { pages, sitemaps: listed('/a') }],
  },
  'sitemap-video': {
    passes: [{ pages, sitemaps: listed('/a') }],
    finds: [
      {
        site: {
          pages,
          sitemaps: [
            {
              locs: [
                { loc: '/', videoLacks: ['thumbnail_loc'] },
                { loc: '/a', videoLacks: ['title'] },
              ],
            },
          ],
        },
        tells: '2 entries have videos without thumbnail_loc, title, such as https://example.com/',
        count: 1,
      },
      {
        site: { pages, sitemaps: [{ locs: [{ loc: '/', videoLacks: ['description'] }] }] },
        tells: '1 entry has a video without description',
      },
    ],
    skips: [{ pages }],
  },
  'sitemap-image-broken': {
    passes: [
      {
        pages,
        sitemaps: [{ locs: [{ loc: '/', images: ['https://example.com/a.png'] }] }],
        linkChecks: [{ url: '/a.png', kind: 'image' }],
      },
    ],
    finds: [
      {
        site: {
          pages,
          sitemaps: [{ locs: [{ loc: '/', images: ['https://example.com/a.png', 'https://example.com/b.png'] }] }],
          linkChecks: [
            { url: '/a.png', kind: 'image', status: 404 },
            { url: '/b.png', kind: 'image' },
          ],
        },
        tells:
          'The sitemap lists the image https://example.com/a.png for https://example.com/, which answers with status 404',
        count: 1,
      },
    ],
    skips: [{ pages }, { pages, sitemaps: listed('/a') }],
    unchecked: [{ pages, sitemaps: [{ locs: [{ loc: '/', images: ['https://example.com/a.png'] }] }] }],
  },
  'ai-search-bots-blocked': {
    passes: [{ pages }, { pages, robots: 'User-agent: GPTBot\nDisallow: /' }],
    finds: [
      {
        site: { pages, robots: 'User-agent: OAI-SearchBot\nUser-agent: PerplexityBot\nDisallow: /' },
        tells: 'OAI-SearchBot may not read the home page: robots.txt line 3',
        count: 2,
      },
    ],
    // Nobody may crawl the site, which is another fault.
    skips: [
      { pages, robots: { status: 404 } },
      { pages, robots: 'User-agent: *\nDisallow: /' },
    ],
  },
  'ai-user-fetchers-blocked': {
    passes: [{ pages }],
    finds: [{ site: { pages, robots: 'User-agent: ChatGPT-User\nDisallow: /' }, tells: 'ChatGPT-User', count: 1 }],
    skips: [{ pages, robots: 'User-agent: *\nDisallow: /' }],
  },
  'ai-training-bots': {
    passes: [{ pages }, { pages, robots: 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /' }],
    finds: [
      {
        site: { pages, robots: 'User-agent: GPTBot\nDisallow: /\n\nUser-agent: CCBot\nAllow: /' },
        tells: 'blocks GPTBot from training, but invites CCBot',
        hint: true,
      },
    ],
  },
  'llms-txt-missing': {
    passes: [{ pages, llmsTxt: '# Tea\n\n[Teas](https://example.com/teas) are all listed on this page.' }],
    finds: [{ site: { pages }, hint: true, code: '- [Tea](https://example.com/)' }],
    unchecked: [{ pages, llmsTxt: null }],
  },
  'llms-txt-invalid': {
    passes: [
      {
        pages: [page, { url: '/teas', html: page }],
        llmsTxt: '\uFEFF\n# Tea\n\n[Teas](https://example.com/teas) are all listed on this page.',
      },
    ],
    finds: [
      { site: { pages, llmsTxt: '<!doctype html><html><h1># Tea</h1></html>' }, tells: 'it is a web page' },
      { site: { pages, llmsTxt: 'Tea\n\n[Teas](https://example.com/teas)' }, tells: 'no "# Title" line' },
      {
        site: { pages, llmsTxt: '# Tea\n\nNothing is linked from here, although there is a lot of text.' },
        tells: 'no markdown link',
      },
      { site: { pages, llmsTxt: { status: 500 } }, tells: '500' },
      {
        site: {
          pages: [page, { url: '/teas', status: 404 }],
          llmsTxt: '# Tea\n\n[Teas](https://example.com/teas) are all listed on this page.',
        },
        tells: 'leads to https://example.com/teas, which answers with status 404',
        hint: true,
      },
    ],
    skips: [{ pages }],
  },
};
