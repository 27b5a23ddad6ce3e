import type { Crawl } from '../../../crawl/site.ts';
import type { Pausable } from '../../../timeSlices.ts';
import { siteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { somePage } from '../../lookups/pages.ts';
import { type StaticFile, staticFiles } from '../../lookups/staticFiles.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noCacheHeaders = siteCheck({
  id: 'no-cache-headers',
  title: 'Static files are cached too briefly or not at all',
  category: 'technical',
  group: 'performance',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Return visits are faster because browsers use the files they already have.',
  timeToResult: 'immediate',
  risk: 'On later visits, browsers have to ask for the same stylesheets, scripts and images again. This is an estimate from up to ten files of the site.',
  steps: [
    'Have your build add a hash of the content to file names, so that a changed file gets a new URL.',
    'Send those files with the header from the example, which lets browsers keep them for a year.',
    'For files whose names never change, use max-age=604800, which is a week.',
    'Don’t use these headers for HTML pages.',
  ],
  example: { before: 'Cache-Control: no-cache', after: 'Cache-Control: public, max-age=31536000, immutable' },
  tags: ['speed', 'caching'],
  source: 'Lighthouse: cache-insight',
  appliesTo: namesFiles,
  gathered: (site) => staticFiles(site).length > 0,
  run: (site) => {
    const files = staticFiles(site);
    const short = files.filter((file) => !isKept(file));
    const [first] = short;
    if (first === undefined || short.length * 2 <= files.length) return [];
    return [
      {
        evidence: { url: first.url, place: 'header cache-control', value: first.cacheControl ?? 'missing' },
        message: `${short.length} of ${plural(files.length, 'file')} looked at may not be kept by browsers for a week, such as ${short
          .slice(0, 3)
          .map(({ url }) => new URL(url).pathname)
          .join(', ')}.`,
      },
    ];
  },
});

function namesFiles(site: Crawl): Pausable<boolean> {
  const own = `${site.discovery.origin}/`;
  return somePage(
    site,
    ({ facts }) =>
      facts.resources.some(
        ({ kind, url }) => (kind === 'stylesheet' || kind === 'script' || kind === 'font') && url.startsWith(own),
      ) || facts.images.some(({ url }) => url?.startsWith(own) === true),
  );
}

function isKept({ cacheControl }: StaticFile): boolean {
  const directives = (cacheControl ?? '').toLowerCase();
  if (/\b(?:no-store|no-cache)\b/.test(directives)) return false;
  const maxAge = Number(/\bmax-age=(\d{1,12})/.exec(directives)?.[1] ?? 0);
  return /\bimmutable\b/.test(directives) || maxAge >= THRESHOLDS.cacheSeconds;
}
