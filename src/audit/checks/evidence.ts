/** Builds the evidence of a finding: where something was seen. */
import type { Evidence } from '../../model/findings.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';

export function seen(page: CrawledPage, place: string, value: string): Evidence {
  return { url: page.url, place, value };
}

export function seenInRobots(site: Crawl, place: string, value: string): Evidence {
  return { url: site.discovery.robots.outcome.requestedUrl, place, value };
}

const NUMBERS = new Intl.NumberFormat('en-US');

/** `1,200`: number format used in messages. */
export function count(number: number): string {
  return NUMBERS.format(number);
}

/** `1 page`, `3 pages`, `2 entries`. */
export function plural(number: number, noun: string, several = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : several}`;
}

export function kilobytes(bytes: number): string {
  return `${count(Math.round(bytes / 1000))} KB`;
}
