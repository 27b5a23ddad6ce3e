/** Says of a place in a page that a script has filled that it is not in the delivered HTML. */
import type { Crawl } from '../../crawl/site.ts';
import type { Fault } from '../check.ts';

/** Places that are no part of a document: answers, addresses, files. */
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

/** The place of the fault; its finding's id does not depend on this. */
export function placeSeen({ evidence, delivered = false }: Fault, crawl: Crawl): string {
  const isFilled = !delivered && filledPages(crawl).has(evidence.url) && !NOT_IN_PAGE.test(evidence.place);
  return isFilled ? `${evidence.place} (after rendering)` : evidence.place;
}
