/** Files of the site that rarely change, of which the headers are known. */
import type { Crawl, FetchOutcome } from '../../crawl/site.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { header } from './siteIndex.ts';

export type StaticFile = { readonly url: string; readonly cacheControl: string | null };

/** Styles, scripts and fonts first, then images; at most ten. */
export function staticFiles(site: Crawl): readonly StaticFile[] {
  const own = `${site.discovery.origin}/`;
  const assets = (site.fileChecks ?? []).filter(({ kind }) => kind === 'asset');
  const images = site.linkChecks.filter(({ kind }) => kind === 'image');
  return [...assets, ...images]
    .filter(({ url, outcome }) => url.startsWith(own) && isLoaded(outcome))
    .slice(0, THRESHOLDS.cacheFiles)
    .map(({ url, outcome }) => ({ url, cacheControl: header(outcome, 'cache-control') }));
}

/** A page in place of the file says nothing of files. */
function isLoaded(outcome: FetchOutcome): boolean {
  return outcome.status === 200 && !/^text\/html/i.test(header(outcome, 'content-type') ?? '');
}
