import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { type GivenSite, words } from '../../../given/audit/page.ts';
import { main } from './html.ts';

const html = (text: string, more = ''): string =>
  `<!doctype html><html lang="en"><head><title>Tea from the mountains</title>${more}</head><body><main><h1>Tea</h1><p>${text}</p></main></body></html>`;
const TEXT = words(300);
const LINKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `<a href="/${name}">Tea ${name}</a>`).join(' ');
const PRODUCT =
  '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tea"}</script>';
const NOINDEX = '<meta name="robots" content="noindex">';
const page = html(TEXT);

const asPhone = (given: string, phone: string): GivenSite => ({
  pages: [given],
  agentAnswers: [{ agent: 'phone', html: phone }],
});
const both = (phone: string, googlebot: string): GivenSite => ({
  pages: [page],
  agentAnswers: [
    { agent: 'phone', html: phone },
    { agent: 'googlebot', html: googlebot },
  ],
});
const challenged = '<title>Just a moment...</title><script>window._cf_chl_opt={}</script>';
/** What says nothing about the page: no answer, a refusal, another address, a page that scripts fill. */
const UNCOMPARED: readonly GivenSite[] = [
  { pages: [page] },
  { pages: [page], agentAnswers: [{ agent: 'phone', status: 403 }] },
  { pages: [page], agentAnswers: [{ agent: 'phone', status: 429 }] },
  { pages: [page], agentAnswers: [{ agent: 'phone', finalUrl: 'https://m.example.com/', html: NOINDEX }] },
  asPhone(page, '<div id="root"></div><script src="/app.js"></script>'),
];

export const OTHER_AGENTS: CaseTable = {
  'googlebot-refused': {
    passes: [
      { pages: [page], agentAnswers: [{ agent: 'googlebot', html: page }] },
      { pages: [page], agentAnswers: [{ agent: 'googlebot', html: html(TEXT, NOINDEX) }] },
    ],
    finds: [
      {
        site: { pages: [page], agentAnswers: [{ agent: 'googlebot', status: 403 }] },
        tells: 'names Googlebot gets status 403',
        count: 1,
      },
      {
        site: {
          pages: [page, { url: '/a', html: page }],
          agentAnswers: [
            { agent: 'googlebot', html: page },
            { agent: 'googlebot', url: '/a', status: 404 },
          ],
        },
        tells: 'gets status 404',
        count: 1,
      },
    ],
    unchecked: [
      { pages: [page] },
      { pages: [page], agentAnswers: [{ agent: 'phone', status: 403 }] },
      { pages: [page], agentAnswers: [{ agent: 'googlebot', status: 429 }] },
      { pages: [page], agentAnswers: [{ agent: 'googlebot', status: 503 }] },
    ],
  },
  'noindex-by-agent': {
    passes: [both(page, page), both(html('Short.'), page)],
    finds: [
      { site: both(html(TEXT, NOINDEX), page), tells: 'Phones get "noindex"', count: 1 },
      {
        site: both(page, html(TEXT, '<meta name="googlebot" content="none">')),
        tells: 'Requests that name Googlebot get "none"',
      },
      {
        site: {
          pages: [page],
          agentAnswers: [{ agent: 'googlebot', html: page, headers: { 'x-robots-tag': 'noindex' } }],
        },
        tells: 'header x-robots-tag',
      },
      // One page stands for its template.
      {
        site: {
          pages: [page, { url: '/tea/green', html: page }, { url: '/tea/black', html: page }],
          agentAnswers: [{ agent: 'phone', url: '/tea/green', html: html(TEXT, NOINDEX) }],
        },
        tells: 'seen on https://example.com/tea/green, of the same template',
        count: 2,
      },
    ],
    unchecked: [
      { pages: [page] },
      { pages: [page], agentAnswers: [{ agent: 'phone', html: page }] },
      { pages: [page], agentAnswers: [{ agent: 'phone', html: challenged, status: 403 }] },
    ],
    // What is closed to everyone is found by other checks.
    skips: [{ pages: [html(TEXT, NOINDEX)] }, { pages: [{ status: 404 }] }],
  },
  'phone-text-missing': {
    passes: [
      asPhone(page, page),
      asPhone(page, html(words(200))),
      // A short page says little to anybody.
      asPhone(html(words(40)), html('Tea.')),
      // Without a main element, the menu counts as text.
      asPhone(page, page.replaceAll('main>', 'div>')),
    ],
    finds: [
      { site: asPhone(page, html('Get our app.')), tells: 'of text where desktops get 334', count: 1 },
      {
        site: {
          pages: [page, { url: '/tea/green', html: page }, { url: '/tea/black', html: page }],
          agentAnswers: [{ agent: 'phone', url: '/tea/green', html: main('App') }],
        },
        count: 2,
      },
    ],
    unchecked: UNCOMPARED,
    skips: [{ pages: [{ status: 404 }] }],
  },
  'phone-links-missing': {
    passes: [
      asPhone(html(TEXT + LINKS), html(TEXT + LINKS)),
      asPhone(page, page),
      asPhone(html(`${TEXT}<a href="/a">A</a>`), page),
      // Without the text, the links are missing with it.
      asPhone(html(TEXT + LINKS), html('Get our app.')),
    ],
    finds: [
      {
        site: asPhone(html(TEXT + LINKS), html(`${TEXT}<a href="/a">A</a>`)),
        tells: 'links to 1 address of the site where desktops get 8. Missing are /b, /c, /d and others',
        count: 1,
      },
      { site: asPhone(html(TEXT + LINKS), page), tells: '0 of 8 addresses' },
    ],
    unchecked: UNCOMPARED,
    skips: [{ pages: [{ status: 404 }] }],
  },
  'phone-schema-missing': {
    passes: [
      asPhone(html(TEXT, PRODUCT), html(TEXT, PRODUCT)),
      asPhone(page, html(TEXT, PRODUCT)),
      asPhone(html(TEXT, PRODUCT), html('Get our app.')),
    ],
    finds: [{ site: asPhone(html(TEXT, PRODUCT), page), tells: 'of the type Product', count: 1 }],
    unchecked: UNCOMPARED,
    skips: [{ pages: [{ status: 404 }] }],
  },
};
