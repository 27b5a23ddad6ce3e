import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { words } from '../../../given/audit/page.ts';
import { body, head, LONG, ld, main, SCHEMA, STUBS } from './html.ts';

const titled = (title: string, h1 = 'Tea'): string =>
  head(`<title>${title}</title>`, `<main><h1>${h1}</h1>${LONG}</main>`);
const page = titled('Loose leaf teas by hand');
const described = (text: string): string =>
  head(`<title>Loose leaf teas</title><meta name="description" content="${text}">`);
const GOOD = 'Loose leaf teas from small gardens, and teapots made by hand: brewed slowly, sent within two days.';
const at = (url: string, html: string) => ({ url, html });
const linked = (count: number, tag: string): string =>
  Array.from({ length: count }, (_, nth) => `<${tag}><a href="/teas/${nth}">Tea of garden ${nth}</a></${tag}>`).join(
    '',
  );
const article = (inside: string, more = ''): string =>
  head(
    `<title>How to brew tea</title><meta property="og:type" content="article">${more}`,
    `<main><article><h1>How to brew</h1>${inside}${LONG}</article></main>`,
  );

/** A page in English for one region, and those that it names as its versions. */
const version = (own: string, ...others: string[]): string =>
  head(
    `<title>Teapots by hand</title>${[own, ...others].map((each) => `<link rel="alternate" hreflang="en-${each}" href="https://example.com/${each}">`).join('')}`,
    `<main><h1>Tea</h1>${LONG}<p>Sent from ${own}</p></main>`,
  );
const REGIONS = [at('/us', version('us', 'uk')), at('/uk', version('uk', 'us'))];

export const CONTENT: CaseTable = {
  'title-missing': {
    passes: [page],
    finds: [
      { site: head(''), tells: 'has no title' },
      { site: head('<title> </title>'), tells: 'is empty' },
      {
        site: body('<title>Tea in the body</title>').replace('<title>Tea and teapots by hand</title>', ''),
        tells: 'is in the body',
        hint: true,
      },
      `${body('').replace(/<title>.*<\/title>/, '')}<svg><title>Icon</title></svg>`,
    ],
    skips: [...STUBS],
  },
  'title-too-long': {
    passes: [page, titled('x'.repeat(20))],
    finds: [
      {
        site: titled('Loose leaf teas from small gardens, and teapots made by hand in the hills'),
        tells: '73 characters',
      },
      { site: titled('茶'.repeat(40)), tells: 'about 720 px' },
    ],
    skips: [head('')],
  },
  'title-too-short': {
    passes: [page, titled('手作りの急須と日本茶の専門店')],
    finds: [{ site: titled('Teas'), tells: '"Teas" has 4 characters' }],
    // A page that nobody can find needs no text for its result.
    skips: [...STUBS, head(''), titled('Log in').replace('<title>', '<meta name="robots" content="noindex"><title>')],
  },
  'title-duplicate': {
    passes: [
      { pages: [page, at('/a', titled('Teapots made by hand'))] },
      { pages: REGIONS },
      {
        pages: [
          at('/news', titled('News')),
          at('/news?page=2', titled('News', 'Two')),
          at('/news?page=3', titled('News', 'Three')),
        ],
      },
      { pages: [at('/blog/', titled('Blog')), at('/blog/page/2/', titled('Blog', 'Two'))] },
      // Copies of the whole page are found by duplicate-content.
      { pages: [page, at('/a', page)] },
      { pages: [page, at('/a', page.replace('lang="en"', 'lang="de"'))] },
      {
        pages: [
          page,
          at('/a', head('<title>Loose leaf teas by hand</title><link rel="canonical" href="https://example.com/">')),
        ],
      },
    ],
    finds: [
      {
        site: { pages: [page, at('/a', titled('Loose leaf  TEAS by hand', 'Pots'))] },
        tells: '2 pages have the title',
        count: 2,
      },
      // The versions of one page count once, and only if each names the other.
      {
        site: { pages: [...REGIONS, at('/a', titled('Teapots by hand', 'Other'))] },
        tells: '2 pages have the title',
        count: 2,
      },
      { site: { pages: [at('/us', version('us', 'uk')), at('/uk', version('uk'))] }, count: 2 },
      {
        site: { pages: [at('/news?page=2', titled('News', 'Two')), at('/tea?page=3', titled('News', 'Three'))] },
        count: 2,
      },
    ],
    skips: [page],
  },
  'title-multiple': {
    passes: [page, body('<svg><title>Icon</title></svg>')],
    finds: [{ site: head('<title>Teas</title><title>Pots</title>'), tells: '2 title elements' }],
  },
  'title-generic': {
    passes: [
      page,
      titled('Welcome to the tea house'),
      { pages: [at('/genindex', titled('Index — Tea handbook', 'Index – H'))] },
    ],
    finds: [
      { site: titled('Home', 'Loose leaf teas'), code: '<title>Loose leaf teas</title>' },
      titled('example.com'),
      titled('Vite + React'),
      { pages: [at('/teas', titled('Untitled | Tea shop'))] },
    ],
  },
  'title-h1-mismatch': {
    passes: [
      titled('Loose leaf teas by hand', 'Our teas'),
      titled('Teapots | Tea shop', 'Teapots and cups'),
      titled('急須の選び方', '急須'),
      titled('When the shop opens', 'Opening hours'),
      titled('Tea shop | Delivery', 'Delivery times'),
      // Parts of compounds, written in one word or two.
      titled('Rangeslider - Demos', 'Range slider'),
      titled('Textinput - Demos', 'Text inputs'),
      titled('Filter - Demos', 'Filterable'),
      titled('Fensterbau Holm', 'Unsere Fenster'),
    ],
    finds: [
      { site: titled('Teapots | Tea shop', 'Delivery times'), tells: 'the main heading "Delivery times"' },
      // A part of three letters is in many words.
      { site: titled('Teapots | Shop', 'Tea times'), tells: 'the main heading "Tea times"' },
    ],
    skips: [body('<main>No heading</main>'), head('', '<h1>Tea</h1>')],
  },
  'description-missing': {
    passes: [described(GOOD)],
    finds: [
      { site: page, tells: 'has no meta description', code: '<meta name="description" content="word0' },
      { site: described('&nbsp; '), tells: 'is empty' },
    ],
    skips: [
      ...STUBS,
      body('<div id="root"></div><script src="/a.js"></script>'),
      head('<title>Log in</title><meta name="robots" content="noindex">'),
    ],
  },
  'description-multiple': {
    passes: [described(GOOD), described(`${GOOD}"><meta name="description" content="${GOOD}`)],
    finds: [
      {
        site: described(`${GOOD}"><meta name="description" content="Another one.`),
        tells: 'has 2 meta descriptions with different texts',
      },
    ],
    skips: [page, described(' ')],
  },
  'description-length': {
    passes: [
      described(GOOD),
      described(
        '手作りの急須と日本茶の専門店です。小さな茶園から届く茶葉を、丁寧に選んでお届けします。淹れ方の相談も承ります。',
      ),
    ],
    finds: [
      { site: described('Loose leaf teas.'), tells: '16 characters' },
      {
        site: described(`${GOOD} ${GOOD}`),
        tells: 'characters; 80 to 160',
        code: 'Loose leaf teas from small gardens',
      },
    ],
    skips: [page],
  },
  'description-duplicate': {
    passes: [
      { pages: [described(GOOD), at('/a', described(`More: ${GOOD}`))] },
      { pages: [described(GOOD), at('/a', described(GOOD))] },
      { pages: [at('/tea/p/1', described(GOOD)), at('/tea/p/2', described(GOOD).replace('<h1>Tea', '<h1>Two'))] },
    ],
    finds: [{ site: { pages: [described(GOOD), at('/a', described(GOOD).replace('<h1>Tea', '<h1>Pots'))] }, count: 2 }],
    skips: [described(GOOD)],
  },
  'h1-missing': {
    passes: [page, main('<h1><img src="/l.png" alt="Tea shop"></h1>')],
    finds: [
      { site: main('<h2>Tea</h2>'), tells: 'no main heading' },
      { site: main('<h1></h1>'), tells: 'is empty' },
    ],
    skips: [...STUBS],
  },
  'h1-multiple': {
    passes: [page, main('<h1>Tea</h1><h1 hidden>Pots</h1>')],
    finds: [{ site: main('<h1>Tea</h1><h1>Pots</h1>'), tells: '2 main headings', hint: true, code: '<div>' }],
  },
  'heading-order': {
    passes: [main('<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>'), main('<h3>A</h3><h4>B</h4>')],
    finds: [
      {
        site: main('<h1>Tea</h1><h3>Green</h3>'),
        tells: 'After the h1 "Tea" comes the h3 "Green"',
        code: '<h2>',
      },
    ],
    skips: [main('<h1>A</h1>')],
  },
  'heading-empty': {
    passes: [
      page,
      main('<h2><img src="/a.png" alt="Teas"></h2>'),
      main('<h2><img src="/a.png" title="Teas"></h2>'),
      main('<h2 aria-label="Teas"></h2>'),
    ],
    finds: [
      { site: main('<h2> </h2>'), tells: 'An h2 has no text' },
      { site: main('<h2><span hidden>Teas</span></h2>'), tells: 'An h2 has no text' },
    ],
    skips: [main('<p>Tea</p>')],
  },
  'no-subheadings': {
    passes: [main(`<h1>Tea</h1><h2>A</h2><p>${words(300)}</p><h2>B</h2><p>${words(200)}</p>`)],
    finds: [{ site: main(`<h1>Tea</h1><p>${words(450)}</p>`), tells: 'have no subheading' }],
    skips: [
      page,
      main(`<h1>Tea</h1>${LONG}<pre>${words(300)}</pre>`),
      // A table of contents, also on the start page.
      main(
        `<h1>Tea</h1>${Array.from({ length: 100 }, (_, at) => `<a href="/${at}">Chapter ${at}: ${words(4, `w${at}x`)}</a> `).join('')}`,
      ),
    ],
  },
  'hidden-text': {
    passes: [
      page,
      main(`${LONG}<p style="position:absolute;left:-9999px">Skip to the content</p>`),
      main(
        `<p style="position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0 0 0 0);font-size:0">${words(30)}</p>`,
      ),
      main(`${LONG}<div style="display:none">${words(30)}</div><div style="font-size:0"><img src="/a.png"></div>`),
      main(
        `<p style="color:#fff;background-color:#111">${words(30)}</p><p style="margin-left:-20px;font-size:1rem">${words(30)}</p>`,
      ),
    ],
    finds: [
      {
        site: main(`${LONG}<div style="position: absolute; left: -9999px">${'cheap tea for all, '.repeat(6)}</div>`),
        tells: 'begin with "cheap tea',
        count: 1,
        hint: false,
      },
      // Off-screen alone, it may be meant for screen readers.
      { site: body(`<p style="text-indent:-5000px">${words(30)}</p>`), tells: 'text-indent: -5000px', hint: true },
      {
        site: body(`<p style="left:-9999px">${words(30)}</p><p style="font-size:0">${words(30)}</p>`),
        tells: 'font-size: 0',
        count: 1,
        hint: false,
      },
      { site: main(`<font style="FONT-SIZE: 0px">${words(30)}</font>`), tells: 'font-size: 0px' },
      { site: main(`<p style="color:#ffffff; background:#ffffff">${words(30)}</p>`), tells: 'color: #ffffff' },
    ],
    skips: [body('<div id="app"></div><script src="/a.js"></script>'), ...STUBS],
  },
  'thin-content': {
    passes: [page, main(`<h1>茶</h1><p>${'日本の茶園で育てられた茶葉を丁寧に摘み取ります。'.repeat(30)}</p>`)],
    finds: [
      { pages: [at('/news?page=2', main('<p>Short.</p>'))] },
      main(`<h1>Tea</h1><p>${words(90)}</p><pre>${words(60)}</pre>`),
      { site: main('<h1>Tea</h1><p>Short.</p>'), tells: 'The main content has 2 words' },
      body(`<nav>${words(300)}</nav><main>Short.</main>`),
      {
        site: { pages: [at('/guide', body(`<div>${linked(200, 'div')}</div><h1>Tea</h1><p>${words(36)}</p>`))] },
        tells: 'The main content has 41 words',
      },
      {
        site: {
          pages: [
            at(
              '/guide',
              body(`<h1>Tea</h1><p>${words(39)}</p><div class="sidebar"><ul>${linked(90, 'li')}</ul></div>`),
            ),
          ],
        },
        tells: 'fewer than 200',
      },
    ],
    skips: [
      ...STUBS,
      { pages: [at('/news', main('<p>Short.</p>')), at('/news?page=2', main('<p>Short, too.</p>'))] },
      { pages: [at('/contact', main('<p>Short.</p>'))] },
      main(`<h1>brew.py</h1><pre>${words(90)}</pre>`),
      {
        pages: [
          at(
            '/teas',
            main(
              `<h1>All our teas</h1><ul>${['green', 'black', 'white'].map((tea) => `<li><a href="/${tea}">The ${tea} tea of this spring</a>`).join('')}</ul>`,
            ),
          ),
        ],
      },
      // Below a menu, the list of a page that leads to others.
      {
        pages: [
          at('/teas', body(`<div>${linked(50, 'div')}</div><h1>All our teas</h1><ul>${linked(20, 'li')}</ul>`)),
          at('/pots', body(`<div><h1>All our pots</h1><ul class="menu">${linked(20, 'li')}</ul></div>`)),
        ],
      },
      head('<meta name="robots" content="noindex">'),
      body('<div id="app"></div><script src="/a.js"></script>'),
    ],
  },
  'duplicate-content': {
    passes: [
      { pages: REGIONS },
      { pages: [page, at('/a', main(`<h1>Pots</h1><p>${words(260, 'pot')}</p>`))] },
      { pages: [page, at('/a', head('<title>Tea</title><link rel="canonical" href="https://example.com/">'))] },
    ],
    finds: [
      {
        pages: [
          page,
          at(
            '/a',
            head(
              '<title>Tea</title><link rel="canonical" href="file:///srv/a.html">',
              page.slice(page.indexOf('<main>'), page.indexOf('</body>')),
            ),
          ),
        ],
      },
      {
        site: { pages: [page, at('/a', page)] },
        tells: '/a has the same text as /',
        count: 1,
      },
      { site: { pages: [at('/Tea', page), at('/tea', page)] }, tells: '/Tea has the same text as /tea', count: 1 },
      { site: { pages: [...REGIONS, at('/copy', version('us', 'uk'))] }, tells: '/copy has', count: 1 },
      {
        site: { pages: [main(`<p>${words(400)}</p>`), at('/a', main(`<p>${words(400)} extra</p>`))] },
        tells: 'nearly the same',
      },
    ],
    skips: [page],
  },
  'placeholder-text': {
    passes: [
      page,
      main('<h1>Templates</h1><p>In Vue you write {{ message }} in the template.</p>'),
      main('<p>Todo: comprar té.</p>'),
      titled('What does undefined mean in scripts?', 'Why NaN is no number'),
    ],
    finds: [
      { site: main(`<h1>Tea</h1><p>Lorem ipsum dolor sit amet.</p>${LONG}`), tells: 'Lorem ipsum dolor' },
      { site: main('<h1>Hello {{name}}</h1>'), tells: '"{{name}}" was left' },
      { site: titled('[Insert title here]'), tells: 'head > title' },
      { site: main('<h2>Price: undefined</h2>'), tells: '"undefined" was left' },
      ...[
        'undefined',
        'NaN € per pot',
        'Hello undefined, welcome',
        'Tea shop | undefined',
        'undefined – Tea shop',
        'Rated NaN',
      ].map((text) => titled(text)),
      { site: titled('Order [object Object] of today'), tells: '"[object Object]" was left' },
      main('<p>Write to [insert your address].</p>'),
    ],
  },
  'contact-missing': {
    passes: [
      main('<a href="/contact">Write to us</a>'),
      main('<a href="tel:+4312345">Call</a>'),
      main('<a href="/x">Impressum</a>'),
      ...[
        'Mentions légales',
        'Aviso legal',
        'お問い合わせ',
        'اتصل بنا',
        '联系我们',
        '문의하기',
        'Контакты',
        'Chi siamo',
        'Sobre nós',
        'Over ons',
        'Om oss / kontakta oss',
        'Yhteystiedot',
        'O nás',
        'İletişim',
        'Επικοινωνία',
        'צור קשר',
      ].map((name) => main(`<a href="/x">${name}</a>`)),
      ...[
        'Call +44 20 7946 0123',
        'Tel.: 020 7946 0123',
        'Telefon (0941) 12 34 56',
        'Write to tea (at home): tea@example.com',
        'Tea House, 12 Market Street, Springfield, IL 62701',
        '電話 03-1234-5678',
      ].map((text) => page.replace('</body>', `<footer>${text}</footer></body>`)),
      main('<address>Tea House<br>Long Lane 4</address>'),
      head(
        `<title>Tea</title>${ld({ ...SCHEMA, '@type': 'Organization', contactPoint: { '@type': 'ContactPoint', telephone: '+44 20 7946 0123' } })}`,
      ),
      head(`<title>Tea</title>${ld({ ...SCHEMA, '@type': 'Organization', email: 'tea@example.com' })}`),
      { pages: [page, at('/about-us', page)] },
    ],
    finds: [
      { site: main('<a href="/teas">Teas</a>'), tells: 'None of the 1 crawled page' },
      // Numbers, names, and a byline are no way to reach anybody.
      main(
        '<p>Item 1234567890, 2026-03-01 10:00, 12 345 678 sold, @teahouse, a@b, 10:30-18:00</p><address>By Anna</address>',
      ),
    ],
    skips: [{ pages: [{ failure: 'dns' }] }],
  },
  'passage-too-long': {
    passes: [main(`<h1>Tea</h1>${`<p>${words(50)}</p>`.repeat(6)}`)],
    finds: [
      {
        site: main(`<h1>Tea</h1>${`<p>${words(130)}</p>`.repeat(2)}${`<p>${words(30)}</p>`.repeat(4)}`),
        tells: '2 of 6 paragraphs',
      },
    ],
    skips: [page],
  },
  'author-missing': {
    passes: [
      article('<p>By Anna Marlow</p>'),
      article('', '<meta name="author" content="Anna">'),
      article('<a rel="author" href="/anna">Anna</a>'),
      article('', ld({ ...SCHEMA, '@type': 'Article', author: { '@type': 'Person', name: 'Anna' } })),
    ],
    finds: [{ site: article(''), tells: 'How to brew' }],
    skips: [page],
  },
  'date-missing': {
    passes: [
      article('<time datetime="2026-01-05">January</time>'),
      article('', '<meta property="article:published_time" content="2025-12-01T10:00:00Z">'),
      article('', ld({ ...SCHEMA, '@type': 'BlogPosting', datePublished: '2026-02-01' })),
    ],
    finds: [
      { site: article(''), tells: 'shows no date', hint: false },
      { site: article('<time datetime="2021-01-05">old</time>'), tells: '2021-01-05', hint: true },
    ],
    skips: [page],
  },
};
