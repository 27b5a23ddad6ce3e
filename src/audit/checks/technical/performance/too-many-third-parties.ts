import { siteHost } from '../../../crawl/url.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { type LoadedFile, loadedFiles } from '../../lookups/pageLinks.ts';
import { hostOf } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const tooManyThirdParties = pageCheck({
  id: 'too-many-third-parties',
  title: 'Page loads files from too many other hosts',
  category: 'technical',
  group: 'performance',
  impact: 'low',
  difficulty: 'medium',
  minutes: 60,
  gain: 'The page loads faster and shares visitor data with fewer services.',
  timeToResult: '2-4 weeks',
  risk: 'This page loads files from more than ten other hosts. Each needs a connection of its own before its files can load, and any of them can hold up the page.',
  steps: [
    'Open the Network tab in your browser’s developer tools, show the Domain and Initiator columns, and reload the page. For each host that this report lists, Initiator shows which script or tag loads from it.',
    'Remove what you no longer use, starting with old tags in your tag manager.',
    'Move fonts, libraries, and images to your own domain, with a plugin or by uploading them. Leave scripts where they are that only work from their own host, such as payment forms and maps.',
    'For the one or two remaining hosts that the top of the page needs, add `<link rel="preconnect" href="YOUR CDN ADDRESS" crossorigin>` to the `<head>`.',
    'Reload the page with the Domain column and make sure it lists at most ten other hosts, or only ones you need.',
  ],
  // No code is written: which of them the site can do without is the owner’s choice.
  example: { before: null, after: '<link rel="preconnect" href="https://YOUR CDN HOST" crossorigin>' },
  tags: ['speed', 'third-party'],
  source: 'Lighthouse: third-parties-insight',
  appliesTo: htmlPage,
  run: (page) => {
    const own = siteHost(page.outcome.url);
    const hosts = new Set(
      loadedFiles(page)
        .filter(({ kind }) => FROM_OUTSIDE.has(kind))
        .map(({ url }) => hostOf(url))
        .filter((host) => host.replace(/^www\./, '') !== own),
    );
    if (hosts.size <= THRESHOLDS.thirdPartyHosts) return [];
    return [
      {
        evidence: seen(page, 'html', [...hosts].join(', ')),
        message: `The page loads from ${hosts.size} other hosts; ${THRESHOLDS.thirdPartyHosts} is the limit.`,
      },
    ];
  },
});

const FROM_OUTSIDE: ReadonlySet<LoadedFile['kind']> = new Set([
  'script',
  'stylesheet',
  'iframe',
  'frame',
  'image',
  'font',
  'preload',
]);
