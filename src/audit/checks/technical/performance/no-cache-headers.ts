import type { Crawl } from '../../../crawl/site.ts';
import type { Pausable } from '../../../timeSlices.ts';
import { siteCheck } from '../../check.ts';
import { plural } from '../../evidence.ts';
import { somePage } from '../../lookups/pages.ts';
import { type StaticFile, staticFiles } from '../../lookups/staticFiles.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noCacheHeaders = siteCheck({
  id: 'no-cache-headers',
  title: 'Static files cannot be cached',
  category: 'technical',
  group: 'performance',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 20,
  gain: 'Returning visitors load almost nothing.',
  timeToResult: 'immediate',
  risk: 'Files are fetched again on each visit.',
  steps: ['Use hashed file names with a year of caching.'],
  example: { before: null, after: 'Cache-Control: public, max-age=31536000, immutable' },
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
