import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { body, head, LONG, ld, main, SCHEMA, STUBS } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const og = (name: string, content: string): string => `<meta property="og:${name}" content="${content}">`;
const ALL =
  og('title', 'Tea') +
  og('type', 'website') +
  og('image', 'https://example.com/a.jpg') +
  og('url', 'https://example.com/');
const share = (title: string, ogTitle: string) => head(`<title>${title}</title>${og('title', ogTitle)}`);
const SCRIPT = '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>';

export const SOCIAL: CaseTable = {
  'og-missing': {
    passes: [head(ALL)],
    finds: [
      {
        site: main('<h1>Green tea</h1><img src="/a.jpg" alt="">'),
        impact: 'medium',
      },
      { site: head(ALL.replace(og('type', 'website'), '')), tells: 'Missing: og:type', impact: 'low' },
    ],
    skips: [...STUBS, head('<meta name="robots" content="noindex">')],
  },
  'og-url-mismatch': {
    passes: [head(`${ALL}<link rel="canonical" href="https://example.com/">`)],
    finds: [
      {
        site: head(`${og('url', 'https://example.com/old')}<link rel="canonical" href="https://example.com/">`),
        code: 'content="https://example.com/"',
      },
    ],
    skips: [page, head(ALL)],
  },
  'og-description-missing': {
    passes: [head(og('description', 'Teas by hand'))],
    finds: [
      head(og('title', 'Teas')),
      {
        site: head(`${og('title', 'Teas')}<meta name="description" content="Teas by hand">`),
        hint: true,
        code: 'content="Teas by hand"',
      },
    ],
    // Where there are no Open Graph tags at all, another check says so, and this one must not be called passed.
    skips: [page],
  },
  'twitter-card-missing': {
    passes: [
      head('<meta name="twitter:card" content="summary_large_image">'),
      head('<meta property="twitter:card" content="summary">'),
    ],
    finds: [
      { site: page, code: 'content="summary"' },
      { site: head('<meta name="twitter:card" content="large">'), tells: '"large" isn’t a card type' },
    ],
    skips: [...STUBS],
  },
  'social-duplicate': {
    passes: [{ pages: [share('A', 'A'), { url: '/b', html: share('B', 'B') }, { url: '/c', html: share('C', 'A') }] }],
    finds: [
      {
        site: {
          pages: [
            share('A', 'Tea shop'),
            { url: '/b', html: share('B', 'Tea shop') },
            { url: '/c', html: share('C', 'Tea shop') },
          ],
        },
        tells: '3 pages with different titles',
        count: 3,
      },
    ],
    skips: [page],
  },
  'social-profiles-missing': {
    passes: [
      body('<a href="https://www.linkedin.com/company/tea">LinkedIn</a>'),
      head(ld({ ...SCHEMA, '@type': 'Organization', sameAs: 'https://github.com/tea' })),
    ],
    finds: [
      page,
      body('<a href="https://x.com/intent/tweet?url=1">Share</a>'),
      body('<a href="https://twitter.com/share?u=1">Share</a>'),
    ],
  },
  'analytics-missing': {
    passes: [
      head(SCRIPT),
      { pages: [page, { url: '/a', html: head(SCRIPT) }] },
      body('<script>var _paq = window._paq || []; _paq.push(["trackPageView"])</script>'),
    ],
    finds: [{ site: page, tells: '1 page looked at' }],
    skips: [{ pages: [{ failure: 'dns' }] }],
  },
  'search-console-missing': {
    passes: [head('<meta name="google-site-verification" content="abc">')],
    finds: [{ site: page, hint: true }],
  },
  'favicon-missing': {
    passes: [
      page,
      {
        pages: [head('<link rel="icon" href="/i.png">')],
        linkChecks: [{ url: '/i.png', headers: { 'content-type': 'image/png' } }],
      },
    ],
    finds: [
      {
        site: { pages: [page], favicon: { status: 404 } },
        tells: 'No icon is named and /favicon.ico answers with status 404',
      },
      { pages: [page], favicon: { headers: { 'content-type': 'text/html' } } },
      {
        site: { pages: [head('<link rel="icon" href="/i.png">')], linkChecks: [{ url: '/i.png', status: 404 }] },
        tells: 'The icon https://example.com/i.png',
      },
    ],
    unchecked: [{ pages: [page], favicon: null }],
  },
};
