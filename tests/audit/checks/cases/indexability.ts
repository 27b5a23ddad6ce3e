import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { body, head, LONG, main } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const hop = (url: string, location: string, status = 301) => ({
  url: `https://example.com${url}`,
  status,
  location: `https://example.com${location}`,
});

export const INDEXABILITY: CaseTable = {
  'page-http-error': {
    passes: [page, { pages: [page, { url: '/moved', status: 200, html: page }] }],
    finds: [
      { site: { pages: [page, { url: '/gone', status: 404 }] }, tells: '/gone answers with status 404', count: 1 },
      { site: { pages: [{ status: 503 }] }, tells: '503' },
      { site: { pages: [page, { url: '/?p=99', status: 404 }] }, tells: '/?p=99 answers with status 404' },
    ],
    unchecked: [401, 403, 429].map((status) => ({ pages: [{ url: '/members', status }] })),
    skips: [
      { pages: [{ failure: 'dns' }] },
      { pages: [{ url: '/x', robotsBlocked: true }] },
      { pages: [{ url: '/file.pdf', headers: { 'content-type': 'application/pdf' } }] },
    ],
  },
  'staging-indexable': {
    passes: [
      { origin: 'https://staging.example.com', pages: [head('<meta name="robots" content="noindex">')] },
      { origin: 'https://staging.example.com', pages: [page], robots: 'User-agent: *\nDisallow: /' },
    ],
    finds: [
      {
        site: { origin: 'https://staging.example.com', pages: [page] },
        tells: 'looks like one for tests (its host has the label "staging")',
      },
    ],
    skips: [page, { origin: 'https://staging.example.com', pages: [{ failure: 'dns' }] }],
  },
  'page-unreachable': {
    passes: [page, { pages: [{ status: 500 }] }],
    finds: [
      { site: { pages: [page, { url: '/slow', failure: 'timeout' }] }, tells: '/slow could not be fetched', count: 1 },
      { pages: [{ failure: 'tls' }] },
    ],
    skips: [{ pages: [{ failure: 'redirect_loop' }] }],
  },
  'noindex-meta': {
    passes: [
      page,
      head('<meta name="robots" content="index, follow, max-snippet:-1">'),
      head('<meta name="robots" content="unavailable_after: 2030-01-01">'),
      body('<meta name="robots" content="nofollow">'),
      // Meant: nobody searches for a log-in or a cart.
      { pages: [page, { url: '/account/login', html: head('<meta name="robots" content="noindex">') }] },
      { pages: [page, { url: '/?s=tea', html: head('<meta name="robots" content="noindex">') }] },
      body('<template><meta name="robots" content="noindex"></template><meta name="robot" content="noindex">'),
    ],
    finds: [
      {
        site: head('<meta name="ROBOTS" content="NOINDEX, follow">'),
        tells: 'no search engine may list this page',
        hint: false,
      },
      { site: head('<meta name="robots" content="none">'), hint: false },
      {
        site: { pages: [page, { url: '/searching-for-tea', html: head('<meta name="robots" content="noindex">') }] },
        hint: false,
      },
      { site: { pages: [{ url: '/login', html: head('<meta name="robots" content="noindex">') }] }, hint: false },
      { site: head('<meta name="robots" content="unavailable_after: Wed, 03 Jan 2024 10:00:00 GMT">'), hint: false },
      { site: head('<meta name="googlebot" content="noindex">'), tells: 'hides this page from Googlebot', hint: false },
      // A rule for one crawler lifts none of the rules for all.
      {
        site: head('<meta name="robots" content="noindex"><meta name="googlebot" content="all">'),
        tells: 'no search engine may list this page',
        hint: false,
      },
      // Search engines obey it in the body, too; Lighthouse reads the head alone.
      {
        site: body('<meta name="robots" content="noindex">'),
        tells: 'no search engine may list this page, although it is the home page. body > meta[name=robots]',
        hint: false,
      },
      {
        site: {
          robots:
            'User-agent: Googlebot\nUser-agent: bingbot\nUser-agent: DuckDuckBot\nUser-agent: archive.org_bot\nDisallow: /',
          pages: [head('<meta name="robots" content="noindex">')],
        },
        hint: false,
      },
    ],
    skips: [{ pages: [{ status: 404 }] }],
  },
  'noindex-header': {
    passes: [
      page,
      { pages: [{ html: page, headers: { 'x-robots-tag': 'max-image-preview:large' } }] },
      { pages: [page, { url: '/thank-you.html', html: page, headers: { 'x-robots-tag': 'noindex' } }] },
    ],
    finds: [
      {
        site: { pages: [{ html: page, headers: { 'x-robots-tag': 'noindex, nofollow' } }] },
        tells: 'header x-robots-tag',
        hint: false,
      },
      {
        site: { pages: [{ html: page, headers: { 'x-robots-tag': 'unavailable_after: 25 Jun 2020 15:00:00 PST' } }] },
        hint: false,
      },
      {
        site: { pages: [{ html: page, headers: { 'x-robots-tag': ['otherbot: all', 'googlebot: noindex'] } }] },
        tells: 'from Googlebot',
        hint: false,
      },
    ],
  },
  'robots-blocks-page': {
    passes: [
      { pages: [page], robots: 'User-agent: *\nDisallow: /admin' },
      { pages: [{ url: '/shop/tea', html: page }], robots: 'User-agent: *\nDisallow: /shop\nAllow: /shop/tea' },
      {
        pages: [page, { url: '/cart', robotsBlocked: true }, { url: '/search?q=tea', robotsBlocked: true }],
        robots: 'User-agent: *\nDisallow: /cart\nDisallow: /search',
      },
    ],
    finds: [
      {
        site: { pages: [{ url: '/shop/', html: page }], robots: 'User-agent: *\nDisallow: /shop' },
        tells: '"Disallow: /shop" in robots.txt keeps every search engine',
        hint: false,
      },
      {
        site: { pages: [page, { url: '/a', robotsBlocked: true }], robots: 'User-agent: *\nDisallow: /a' },
        tells: 'robots.txt line 2',
        count: 1,
      },
      {
        site: { pages: [page], robots: 'User-agent: bingbot\nDisallow: /' },
        tells: 'keeps bingbot from /',
        hint: false,
      },
      {
        site: { pages: [page], robots: 'User-agent: DuckDuckBot\nDisallow: /' },
        tells: 'keeps DuckDuckBot from /',
        hint: true,
      },
      {
        site: {
          pages: [page, { url: '/?wood=oak', robotsBlocked: true }],
          robots: 'User-agent: *\nDisallow: /*?wood=',
        },
        tells: 'Kept out of search. Intended? It looks like a filtered or sorted version of a list.',
        hint: true,
      },
    ],
    skips: [
      { pages: [page], robots: { status: 404 } },
      { pages: [page], robots: '' },
    ],
  },
  'robots-blocks-resources': {
    passes: [
      {
        pages: [head('<link rel="stylesheet" href="/a.css"><script src="https://cdn.example.net/x.js"></script>')],
        robots: 'User-agent: *\nDisallow: /x',
      },
    ],
    finds: [
      {
        site: {
          pages: [head('<link rel="stylesheet" href="/assets/a.css"><script src="/assets/a.js"></script>')],
          robots: 'User-agent: *\nDisallow: /assets/',
        },
        tells: '/assets/a.css',
        count: 2,
      },
    ],
    skips: [
      { pages: [page] },
      { pages: [head('<script src="/a.js"></script>')], robots: { status: 404 } },
      { pages: [head('<script src="/a.js"></script>')], robots: 'User-agent: *\nDisallow: /' },
    ],
  },
  nosnippet: {
    passes: [page, head('<meta name="robots" content="max-snippet:-1">')],
    finds: [
      head('<meta name="robots" content="nosnippet">'),
      { site: head('<meta name="googlebot" content="max-snippet: 0">'), tells: 'max-snippet: 0' },
    ],
    skips: [head('<meta name="robots" content="noindex, nosnippet">')],
  },
  noimageindex: {
    passes: [
      head('<meta name="robots" content="max-image-preview:large">', '<main><img src="/a.jpg" alt="A"></main>'),
      head('<meta name="bingbot" content="noimageindex">', '<main><img src="/a.jpg" alt="A"></main>'),
    ],
    finds: [
      {
        site: head('<meta name="robots" content="index, noimageindex">', '<main><img src="/a.jpg" alt="A"></main>'),
        tells: '"index, noimageindex" keeps the images',
      },
      { pages: [{ html: main('<img src="/a.jpg" alt="A">'), headers: { 'x-robots-tag': 'noimageindex' } }] },
    ],
    skips: [page],
  },
  'empty-list': {
    passes: [
      page,
      main(`<h1>Green tea</h1><p>No products were found to be harmful in this study of ours.</p>`),
      // A list of other kinds below, and a long text that mentions it.
      main(
        `<h1>Tea</h1><p>No products found.</p>${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `<a href="/${name}">Tea ${name}</a>`).join('')}`,
      ),
      main(`<h1>Tea</h1><p>No products found.</p>${LONG}`),
      { pages: [page, { url: '/cart', html: main('<h1>Cart</h1><p>No items found.</p>') }] },
      { pages: [page, { url: '/shop/green', html: page }] },
    ],
    finds: [
      {
        pages: [
          page,
          {
            url: '/shop/green',
            html: body(
              `<div>${['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `<a href="/${name}">Teas from ${name}</a>`).join('')}</div><h1>Green tea</h1><p>No products found.</p>`,
            ),
          },
        ],
      },
      ...[
        'No products were found matching your selection.',
        'There are no products in this category.',
        'Sorry, no results found for “tea”',
        'Es wurden keine Produkte gefunden, die deiner Auswahl entsprechen.',
        'Aucun produit trouvé.',
        'No se han encontrado productos que se correspondan con tu selección.',
        'Nessun prodotto corrisponde alla tua scelta.',
        'Geen producten gevonden.',
        'Nie znaleziono produktów.',
        '商品が見つかりません',
      ].map((text) => ({
        site: { pages: [page, { url: '/shop/green', html: main(`<h1>Green tea</h1><p>${text}</p>`) }] },
        tells: 'lists nothing, and answers with status 200',
        count: 1,
      })),
    ],
    skips: [
      { pages: [{ url: '/shop/green', status: 404 }] },
      head('<meta name="robots" content="noindex">', '<main><p>No products found.</p></main>'),
    ],
  },
  'max-image-preview': {
    passes: [
      head('<meta name="robots" content="index, max-image-preview:large">', '<main><img src="/a.jpg" alt="A"></main>'),
    ],
    finds: [
      { site: main('<img src="/a.jpg" alt="A">'), code: 'max-image-preview:large' },
      head('<meta name="robots" content="max-image-preview:standard">', '<main><img src="/a.jpg" alt="A"></main>'),
    ],
    skips: [
      page,
      body('<nav><img src="/logo.png" alt="Logo"></nav><main>Text</main>'),
      {
        pages: ['/', '/a', '/b', '/c'].map((url) => ({
          url,
          html: body('<div><img src="/logo.png" alt="Logo"></div><p>Text</p>'),
        })),
      },
    ],
  },
  'nofollow-page': {
    passes: [page],
    finds: [
      head('<meta name="robots" content="index,nofollow">'),
      { site: { pages: [{ html: page, headers: { 'x-robots-tag': 'nofollow' } }] }, tells: 'x-robots-tag' },
    ],
    skips: [head('<meta name="robots" content="noindex,nofollow">')],
  },
  'soft-404': {
    passes: [
      page,
      head('<title>404 ways to brew tea</title>'),
      head('<title>Teas</title>', '<main><h1>Teas</h1></main>'),
      ...[
        'Peugeot 404',
        '404',
        'The 404 from 1960',
        'How to fix error 404 not found in nginx',
        'How to design a 404 page',
        'What is a 404 Not Found error?',
        'Fixing “module not found” in webpack',
        'Error 404 page not found: causes and fixes',
        'Species not found in Europe',
        'The shop no longer exists',
        'Fehler 404 nicht gefunden beheben',
        'モジュールが見つかりませんの直し方',
      ].map((name) => head(`<title>${name} | Tea shop</title>`, `<main><h1>${name}</h1></main>`)),
      head('<title>Error 404 not found – causes</title>', '<main><h1>Error 404 not found in nginx</h1></main>'),
      {
        missingTitle: 'Tea shop',
        pages: [page, { url: '/cars', html: head('<title>Peugeot 404</title>', '<main><h1>Peugeot 404</h1></main>') }],
      },
    ],
    finds: [
      ...[
        'Page Not Found',
        '404 Not Found',
        'Error 404: Page not found',
        'HTTP 404 error',
        'Oops! That page can’t be found. It does not exist: page not found',
        "Sorry, the page you are looking for doesn't exist or was not found",
        'The requested URL was not found on this server.',
        'Product not found',
        'This product is no longer available',
        'Diese Seite existiert nicht mehr',
        'Fehler 404 – Seite nicht gefunden',
        'Page introuvable',
        'Página no encontrada',
        'ページが見つかりません',
        '找不到页面',
      ].map((name) => ({
        site: head(`<title>${name} | Tea shop</title>`, '<main><h1>Tea shop</h1></main>'),
        tells: name.slice(0, 20).replace('&', '&amp;'),
      })),
      { site: head('<title>404</title>', '<main><h1>404 Not Found</h1></main>'), tells: '404 Not Found' },
      {
        site: {
          missingPage: { status: 200 },
          missingTitle: '404 – Lost in the garden',
          pages: [
            page,
            { url: '/x', html: head('<title>404 – Lost in the garden</title>', '<main><h1>Lost</h1></main>') },
          ],
        },
        tells: 'Lost in the garden',
      },
      { site: head('<title>Page not found</title>', '<main><h1>Oops</h1></main>'), tells: 'Page not found' },
      {
        site: head('<title>Tea shop</title>', '<main><h1>Seite nicht gefunden</h1><p>Nichts.</p></main>'),
        tells: 'Seite nicht gefunden',
      },
    ],
    skips: [{ pages: [{ status: 404 }] }],
  },
  'login-wall': {
    passes: [
      page,
      body(`<form><input type="password" name="word"></form>${LONG}`),
      { pages: [page, { url: '/login', html: body('<input type=password>') }] },
    ],
    finds: [
      {
        site: body('<h1>Sign in</h1><form><input name="name"><input type="Password" name="word"></form>'),
        tells: 'a field for a password and 2 words',
      },
    ],
    skips: [{ pages: [{ status: 401 }] }],
  },
  'missing-404': {
    passes: [
      { pages: [page] },
      { pages: [page], missingPage: { status: 410 } },
      { pages: [page], missingPage: { status: 403 } },
    ],
    finds: [
      { site: { pages: [page], missingPage: { status: 200 } }, tells: 'answers with status 200' },
      {
        site: { pages: [page], missingPage: { status: 200, finalUrl: 'https://example.com/', hops: [hop('/x', '/')] } },
        tells: 'redirects to the home page',
      },
    ],
    unchecked: [
      { pages: [page], missingPage: null },
      { pages: [page], missingPage: { failure: 'timeout' } },
    ],
  },
  'meta-refresh-redirect': {
    passes: [page, head('<meta http-equiv="refresh" content="0">')],
    finds: [
      { site: head('<meta http-equiv="refresh" content="0; url=/new">'), tells: '/new' },
      { site: head('<meta http-equiv="Refresh" content="5;URL=\'https://example.com/x\'">'), tells: 'after 5 seconds' },
      { site: head('<meta http-equiv="refresh" content="60">'), tells: 'reloads itself after 60 seconds' },
    ],
  },
  'js-redirect': {
    passes: [
      body(`<script>window.location.href = '/x'</script>${LONG}`),
      body('<p>Hi</p><script>if (window.location == 1) go()</script>'),
    ],
    finds: [
      { site: body('<script>window.location.href = "/new"</script>'), tells: '/new' },
      body('<p>Wait.</p><script>location.replace("/new");</script>'),
    ],
  },
  'js-only-content': {
    passes: [
      page,
      body('<div id="root"></div><p>Short, but no script.</p>'),
      body(`<div id="root"></div><script src="/a.js"></script>${LONG}`),
    ],
    finds: [
      { site: body('<div id="root"></div><script src="/app.js"></script>'), tells: '#root' },
      body('<noscript>You need to enable JavaScript.</noscript><script>boot()</script>'),
    ],
  },
  'redirect-chain': {
    passes: [page, { pages: [page, { url: '/a', finalUrl: 'https://example.com/b', hops: [hop('/a', '/b')] }] }],
    finds: [
      {
        site: {
          pages: [page, { url: '/a', finalUrl: 'https://example.com/c', hops: [hop('/a', '/b'), hop('/b', '/c')] }],
        },
        tells: '/a needs 2 redirects',
        code: 'Location: https://example.com/c',
      },
    ],
  },
  'redirect-loop': {
    passes: [page],
    unchecked: [{ pages: [{ failure: 'timeout' }] }],
    finds: [
      {
        site: { pages: [page, { url: '/a', failure: 'redirect_loop', hops: [hop('/a', '/b'), hop('/b', '/a')] }] },
        tells: 'in a circle',
      },
      {
        site: { pages: [page, { url: '/a', failure: 'too_many_redirects', hops: [hop('/a', '/b')] }] },
        tells: 'still redirecting',
      },
    ],
  },
  'temporary-redirect': {
    passes: [
      { pages: [page, { url: '/a', finalUrl: 'https://example.com/a/', hops: [hop('/a', '/a/', 301)] }] },
      { pages: [page, { url: '/a', finalUrl: 'https://example.com/b', hops: [hop('/a', '/b', 302)] }] },
    ],
    finds: [
      {
        site: { pages: [page, { url: '/a', finalUrl: 'https://example.com/a/', hops: [hop('/a', '/a/', 302)] }] },
        tells: 'temporary status 302',
        code: 'Location: https://example.com/a/',
      },
    ],
    skips: [
      page,
      {
        pages: [
          page,
          {
            url: '/a',
            finalUrl: 'https://example.com/en/a',
            headers: { vary: 'Accept-Language' },
            hops: [hop('/a', '/en/a', 302)],
          },
        ],
      },
    ],
  },
  'redirect-to-error': {
    passes: [{ pages: [page, { url: '/a', finalUrl: 'https://example.com/b', hops: [hop('/a', '/b')] }] }],
    finds: [
      {
        site: { pages: [page, { url: '/a', status: 404, finalUrl: 'https://example.com/b', hops: [hop('/a', '/b')] }] },
        tells: '/a redirects to https://example.com/b, which answers with status 404',
      },
    ],
    unchecked: [{ pages: [{ url: '/a', status: 403, finalUrl: 'https://example.com/b', hops: [hop('/a', '/b')] }] }],
    skips: [{ pages: [page, { url: '/a', status: 404 }] }],
  },
  'http-not-redirected': {
    passes: [{ pages: [page] }, { pages: [page], httpTwin: { failure: 'refused' } }],
    finds: [
      {
        site: { pages: [page], httpTwin: { status: 200, finalUrl: 'http://example.com/', hops: [] } },
        tells: 'instead of moving to https',
      },
    ],
    skips: [
      { origin: 'http://example.com', pages: [page] },
      { origin: 'https://localhost:3000', pages: [page] },
    ],
    unchecked: [
      { pages: [page], httpTwin: null },
      { pages: [page], httpTwin: { failure: 'timeout' } },
    ],
  },
  'www-duplicate': {
    passes: [
      { pages: [page], wwwTwin: { failure: 'dns' } },
      { pages: [page], wwwTwin: { status: 200, finalUrl: 'https://example.com/', hops: [hop('/', '/')] } },
      {
        pages: [head('<link rel="canonical" href="https://example.com/">')],
        wwwTwin: { status: 200, finalUrl: 'https://www.example.com/' },
      },
      {
        pages: [head('<link rel="canonical" href="https://www.example.com/">')],
        wwwTwin: { status: 200, finalUrl: 'https://www.example.com/' },
      },
    ],
    finds: [
      {
        site: { pages: [page], wwwTwin: { status: 200, finalUrl: 'https://www.example.com/' } },
        tells: 'Both example.com and www.example.com',
      },
      {
        pages: [head('<link rel="canonical" href="https://other.example/">')],
        wwwTwin: { status: 200, finalUrl: 'https://www.example.com/' },
      },
    ],
    skips: [{ pages: [page], wwwTwin: null }],
    unchecked: [{ pages: [page], wwwTwin: { failure: 'timeout' } }],
  },
};
