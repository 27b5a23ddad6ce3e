import type { CaseTable } from '../../../given/audit/checkCases.ts';
import { body, head, LONG, main } from './html.ts';

const page = main(`<h1>Tea</h1>${LONG}`);
const alternates = (...langs: string[]): string =>
  langs
    .map(
      (lang) =>
        `<link rel="alternate" hreflang="${lang}" href="https://example.com/${lang === 'x-default' ? 'en' : lang}">`,
    )
    .join('');
const version = (url: string, ...langs: string[]) => ({ url, html: head(`<title>Tea</title>${alternates(...langs)}`) });

const copyOf = (canonical: string, ...langs: string[]): string =>
  head(`<title>Tea</title><link rel="canonical" href="https://example.com${canonical}">${alternates(...langs)}`);

/** A page with a version at the root, which redirects to it. */
const redirected = (hreflang: string, status: number) => ({
  pages: [
    {
      url: '/en',
      html: head(`<title>Tea</title><link rel="alternate" hreflang="${hreflang}" href="https://example.com/">`),
    },
  ],
  linkChecks: [
    { url: '/', finalUrl: 'https://example.com/en', hops: [{ url: 'https://example.com/', status, location: '/en' }] },
  ],
});

export const LANGUAGES: CaseTable = {
  'hreflang-invalid-code': {
    passes: [
      head(alternates('en', 'de-AT', 'zh-Hant-TW', 'x-default', 'cmn')),
      { pages: [{ html: page, headers: { link: '<https://example.com/de>; rel="alternate"; hreflang="de"' } }] },
    ],
    finds: [
      { site: head(alternates('english', 'xx')), tells: '"english" begins with "english"', count: 2 },
      head(alternates(' en')),
      head(alternates('eng')),
      {
        site: { pages: [{ html: page, headers: { link: '<https://example.com/q>; rel=alternate; hreflang=qq' } }] },
        tells: 'header link',
      },
    ],
    skips: [page],
  },
  'hreflang-invalid-region': {
    passes: [head(alternates('en-GB', 'es-419', 'lo-LA', 'de'))],
    finds: [
      { site: head(alternates('en-UK')), tells: 'Great Britain is GB' },
      { site: head(alternates('es-LA')), tells: 'is Laos' },
      head(alternates('de-EU')),
    ],
    skips: [page],
  },
  'hreflang-relative': {
    passes: [head(alternates('en'))],
    finds: [
      {
        site: head('<link rel="alternate" hreflang="de" href="/de">'),
        tells: '"/de"',
        code: 'href="https://example.com/de"',
      },
    ],
    skips: [page],
  },
  'hreflang-in-body': {
    passes: [
      head(alternates('en')),
      // Named in the head, too.
      head(alternates('en'), alternates('en')),
    ],
    finds: [
      {
        site: body('<link rel="alternate" hreflang="de" href="https://example.com/de">'),
        tells: 'Links to 1 language version are in the body',
        count: 1,
      },
      {
        site: body(
          ['de', 'fr', 'es', 'it', 'nl', 'pl']
            .map((code) => `<link rel="alternate" hreflang="${code}" href="https://example.com/${code}">`)
            .join(''),
        ),
        tells: '5 or more language versions',
      },
      {
        site: '<!doctype html><html><head><div></div><link rel="alternate" hreflang="de" href="https://example.com/de"></head><body></body></html>',
        tells: '<div> ends the head early',
      },
    ],
    skips: [page, body('<link rel="alternate" type="application/rss+xml" href="/feed">')],
  },
  'hreflang-duplicate': {
    passes: [
      head(alternates('en', 'de', 'x-default')),
      head(`${alternates('en', 'en')}<link rel="alternate" hreflang="EN" href="https://example.com/en#top">`),
    ],
    finds: [
      {
        site: head(`${alternates('en', 'de')}<link rel="alternate" hreflang="EN" href="https://example.com/uk">`),
        tells: 'names 2 pages as its en version, such as https://example.com/en and https://example.com/uk',
        count: 1,
      },
    ],
    skips: [page],
  },
  'hreflang-no-self': {
    passes: [{ pages: [version('/en', 'en', 'de')] }],
    finds: [
      {
        site: { pages: [version('/fr', 'en', 'de')] },
        tells: 'lists 2 language versions, but not itself',
        code: 'href="https://example.com/fr"',
      },
    ],
    skips: [page],
  },
  'hreflang-no-xdefault': {
    passes: [head(alternates('en', 'de', 'x-default'))],
    finds: [{ site: head(alternates('en', 'de')), tells: '2 language versions and none for everyone else' }],
    skips: [page, head(alternates('en')), { pages: [{ url: '/de?src=hot', html: copyOf('/de', 'de', 'en') }] }],
  },
  'hreflang-no-return': {
    passes: [
      { pages: [version('/en', 'en', 'de'), version('/de', 'de', 'en')] },
      // With another canonical, a page is no member of the set: nobody has to name it.
      {
        pages: [
          version('/en', 'en', 'de'),
          version('/de', 'de', 'en'),
          { ...version('/de?src=hot', 'de', 'en'), html: copyOf('/de', 'de', 'en') },
        ],
      },
    ],
    finds: [
      {
        site: { pages: [version('/en', 'en', 'de'), version('/de', 'de')] },
        tells: 'https://example.com/en names https://example.com/de as its de version',
        count: 1,
      },
    ],
    skips: [page],
    unchecked: [{ pages: [version('/en', 'en', 'de')] }],
  },
  'hreflang-bad-target': {
    passes: [
      { pages: [version('/en', 'en', 'de'), version('/de', 'de', 'en')] },
      // The address for all others may choose a language.
      redirected('x-default', 302),
    ],
    finds: [
      { site: { pages: [version('/en', 'en', 'de'), { url: '/de', status: 404 }] }, tells: 'answers with status 404' },
      {
        site: {
          pages: [version('/en', 'en', 'de')],
          linkChecks: [
            {
              url: '/de',
              finalUrl: 'https://example.com/d',
              hops: [{ url: 'https://example.com/de', status: 301, location: '/d' }],
            },
          ],
        },
        tells: 'redirects to https://example.com/d',
      },
      { site: redirected('x-default', 301), tells: 'redirects to https://example.com/en' },
      { site: redirected('de', 302), tells: 'redirects to https://example.com/en' },
      {
        site: {
          pages: [version('/en', 'en', 'de'), { url: '/de', html: head('<meta name="robots" content="noindex">') }],
        },
        tells: 'may not be listed',
      },
    ],
    unchecked: [{ pages: [version('/en', 'en', 'de')] }],
  },
  'html-lang-missing': {
    passes: [page],
    finds: [
      '<!doctype html><html><title>Tea</title>',
      { site: '<!doctype html><html lang=" "><title>Tea</title>', tells: 'lang=" "' },
      '<!doctype html><html xml:lang="en"><title>Tea</title>',
    ],
  },
  'html-lang-invalid': {
    passes: [
      page,
      '<!doctype html><html lang="zh-Hant"><title>Tea</title>',
      '<!doctype html><html lang="gsw"><title>Tea</title>',
    ],
    finds: [
      { site: '<!doctype html><html lang="english"><title>Tea</title>', tells: 'lang="english" names no language' },
      '<!doctype html><html lang="en_US"><title>Tea</title>',
      '<!doctype html><html lang="xx"><title>Tea</title>',
    ],
    skips: ['<!doctype html><html><title>Tea</title>'],
  },
};
