/** Marks places seen only in a page's rendered HTML. */
import type { Crawl } from '../../crawl/site.ts';
import type { Fault } from '../check.ts';

/** Places outside a document: answers, addresses, files. */
const NOT_IN_PAGE =
  /^(?:header |robots\.txt|sitemap|(?:status|redirects|connection|size|url|protocol|certificate|body size|time to first byte|User-Agent)$|clicks |line )/;

const filled = new WeakMap<Crawl, ReadonlySet<string>>();

function filledPages(crawl: Crawl): ReadonlySet<string> {
  let urls = filled.get(crawl);
  if (urls === undefined) {
    urls = new Set(crawl.pages.filter(({ facts }) => facts?.rendered !== undefined).map(({ url }) => url));
    filled.set(crawl, urls);
  }
  return urls;
}

/** The place to show for a fault. The finding's id does not depend on it. */
export function placeSeen({ evidence, delivered = false }: Fault, crawl: Crawl): string {
  const isFilled = !delivered && filledPages(crawl).has(evidence.url) && !NOT_IN_PAGE.test(evidence.place);
  return isFilled ? `${evidence.place} (after rendering)` : evidence.place;
}
