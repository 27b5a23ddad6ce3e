/** Rarely changing files of the site whose headers are known. */
import type { Crawl, FetchOutcome } from '../../crawl/site.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { header } from './siteIndex.ts';

export type StaticFile = { readonly url: string; readonly cacheControl: string | null };

/** Stylesheets, scripts and fonts first, then images; at most ten. */
export function staticFiles(site: Crawl): readonly StaticFile[] {
  const own = `${site.discovery.origin}/`;
  const assets = (site.fileChecks ?? []).filter(({ kind }) => kind === 'asset');
  const images = site.linkChecks.filter(({ kind }) => kind === 'image');
  return [...assets, ...images]
    .filter(({ url, outcome }) => url.startsWith(own) && isLoaded(outcome))
    .slice(0, THRESHOLDS.cacheFiles)
    .map(({ url, outcome }) => ({ url, cacheControl: header(outcome, 'cache-control') }));
}

/** An HTML page served in place of the file does not count. */
function isLoaded(outcome: FetchOutcome): boolean {
  return outcome.status === 200 && !/^text\/html/i.test(header(outcome, 'content-type') ?? '');
}
