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
  risk: 'Each host needs a connection of its own before its files can load, and any of them can hold up the page.',
  steps: [
    'Go through the hosts in the finding and find out which script, tag or widget loads from each.',
    'Remove what you no longer use, starting with old tags in the tag manager.',
    'Host fonts, libraries and images on your own domain.',
    'Add a preconnect link for the one or two remaining hosts that the top of the page needs.',
  ],
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
