/** What a page's canonical makes of it: search engines fold it into the page that it names. */
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { siteHost } from '../../crawl/url.ts';
import type { PageFacts } from '../../facts/pageFacts.ts';
import { likeness, simHashDistance, sketchOf } from '../../facts/text/simHash.ts';
import { THRESHOLDS } from '../thresholds.ts';
import { canonicalOf, canonicalTarget, hasForeignCanonical } from './canonicals.ts';
import { pathOf, siteIndex } from './siteIndex.ts';

/**
 * `copy`: of a page with the same content, as canonicals are meant. `other-site`: of a page elsewhere, whose content is
 * not known. `other-content`: of a page that says something else, so that nobody finds what this one says.
 */
export type Folded = 'copy' | 'other-site' | 'other-content';

/** Null if the page stands for itself, or if the crawl did not read the page that it names. */
export function foldedInto(page: CrawledPage, site: Crawl): Folded | null {
  if (page.facts === null || !hasForeignCanonical(page)) return null;
  const named = canonicalOf(page)?.url ?? page.outcome.url;
  if (siteHost(named) !== siteHost(page.outcome.url)) return 'other-site';
  const original = originalOf(page, site);
  if (original === null || original === page.facts) return null;
  return sameContent(page.facts, original) || isOtherVersion(page.outcome.url, named) ? 'copy' : 'other-content';
}

const VERSION = /^(?:v?\d+(?:\.(?:\d+|x))*|latest|stable|current|main|master|dev|next)$/i;

/** The same page of the documentation of another version: `/1.9/commands/` and `/2.1/commands/`. */
function isOtherVersion(own: string, named: string): boolean {
  const [mine, other] = [own, named].map((url) => pathOf(url).split('/').filter(Boolean)) as [string[], string[]];
  const plain = (segments: string[]): string => segments.filter((segment) => !VERSION.test(segment)).join('/');
  return plain(mine) === plain(other) && mine.some((segment) => VERSION.test(segment));
}

/** Whether the page that it names, if it is another one of the site, was read. */
export function isOriginalKnown(page: CrawledPage, site: Crawl): boolean {
  if (!hasForeignCanonical(page)) return true;
  const named = canonicalOf(page)?.url ?? '';
  if (siteHost(named) !== siteHost(page.outcome.url)) return true;
  const target = canonicalTarget(page, site);
  return target !== null && (originalOf(page, site) !== null || (target.answer.outcome.status ?? 200) >= 300);
}

/** The facts of the page that it names, behind redirects. */
function originalOf(page: CrawledPage, site: Crawl): PageFacts | null {
  const answer = canonicalTarget(page, site)?.answer;
  if (answer === undefined) return null;
  return answer.page?.facts ?? siteIndex(site).answerOf(answer.outcome.url)?.page?.facts ?? null;
}

/** Pages without any text say the same. */
export function sameContent(a: PageFacts, b: PageFacts): boolean {
  if (a.textHash === b.textHash) return true;
  if (a.simHash === '' || b.simHash === '') return false;
  const [left, right] = [sketchOf(a.simHash), sketchOf(b.simHash)];
  return (
    simHashDistance(left, right) <= THRESHOLDS.nearDuplicateBits &&
    likeness(left, right) >= THRESHOLDS.nearDuplicateLikeness
  );
}
