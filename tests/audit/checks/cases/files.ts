/** Files beside the pages, the connection, and the tools in the pages. */
import type { CaseTable } from '../../../given/audit/checkCases.ts';
import type { GivenSite } from '../../../given/audit/page.ts';
import { body, head, LONG, main } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const img = '<img src="/a.jpg" alt="Tea" width="10" height="10">';
const shown = (bytes: string | null): GivenSite => ({
  pages: [main(`${img}${LONG}`)],
  linkChecks: [
    {
      url: '/a.jpg',
      kind: 'image',
      headers: { 'content-type': 'image/jpeg', ...(bytes === null ? {} : { 'content-length': bytes }) },
    },
  ],
});
const share = (address: string): string => head(`<title>Tea</title><meta property="og:image" content="${address}">`);
const SHARE = 'https://example.com/share.png';
const shared = (file: Partial<NonNullable<GivenSite['fileChecks']>[number]>): GivenSite => ({
  pages: [share(SHARE)],
  fileChecks: [
    {
      url: SHARE,
      kind: 'share-image',
      headers: { 'content-type': 'image/png' },
      image: { format: 'png', width: 1200, height: 630 },
      ...file,
    },
  ],
});
const styled = head('<link rel="stylesheet" href="/a.css"><script src="/b.js"></script>');
const kept = (...values: (string | null)[]): GivenSite => ({
  pages: [styled],
  fileChecks: values.map((value, index) => ({
    url: `/${index}.css`,
    kind: 'asset' as const,
    headers: value === null ? {} : { 'cache-control': value },
  })),
});
const installed = head('<link rel="manifest" href="/app.webmanifest">');
const MANIFEST = {
  name: 'Tea',
  start_url: '/',
  display: 'standalone',
  icons: [
    { src: '/a.png', sizes: '192x192' },
    { src: '/b.png', sizes: '48x48 512x512' },
  ],
};
const manifest = (text: unknown, more: object = {}): GivenSite => ({
  pages: [installed],
  fileChecks: [
    {
      url: '/app.webmanifest',
      kind: 'manifest',
      text: typeof text === 'string' ? text : JSON.stringify(text),
      ...more,
    },
  ],
});
const post = (each: number, inside = ''): { url: string; html: string } => ({
  url: `/blog/${each}`,
  html: head(`<title>Post ${each}</title>${inside}`),
});
const blog = (inside = '', more: GivenSite = {}): GivenSite => ({
  pages: [page, post(1, inside), post(2, inside), post(3)],
  ...more,
});
const FEED = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">';
const feed = (more: object): GivenSite => blog(FEED, { fileChecks: [{ url: '/feed.xml', kind: 'feed', ...more }] });
const GTAG = '<script async src="https://www.googletagmanager.com/gtag/js?id=G-ABC123DEF4"></script>';
const CONFIG = "<script>gtag('js', new Date()); gtag('config', 'G-ABC123DEF4');</script>";
const GTM =
  "<script>(function(w,d,s,l,i){j.src='https://www.googletagmanager.com/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-ABC123');</script>";
const connected = (more: object): GivenSite => ({ pages: [{ html: page, ...more }] });

export const FILES: CaseTable = {
  'image-too-heavy': {
    passes: [shown('150000'), shown('200000')],
    finds: [
      { site: shown('500001'), tells: 'has 500 KB', hint: false },
      { site: shown('300000'), tells: '300 KB', hint: true },
    ],
    skips: [page],
    unchecked: [
      main(`${img}${LONG}`),
      shown(null),
      {
        ...shown('900000'),
        linkChecks: [{ url: '/a.jpg', kind: 'image', status: 404, headers: { 'content-length': '900000' } }],
      },
    ],
  },
  'og-image-invalid': {
    passes: [shared({}), shared({ image: null }), shared({ image: { format: 'jpeg', width: null, height: null } })],
    finds: [
      { site: share('/share.png'), tells: 'isn’t a full address' },
      { site: shared({ status: 404 }), tells: 'status 404' },
      { site: shared({ failure: 'dns' }), tells: 'could not be fetched' },
      { site: shared({ headers: { 'content-type': 'text/html' }, image: null }), tells: 'sent as text/html' },
      {
        site: shared({
          headers: { 'content-type': 'image/svg+xml' },
          image: { format: 'svg', width: null, height: null },
        }),
        tells: 'SVG',
      },
      { site: shared({ headers: { 'content-type': 'image/png', 'content-length': '6000000' } }), tells: '6,000 KB' },
      { site: shared({ image: { format: 'png', width: 599, height: 630 } }), tells: '599x630 px' },
      { site: shared({ image: { format: 'png', width: 1200, height: 314 } }), tells: '600x315' },
    ],
    skips: [page],
    unchecked: [share(SHARE), shared({ status: 429 })],
  },
  'no-cache-headers': {
    passes: [kept('max-age=604800', null), kept('public, immutable'), kept('public, max-age=31536000')],
    finds: [
      { site: kept(null), tells: '1 of 1 file' },
      { site: kept('max-age=3600', 'no-cache', 'max-age=31536000'), tells: '2 of 3 files' },
      { site: kept('max-age=31536000, no-store'), tells: 'no-store' },
      {
        site: {
          pages: [main(`${img}${LONG}`)],
          linkChecks: [{ url: '/a.jpg', kind: 'image', headers: { 'content-type': 'image/jpeg' } }],
        },
        tells: '/a.jpg',
      },
    ],
    skips: [page, head('<script src="https://cdn.example/x.js"></script>')],
    unchecked: [styled, { pages: [styled], fileChecks: [{ url: '/a.css', kind: 'asset', status: 404 }] }],
  },
  'certificate-problem': {
    passes: [connected({ certificateEnds: '2026-03-22T13:00:00.000Z' })],
    finds: [
      { site: connected({ certificateEnds: '2026-03-11T12:00:00.000Z' }), tells: 'ends on 2026-03-11, in 10 days' },
      { site: connected({ certificateEnds: '2026-02-01T12:00:00.000Z' }), tells: 'in 0 days' },
      { site: { pages: [{ failure: 'tls' }] }, tells: 'No secure connection to https://example.com' },
      { site: { pages: [{ failure: 'tls' }], robots: { failure: 'tls' } }, count: 1 },
    ],
    skips: [{ origin: 'http://example.com', pages: [page] }],
    unchecked: [page, { pages: [{ failure: 'timeout' }] }],
  },
  'no-http2': {
    passes: [
      connected({ httpVersion: '2' }),
      connected({ httpVersion: '1.1', headers: { 'alt-svc': 'h3=":443"; ma=86400' } }),
    ],
    finds: [{ site: connected({ httpVersion: '1.1' }), tells: 'only HTTP/1.1' }],
    skips: [{ origin: 'http://example.com', pages: [page] }],
    unchecked: [{ pages: [{ failure: 'timeout' }] }],
  },
  'ai-bots-served-differently': {
    passes: [
      { pages: [page], aiBotAnswer: { status: 200 } },
      { pages: [page], aiBotAnswer: { status: 500 } },
    ],
    finds: [
      { site: { pages: [page], aiBotAnswer: { status: 403 } }, tells: 'gets status 403' },
      { site: { pages: [page], aiBotAnswer: { status: 429 } }, tells: 'Real crawlers may still pass' },
      {
        site: { pages: [page], aiBotAnswer: { status: 200, challenged: true } },
        tells: 'tests whether a person is there',
      },
    ],
    skips: [{ pages: [{ status: 403 }] }],
    unchecked: [page, { pages: [head('<title>Just a moment...</title>')], aiBotAnswer: { status: 403 } }],
  },
  'manifest-invalid': {
    passes: [
      manifest(MANIFEST),
      manifest({ ...MANIFEST, name: '', short_name: 'Tea', icons: { src: '/i.svg', sizes: 'any' } }),
    ],
    finds: [
      { site: page, tells: 'names no web manifest', hint: true },
      { site: manifest(MANIFEST, { status: 404 }), tells: 'status 404' },
      { site: manifest('<!doctype html>'), tells: 'isn’t JSON' },
      { site: manifest('[]'), tells: 'no object' },
      {
        site: manifest({ ...MANIFEST, display: undefined, icons: [] }),
        tells: 'lacks display, an icon of 192 px, an icon of 512 px',
      },
    ],
    skips: [{ pages: [{ status: 500 }] }],
    unchecked: [installed],
  },
  'feed-missing': {
    passes: [
      feed({}),
      blog(`${FEED}<link rel="alternate" type="application/feed+json" href="/f.json">`, {
        fileChecks: [{ url: '/feed.xml', kind: 'feed', status: 404 }],
      }),
    ],
    finds: [
      { site: blog(), tells: 'None of 3 articles names a feed', count: 1 },
      { site: feed({ status: 404 }), tells: 'it answers with status 404' },
      { site: feed({ problem: 'it is empty' }), tells: 'cannot be read: it is empty' },
      { site: feed({ failure: 'timeout' }), tells: 'does not answer' },
    ],
    skips: [
      { pages: [page, post(1), post(2)] },
      blog('<script type="application/ld+json">{"@context":"https://schema.org","@type":"TechArticle"}</script>'),
    ],
    unchecked: [blog(FEED)],
  },
  'analytics-duplicate': {
    passes: [head(GTAG + CONFIG), head(GTM), head(GTAG + CONFIG + GTM)],
    finds: [
      { site: head(GTAG + GTAG + CONFIG), tells: 'G-ABC123DEF4 is loaded 2 times', count: 1 },
      { site: head(GTM + GTM), tells: 'GTM-ABC123 is loaded 2 times' },
      {
        site: head("<script>ga('create', 'UA-12345-1', 'auto');</script>"),
        tells: 'UA-12345-1 belongs to Universal Analytics',
      },
    ],
    skips: [page, head('<script src="/app.js"></script>')],
  },
  'cookie-consent-missing': {
    passes: [
      head(`<script>gtag('consent', 'default', {ad_storage: 'denied'});</script>${GTAG}${CONFIG}`),
      head(`<script src="https://consent.cookiebot.com/uc.js"></script>${GTM}`),
    ],
    finds: [
      { site: head(GTM), tells: 'Google Tag Manager is loaded', hint: true },
      { site: head(GTAG + CONFIG), tells: 'Google Analytics' },
      { site: head("<script>fbq('init', '123');</script>"), tells: 'Meta Pixel' },
      {
        site: {
          pages: [page, { url: '/a', html: body('<script src="https://static.hotjar.com/c/hotjar-1.js"></script>') }],
        },
        tells: 'Hotjar',
      },
    ],
    skips: [page, head('<script src="https://plausible.io/js/script.js"></script>')],
  },
};
