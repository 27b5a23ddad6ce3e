import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { words } from '../../../given/audit/page.ts';
import { body, head, LONG, main } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const naming = (href: string, more = ''): string =>
  head(`<title>Tea and teapots</title><link rel="canonical" href="${href}">${more}`);
const elsewhere = head('<link rel="canonical" href="https://example.com/">', '<main><h1>All our teapots</h1></main>');
const declaring = (amp: string): string =>
  naming('https://example.com/', `<link rel="amphtml" href="https://example.com${amp}">`);
const alternates = (...langs: string[]): string =>
  langs.map((lang) => `<link rel="alternate" hreflang="${lang}" href="https://example.com/${lang}">`).join('');

/** With a text that only this word makes. */
const telling = (canonical: string, word: string): string =>
  head(
    `<title>Tea and teapots</title><link rel="canonical" href="https://example.com${canonical}">`,
    `<main><h1>All about ${word}</h1><p>${words(120, word)}</p></main>`,
  );

export const CANONICAL: CaseTable = {
  'canonical-missing': {
    passes: [
      naming('https://example.com/'),
      { pages: [{ html: page, headers: { link: '<https://example.com/>; rel="canonical"' } }] },
    ],
    finds: [
      {
        site: { pages: [{ url: '/tea?sort=price', html: page }] },
        hint: true,
        code: '<link rel="canonical" href="https://example.com/tea?sort=price">',
      },
      body(`<link rel="canonical" href="https://example.com/">${LONG}`),
    ],
    skips: [head('<meta name="robots" content="noindex">')],
  },
  'canonical-other-host': {
    passes: [naming('https://example.com/'), naming('https://www.example.com/'), naming('http://example.com/tea')],
    finds: [
      {
        site: naming('https://old.example/'),
        tells: 'names https://old.example/, on another site',
        impact: 'high',
        code: 'href="https://example.com/"',
      },
      { site: { pages: [page, { url: '/tea', html: naming('https://old.example/tea') }] }, impact: 'medium', count: 1 },
    ],
    skips: [page],
  },
  'canonical-invalid': {
    passes: [naming('https://example.com/'), naming('https://other.example/')],
    finds: [
      { site: naming('/tea'), tells: 'is relative' },
      { site: naming('https://exa mple.com/'), tells: 'isn’t a web address' },
      { pages: [{ html: page, headers: { link: '</tea>; rel="canonical"' } }] },
    ],
    skips: [page, naming('')],
  },
  'canonical-conflict': {
    passes: [
      naming('https://example.com/a'),
      naming('https://example.com/a', '<link rel="canonical" href="https://example.com/a">'),
    ],
    finds: [
      {
        site: naming('https://example.com/a', '<link rel="canonical" href="https://example.com/b">'),
        tells: '2 different canonical addresses',
      },
      {
        pages: [{ html: naming('https://example.com/a'), headers: { link: '<https://example.com/b>; rel=canonical' } }],
      },
    ],
    skips: [page],
  },
  'canonical-to-root': {
    passes: [
      { pages: [naming('https://example.com/')] },
      { pages: [{ url: '/tea', html: naming('https://other.example/') }] },
      // The start page itself, under the name of its file or another one.
      { pages: [page, { url: '/index.php', html: elsewhere }] },
      { pages: [naming('https://example.com/'), { url: '/home', html: naming('https://example.com/') }] },
      // The start page declares it as its AMP version.
      { pages: [declaring('/amp'), { url: '/amp', html: elsewhere }] },
    ],
    finds: [
      {
        site: { pages: [{ url: '/tea', html: naming('https://example.com/') }] },
        tells: '/tea names the home page',
        code: 'href="https://example.com/tea"',
      },
      { site: { pages: [page, { url: '/index.php?page=3', html: elsewhere }] }, count: 1 },
      { site: { pages: [page, { url: '/teas/index.html', html: elsewhere }] }, count: 1 },
      { site: { pages: [declaring('/other'), { url: '/amp', html: elsewhere }] }, count: 1 },
    ],
    skips: [page],
  },
  'canonical-other-content': {
    passes: [
      // Itself, a copy with the same text, and another site.
      { pages: [page, { url: '/tea', html: telling('/tea', 'green') }] },
      {
        pages: [
          page,
          { url: '/tea', html: telling('/tea', 'green') },
          { url: '/print', html: telling('/tea', 'green') },
        ],
      },
      { pages: [page, { url: '/tea', html: naming('https://other.example/') }] },
      { pages: [page, { url: '/coffee', html: telling('/coffee', 'brown') }] },
      // A filtered list, and the start page: canonical-to-root speaks of that.
      {
        pages: [
          page,
          { url: '/tea', html: telling('/tea', 'green') },
          { url: '/tea?color=black', html: telling('/tea', 'black') },
        ],
      },
      { pages: [page, { url: '/tea', html: telling('/', 'green') }] },
    ],
    finds: [
      {
        site: {
          pages: [
            page,
            { url: '/tea', html: telling('/tea', 'green') },
            { url: '/coffee', html: telling('/tea', 'brown') },
          ],
        },
        tells: '/tea as its original, which says something else',
      },
      {
        site: {
          pages: [
            page,
            { url: '/teas', html: telling('/teas', 'green') },
            { url: '/teas/page/2', html: telling('/teas', 'black') },
          ],
        },
        tells: 'although it lists other entries',
      },
    ],
    unchecked: [{ pages: [page, { url: '/tea', html: telling('/unread', 'green') }] }],
    skips: [page],
  },
  'canonical-other-language': {
    passes: [{ pages: [{ url: '/en', html: naming('https://example.com/en', alternates('en', 'de')) }] }],
    finds: [
      {
        site: { pages: [{ url: '/de', html: naming('https://example.com/en', alternates('en', 'de')) }] },
        tells: 'https://example.com/en',
      },
    ],
    skips: [{ pages: [{ url: '/de', html: naming('https://example.com/en') }] }],
  },
  'canonical-to-redirect': {
    passes: [
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', html: page },
        ],
      },
    ],
    finds: [
      {
        site: {
          pages: [{ url: '/a', html: naming('https://example.com/b') }],
          linkChecks: [
            {
              url: '/b',
              finalUrl: 'https://example.com/c',
              hops: [{ url: 'https://example.com/b', status: 301, location: '/c' }],
            },
          ],
        },
        tells: 'redirects to https://example.com/c',
        code: 'https://example.com/c',
      },
    ],
    skips: [naming('https://example.com/'), page],
    unchecked: [{ pages: [{ url: '/a', html: naming('https://example.com/b') }] }],
  },
  'canonical-to-error': {
    passes: [
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', html: page },
        ],
      },
    ],
    finds: [
      {
        site: {
          pages: [
            { url: '/a', html: naming('https://example.com/b') },
            { url: '/b', status: 404 },
          ],
        },
        tells: 'status 404',
        count: 1,
      },
    ],
    skips: [page],
    unchecked: [
      { pages: [{ url: '/a', html: naming('https://example.com/b') }] },
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', status: 403 },
        ],
      },
    ],
  },
  'canonical-to-noindex': {
    passes: [
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', html: page },
        ],
      },
    ],
    finds: [
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', html: head('<meta name="robots" content="noindex">') },
        ],
      },
      {
        pages: [{ url: '/a', html: naming('https://example.com/private/b') }],
        robots: 'User-agent: *\nDisallow: /private/',
      },
    ],
    skips: [page],
    unchecked: [{ pages: [{ url: '/a', html: naming('https://example.com/b') }], linkChecks: [{ url: '/b' }] }],
  },
  'canonical-chain': {
    passes: [
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', html: naming('https://example.com/b') },
        ],
      },
      {
        pages: [
          { url: '/a', html: naming('https://example.com/b') },
          { url: '/b', html: page },
        ],
      },
    ],
    finds: [
      {
        site: {
          pages: [
            { url: '/a', html: naming('https://example.com/b') },
            { url: '/b', html: naming('https://example.com/c') },
          ],
        },
        tells: 'names https://example.com/c as its own original',
        count: 1,
      },
    ],
    unchecked: [{ pages: [{ url: '/a', html: naming('https://example.com/b') }] }],
  },
  'canonical-in-body': {
    passes: [naming('https://example.com/')],
    finds: [
      { site: body('<link rel="canonical" href="https://example.com/">'), tells: 'is in the body' },
      {
        site: '<!doctype html><html><head><div></div><link rel="canonical" href="https://example.com/"></head><body></body></html>',
        tells: '<div> ends the head early',
      },
    ],
    skips: [page],
  },
};
