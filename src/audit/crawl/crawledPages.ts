/** Makes the entries of a crawl. Pure. */
import type { PageFacts } from '../facts/pageFacts.ts';
import type { FrontierEntry, FrontierItem } from './frontier/frontier.ts';
import { noAnswer } from './outcome.ts';
import type { CrawledPage, Discovery, FetchOutcome, RobotsFile } from './site.ts';

export function pageOf(item: FrontierItem, outcome: FetchOutcome, facts: PageFacts | null): CrawledPage {
  return {
    url: item.url,
    depth: Number.isFinite(item.depth) ? item.depth : null,
    from: item.from,
    outcome,
    facts,
    robotsBlocked: false,
  };
}

export function blockedPage(item: FrontierItem): CrawledPage {
  return {
    ...pageOf(item, noAnswer(item.url, null, 'robots.txt forbids this address to the crawler.'), null),
    robotsBlocked: true,
  };
}

/** Without a readable robots.txt nothing may be fetched; the page gets the reason. */
export function refusedPage({ url, from }: FrontierEntry, robots: RobotsFile): CrawledPage {
  const { failure, message, status } = robots.outcome;
  const outcome = failure
    ? noAnswer(url, failure, `robots.txt could not be fetched, so nothing else may be: ${message}`)
    : noAnswer(url, null, `robots.txt answers with HTTP ${status}, so nothing may be fetched.`);
  return { url, depth: from === 'start' ? 0 : null, from, outcome, facts: null, robotsBlocked: failure === null };
}

/** Says that the start page was not read for lack of time, and what was. */
export function unreadStart(url: string, { robots, sitemaps, llmsTxt }: Discovery): FetchOutcome {
  const read = [
    ...(robots.outcome.status === null ? [] : ['robots.txt']),
    ...(sitemaps.length === 0 ? [] : [sitemaps.length === 1 ? 'a sitemap' : `${sitemaps.length} sitemaps`]),
    ...(llmsTxt === null || llmsTxt.text === '' ? [] : ['llms.txt']),
  ];
  const last = read.pop();
  const all = last === undefined ? 'nothing' : read.length === 0 ? last : `${read.join(', ')} and ${last}`;
  return noAnswer(
    url,
    'aborted',
    `The time limit of the audit was reached before the home page could be read. Read until then: ${all}.`,
  );
}
