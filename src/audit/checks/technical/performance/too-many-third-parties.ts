import { siteHost } from '../../../crawl/url.ts';
import { htmlPage } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { type LoadedFile, loadedFiles } from '../../lookups/pageLinks.ts';
import { hostOf } from '../../lookups/siteIndex.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const tooManyThirdParties = pageCheck({
  id: 'too-many-third-parties',
  title: 'Page depends on many outside hosts',
  category: 'technical',
  group: 'performance',
  impact: 'low',
  difficulty: 'medium',
  minutes: 60,
  gain: 'Less waiting and fewer privacy questions.',
  timeToResult: '2-4 weeks',
  risk: 'Each host needs a new connection.',
  steps: ['Remove unused tags, self-host fonts, preconnect to the rest.'],
  example: { before: null, after: '<link rel="preconnect" href="https://cdn.example.com" crossorigin>' },
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
