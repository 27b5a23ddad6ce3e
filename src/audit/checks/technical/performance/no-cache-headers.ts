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
  risk: 'Your server doesn’t let browsers keep most stylesheets, scripts, and images, so they have to ask for them again on later visits. This is an estimate from up to ten files of the site.',
  steps: [
    'For each file that this report names: if its name stays the same when its content changes, send the header `Cache-Control: public, max-age=604800`, which keeps the file for a week.',
    'If its name changes with its content (a hash in the name), you can send `Cache-Control: public, immutable` with a `max-age` of one year in seconds.',
    'Set the header in a cache plugin, your web host’s control panel, your CDN, or the server’s configuration. If you can’t change any of these yourself, send this step to your host’s support team.',
    'Don’t send this header with HTML pages, because visitors would keep seeing the old version.',
    'Open the Network tab in your browser’s developer tools, reload the page, click the entry of one of these files, and make sure its response headers contain the new value.',
  ],
  // No code is written: how long a file may be kept depends on how the site names its versions.
  example: { before: 'Cache-Control: no-cache', after: 'Cache-Control: public, max-age=604800' },
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
