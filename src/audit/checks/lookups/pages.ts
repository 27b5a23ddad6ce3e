/** Questions about all HTML pages of a site, pausing between them: a site may have thousands. */
import type { Crawl } from '../../crawl/site.ts';
import type { Pausable } from '../../timeSlices.ts';
import type { HtmlPage } from '../check.ts';
import { siteIndex } from './siteIndex.ts';

type Test = (page: HtmlPage, site: Crawl) => boolean;

/** The first one that passes; null if there is none. */
export function* firstPage(site: Crawl, test: Test): Pausable<HtmlPage | null> {
  for (const page of siteIndex(site).htmlPages) {
    if (test(page, site)) return page;
    yield;
  }
  return null;
}

export function* somePage(site: Crawl, test: Test): Pausable<boolean> {
  return (yield* firstPage(site, test)) !== null;
}

export function* everyPage(site: Crawl, test: Test): Pausable<boolean> {
  return !(yield* somePage(site, (page) => !test(page, site)));
}

export function* pagesWhere(site: Crawl, test: Test): Pausable<HtmlPage[]> {
  const found: HtmlPage[] = [];
  for (const page of siteIndex(site).htmlPages) {
    if (test(page, site)) found.push(page);
    yield;
  }
  return found;
}
