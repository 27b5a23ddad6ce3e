import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { body, head, LONG, main, STUBS } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const link = (attributes: string, text = 'Our teas'): string => main(`<h1>Tea</h1><a ${attributes}>${text}</a>`);
const other = { url: '/a', html: page };

export const LINKS: CaseTable = {
  'url-too-long': {
    passes: [page],
    finds: [
      { site: { pages: [{ url: `/${'tea-'.repeat(30)}`, html: page }] }, tells: '140 characters', impact: 'low' },
      { site: { pages: [{ url: `/${'tea-'.repeat(600)}`, html: page }] }, impact: 'high' },
    ],
  },
  'url-underscores': {
    passes: [{ pages: [{ url: '/green-tea?Sort=A_B', html: page }] }, { pages: [{ url: '/t%C3%A9', html: page }] }],
    finds: [
      {
        site: { pages: [{ url: '/Green_Tea', html: page }] },
        tells: 'underscores and capital letters',
      },
      { site: { pages: [{ url: '/green%20tea', html: page }] }, tells: 'has blanks' },
      {
        site: { pages: [{ url: '/green+tea', html: page }] },
        tells: 'has plus signs',
      },
      { site: { pages: [{ url: '/c++', html: page }] }, tells: 'has plus signs' },
    ],
  },
  'url-double-slash': {
    passes: [
      { pages: [{ url: '/green/tea?next=//a', html: page }] },
      { pages: [{ url: '/web/2020/https://other.example/', html: page }] },
    ],
    finds: [
      {
        site: { pages: [{ url: '/blog//tea', html: page }] },
        tells: '/blog//tea has two slashes',
      },
    ],
  },
  'url-session-params': {
    passes: [link('href="/a?page=2"'), link('href="/a?sid=3"'), link('href="https://other.example/?utm_source=x"')],
    finds: [
      {
        site: link('href="/a?utm_source=home&id=1"'),
        tells: 'The link to /a?id=1 carries utm_source',
      },
      { site: link('href="/a?PHPSESSID=abc"') },
    ],
    skips: [page],
  },
  'broken-internal-link': {
    passes: [
      { pages: [link('href="/a"'), other] },
      { pages: [link('href="/a"'), { url: '/a', robotsBlocked: true }, other] },
      { pages: [link('href="/a#part"')], linkChecks: [{ url: '/a' }] },
    ],
    finds: [
      {
        site: { pages: [link('href="/a"'), { url: '/a', status: 404 }] },
        tells: 'The link "Our teas" leads to https://example.com/a, which answers with status 404',
      },
      {
        site: {
          pages: [
            main('<a href="/a#one">one</a><a href="/a#two">two</a><a href="/a">three</a>'),
            { url: '/a', status: 404 },
          ],
        },
        tells: '2 more links of this page lead there.',
        count: 1,
      },
      { pages: [link('href="/a.pdf"')], linkChecks: [{ url: '/a.pdf', status: 500 }] },
    ],
    skips: [page, link('href="mailto:a@example.com"'), link('href="https://other.example/"')],
    unchecked: [
      link('href="/a"'),
      { pages: [link('href="/a"'), { url: '/a', status: 403 }] },
      { pages: [link('href="/a"'), { url: '/a', failure: 'timeout' }] },
      { pages: [main('<a href="/a">a</a><a href="/b">b</a>')], linkChecks: [{ url: '/a' }] },
    ],
  },
  'broken-external-link': {
    passes: [
      { pages: [link('href="https://other.example/"')], linkChecks: [{ url: 'https://other.example/', status: 500 }] },
    ],
    finds: [
      {
        site: {
          pages: [link('href="https://other.example/"')],
          linkChecks: [{ url: 'https://other.example/', status: 410 }],
        },
        tells: 'status 410',
      },
      {
        site: {
          pages: [link('href="https://gone.example/"')],
          linkChecks: [{ url: 'https://gone.example/', failure: 'dns' }],
        },
        tells: 'whose host does not exist',
      },
    ],
    skips: [link('href="/a"')],
    unchecked: [
      link('href="https://other.example/"'),
      { pages: [link('href="https://other.example/"')], linkChecks: [{ url: 'https://other.example/', status: 403 }] },
      {
        pages: [link('href="https://one.example/"')],
        linkChecks: ['one', 'two', 'three'].map((name) => ({
          url: `https://${name}.example/`,
          kind: 'external' as const,
          failure: 'dns' as const,
        })),
      },
    ],
  },
  'link-to-redirect': {
    passes: [{ pages: [link('href="/a"'), other] }],
    finds: [
      {
        site: {
          pages: [link('href="/old"')],
          linkChecks: [
            {
              url: '/old',
              finalUrl: 'https://example.com/new',
              hops: [{ url: 'https://example.com/old', status: 301, location: '/new' }],
            },
          ],
        },
        tells: 'redirects to https://example.com/new',
        code: '<a href="/new">',
      },
    ],
    skips: [page],
    unchecked: [link('href="/a"')],
  },
  'uncrawlable-link': {
    passes: [
      link('href="/a"'),
      link('id="top"', ''),
      link('href="mailto:a@example.com"'),
      link('role="button" onclick="x()"'),
      link('href="#part"'),
      link('name="part"'),
      link('aria-current="page"'),
    ],
    finds: [
      { site: link('href="javascript:void(0)"'), tells: 'javascript:void(0)' },
      { site: link('onclick="go()"'), tells: 'has no address' },
      link('href="javascript: void( 0 )"'),
      link('href="file:///C:/tea.html"'),
      { site: link('rel="nofollow"'), impact: 'low' },
      { site: link('@click="go()"'), impact: 'medium' },
      link('href="https://"'),
    ],
  },
  'link-empty': {
    passes: [
      link('href="/a"'),
      link('href="/a"', '<img src="/a.png" alt="Teas">'),
      link('href="/a"', '<img src="/a.png" title="Teas">'),
      link('href="/a"', '<i class="icon" title="Teas"></i>'),
      link('href="/a"', '<img src="/a.png" aria-labelledby="h">').replace('<h1>', '<h1 id="h">'),
      link('href="/a" aria-label="Teas"', ''),
      link('href="/a" title="Teas"', ''),
      link('href="/a" aria-labelledby="h"', '').replace('<h1>', '<h1 id="h">'),
    ],
    finds: [
      { site: link('href="/a"', ''), tells: 'The link to /a has no text' },
      link('href="/a"', '<img src="/a.png" alt="">'),
      link('href="/a"', '<i class="icon"></i>'),
      link('href="/a"', '<span hidden>Teas</span>'),
    ],
    skips: [page],
  },
  'link-text-generic': {
    passes: [
      link('href="/a"'),
      link('href="/a" rel="nofollow"', 'here'),
      link('href="#part"', 'more'),
      link('href="/a"', 'hier'),
      link('href="/a"', '<span lang="de">here</span>'),
      link('href="/a"', 'Mehr über Tee erfahren').replace('lang="en"', 'lang="de"'),
      link('href="/a"', 'https://example.com/a'),
    ],
    finds: [
      { site: link('href="/a"', 'Click here'), tells: 'The text "Click here"' },
      { pages: [link('href="/a"', 'mehr').replace('lang="en"', 'lang="de-AT"')] },
      ...[
        'en:Read more…',
        'de:Mehr erfahren',
        'de:Weiterlesen »',
        'fr:En savoir plus',
        'fr:Plus d’infos',
        'fr:Cliquez ici.',
        'it:Leggi di più',
        'nl:Lees meer',
        'pl:Czytaj więcej',
      ].map((each) => link('href="/a"', each.slice(3)).replace('lang="en"', `lang="${each.slice(0, 2)}"`)),
      { pages: [link('href="/a"', 'läs mer').replace(' lang="en"', '')] },
    ],
    skips: [page],
  },
  'orphan-page': {
    passes: [{ pages: [link('href="/a"'), other], sitemaps: [{ locs: ['/', '/a'] }] }],
    finds: [
      {
        site: { pages: [page, { ...other, from: 'sitemap', depth: null }], sitemaps: [{ locs: ['/', '/a'] }] },
        tells: '/a is in the sitemap, but no crawled page links to it',
        count: 1,
      },
      {
        site: {
          pages: [page, { ...other, url: '/?p=7', from: 'sitemap', depth: null }],
          sitemaps: [{ locs: ['/', '/?p=7'] }],
        },
        tells: '/?p=7 is in the sitemap',
      },
    ],
    skips: [{ pages: [page, other] }],
    unchecked: [
      { pages: [page, other], sitemaps: [{ locs: ['/', '/a'] }], stop: 'page_budget' },
      {
        pages: [page, { ...other, from: 'sitemap', depth: null }, { url: '/b', status: 429 }],
        sitemaps: [{ locs: ['/', '/a'] }],
      },
      {
        pages: [body('<div id="root"></div><script src="/a.js"></script>'), { ...other, from: 'sitemap', depth: null }],
        sitemaps: [{ locs: ['/', '/a'] }],
      },
    ],
  },
  'dead-end-page': {
    passes: [link('href="/a"')],
    finds: [page, link('href="#top"'), link('href="mailto:a@example.com"')],
    skips: [...STUBS, head('<meta name="robots" content="noindex">')],
  },
  'deep-page': {
    passes: [
      { pages: [page, { ...other, depth: 3 }, { url: '/s', html: page, depth: null }] },
      // Turning the pages of a list is one click, however many there are.
      {
        pages: [
          page,
          { url: '/news', html: page, depth: 1 },
          { url: '/news?page=9', html: link('href="/a"'), depth: 9 },
          { ...other, depth: 10 },
        ],
      },
    ],
    finds: [
      { site: { pages: [page, { ...other, depth: 5 }] }, tells: '/a is 5 clicks from the home page', count: 1 },
      {
        site: {
          pages: [
            page,
            { url: '/news', html: page, depth: 3 },
            { url: '/news?page=9', html: link('href="/a"'), depth: 11 },
          ],
        },
        count: 1,
      },
      { site: { pages: [page, { ...other, url: '/?p=7', depth: 5 }] }, tells: '/?p=7 is 5 clicks from the home page' },
    ],
  },
  'internal-nofollow': {
    passes: [
      { pages: [link('href="/a"'), other] },
      {
        pages: [link('href="/a" rel="nofollow"'), { url: '/a', html: head('<meta name="robots" content="noindex">') }],
      },
    ],
    finds: [
      { site: { pages: [link('href="/a" rel="noopener NoFollow"'), other] }, tells: 'to /a carries rel="nofollow"' },
    ],
    skips: [page],
  },
  'fragment-dead': {
    passes: [
      body('<main><a href="#brew">Brew</a><h2 id="brew">Brew</h2></main>'),
      body('<main><a href="/#Grüner%20Tee">Tea</a><h2 id="Grüner Tee">Tea</h2></main>'),
      body('<main><a href="#old">Tea</a><a name="old"></a></main>'),
      {
        pages: [
          body('<main><a href="/brew#time">Time</a></main>'),
          { url: '/brew', html: body('<main><p id="time">5</p></main>') },
        ],
      },
      // The first leads nowhere, and needs nothing to lead to.
      body('<main><a href="#time">Time</a><p id="time">5</p><a href="#">Up</a><a href="#top">Top</a></main>'),
    ],
    finds: [
      {
        site: body('<main><a href="#brew">Brew it</a></main>'),
        tells: '"Brew it" leads to #brew, and this page has no such id',
        count: 1,
      },
      {
        site: {
          pages: [
            body('<main><a href="/brew#Time">Time</a></main>'),
            { url: '/brew', html: body('<main><p id="time">5</p></main>') },
          ],
        },
        tells: 'https://example.com/brew has no such id',
        count: 1,
      },
      // The other links prove that its places are not made by the script.
      {
        site: {
          pages: [
            body('<main><a href="/brew#Time">Time</a><a href="/brew#water">Water</a></main>'),
            { url: '/brew', html: body('<main><p id="water">5</p><script src="/a.js"></script></main>') },
          ],
        },
        tells: 'https://example.com/brew has no such id',
        count: 1,
      },
    ],
    skips: [
      body('<main><a href="#">Up</a><a href="#top">Top</a><a href="#:~:text=tea">Tea</a></main>'),
      body('<main><a href="#!/tea">Tea</a><a href="#tab=2">Tab</a><a href="#/tea">Tea</a></main>'),
      body('<main><a href="https://elsewhere.example/#a">Tea</a><a href="/brew">Tea</a></main>'),
      body('<div id="root"></div><a href="#tea">Tea</a><script src="/app.js"></script>'),
    ],
    unchecked: [
      body('<main><a href="/brew#time">Time</a></main>'),
      {
        pages: [
          body('<main><a href="/brew#time">Time</a></main>'),
          { url: '/brew', truncated: true, html: body('<main>5</main>') },
        ],
      },
      // Scripts may use the link as a button, or number the lines that are linked.
      body('<main><a href="#brew">Brew it</a><script src="/tabs.js"></script></main>'),
      body('<main><a href="#brew">Brew it</a><script>brew()</script></main>'),
      {
        pages: [
          body('<main><a href="/code#l16">Line 16</a><a href="/code#l20">Line 20</a></main>'),
          {
            url: '/code',
            html: body('<main><a href="#a">A</a><pre id="a">5</pre><script src="/lines.js"></script></main>'),
          },
        ],
      },
    ],
  },
  'localhost-links': {
    passes: [link('href="/a"'), link('href="https://192.0.2.1/"')],
    finds: [
      { site: link('href="http://localhost:3000/a"'), tells: 'http://localhost:3000/a' },
      link('href="http://192.168.1.20/"'),
      head('<script src="http://shop.test/a.js"></script>'),
      link('href="http://[::1]/"'),
    ],
    skips: [{ origin: 'http://localhost:3000', pages: [link('href="/a"')] }],
  },
  'main-landmark-missing': {
    passes: [page, body('<div role="main">Tea</div>'), body('<main>Tea</main><main hidden>Other</main>')],
    finds: [
      { site: body('<p>Tea</p>'), tells: 'no main element' },
      { site: body('<main>A</main><main>B</main>'), tells: '2 main elements', hint: true },
    ],
    skips: [...STUBS],
  },
};
