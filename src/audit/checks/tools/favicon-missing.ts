import type { Crawl, FetchOutcome } from '../../crawl/site.ts';
import { hasStartPage, isStartPageComplete } from '../applies.ts';
import { siteCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { header, siteIndex } from '../lookups/siteIndex.ts';

export const faviconMissing = siteCheck({
  id: 'favicon-missing',
  title: 'Favicon is missing or broken',
  category: 'tools',
  group: 'branding',
  impact: 'low',
  difficulty: 'easy',
  minutes: 10,
  gain: 'People recognize your site in search results, tabs, and bookmarks.',
  timeToResult: '1-3 weeks',
  risk: 'The site has no favicon that loads, so search results and browser tabs show a generic icon instead of yours.',
  steps: [
    'If the home page already links to an icon, correct the icon’s URL or upload the file again.',
    'If it doesn’t, make a square icon of at least 48 by 48 pixels and upload it in your site’s icon setting or to the server.',
    'If your CMS doesn’t link the icon by itself, add `<link rel="icon" href="YOUR ICON ADDRESS">` to the `<head>` of the home page in the template.',
    'Open the icon’s URL in a browser and make sure the icon appears. Then reload the home page and make sure the browser tab shows it, too.',
  ],
  // No code is written: there is no image to name.
  example: { before: null, after: '<link rel="icon" href="YOUR ICON ADDRESS">' },
  tags: ['branding'],
  source:
    'Google Search Central: Favicon in search (https://developers.google.com/search/docs/appearance/favicon-in-search)',
  looksIn: ['icon links', '/favicon.ico'],
  appliesTo: hasStartPage,
  gathered: (site) => isStartPageComplete(site) && iconAnswer(site) !== null,
  run: (site) => {
    const { start } = siteIndex(site);
    const named = namedIcon(site);
    const outcome = iconAnswer(site);
    if (start === null) return [];
    const type = outcome === null ? '' : (header(outcome, 'content-type') ?? '');
    if (outcome?.status === 200 && !/^text\/html/i.test(type)) return [];
    const what = named === null ? 'No icon is named and /favicon.ico' : `The icon ${named}`;
    const problem =
      outcome === null || outcome.status === null
        ? 'could not be fetched'
        : outcome.status === 200
          ? 'is a web page'
          : `answers with status ${outcome.status}`;
    return [
      {
        evidence: seen(start, 'link[rel=icon]', `${named ?? '/favicon.ico'}: ${outcome?.status ?? 'no answer'}`),
        message: `${what} ${problem}.`,
      },
    ];
  },
});

/** The answer of the named icon, else of /favicon.ico; null if it was not fetched. */
function iconAnswer(site: Crawl): FetchOutcome | null {
  const named = namedIcon(site);
  return named === null ? site.discovery.probes.favicon : (siteIndex(site).answerOf(named)?.outcome ?? null);
}

function namedIcon(site: Crawl): string | null {
  const { start } = siteIndex(site);
  return start?.facts?.resources.find(({ kind }) => kind === 'icon')?.url ?? null;
}
