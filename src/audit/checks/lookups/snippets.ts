/** Records of what a fix changes and how. Page text is escaped by whoever writes `text`. */

import type { Snippet } from '../../../model/findings.ts';
import { parseUrl } from '../../../model/parseUrl.ts';
import type { Crawl } from '../../crawl/site.ts';
import { publicSite } from '../applies.ts';
import type { HtmlPage } from '../check.ts';
import { html, metaTag, propertyOf } from './siteCode.ts';
import { couldBeOriginal } from './siteFacts.ts';

/** At the end of the head. */
export const addedToHead = (text: string): Snippet => ({ edits: 'head', operation: 'add', at: 'head', text });

/** In place of the element in the head; further ones that the selector finds go. */
export const inHead = (at: string, text: string): Snippet => ({ edits: 'head', operation: 'replace', at, text });

/** A tag sets attributes and keeps the others; a whole element takes the place of the old one. */
export const inPlaceOf = (at: string, text: string): Snippet => ({ edits: 'element', operation: 'replace', at, text });

/** Adds or replaces a meta tag with this name. Null where there are several: one edit would take all of them away. */
export function metaSet(page: HtmlPage, key: 'name' | 'property', name: string, content: string): Snippet | null {
  const there = (key === 'name' ? page.facts.metas : page.facts.properties).filter((meta) => meta.name === name);
  const text = metaTag(key, name, content);
  if (there.length > 1) return null;
  return there.length === 1 ? inPlaceOf(`head meta[${key}="${name}" i]`, text) : addedToHead(text);
}

/**
 * With an og:url that would say something else. Null for a canonical in a header, which may have other links, for a
 * page that is not ready to be an original, and on a site that has to move to https first.
 */
export function canonicalSet(page: HtmlPage, site: Crawl, place: string | null, named: string): Snippet | null {
  const [url = named] = named.split('#', 1);
  if (publicSite(site) && url.startsWith('http:')) return null;
  const becomesOriginal = place !== null && url === page.outcome.url;
  if (becomesOriginal && !couldBeOriginal(page, site)) return null;
  const link = `<link rel="canonical" href="${html(url)}">`;
  const shared = propertyOf(page, 'og:url');
  const differs = shared !== null && parseUrl(shared, page.outcome.url)?.href !== url;
  const text = differs ? `${link}\n${metaTag('property', 'og:url', url)}` : link;
  const tags = [
    ...(place === null ? [] : ['head link[rel~="canonical" i]']),
    ...(differs ? ['head meta[property="og:url" i]'] : []),
  ];
  if (place !== null && !place.startsWith('head ')) return null;
  if (tags.length === 0) return addedToHead(text);
  const isOne = !differs && page.facts.canonicals.filter(({ inHead }) => inHead).length === 1;
  return isOne ? inPlaceOf(tags.join(', '), text) : inHead(tags.join(', '), text);
}

/** `X-Content-Type-Options: nosniff`. */
export const headerSet = (line: string): Snippet => ({
  edits: 'header',
  operation: 'replace',
  at: line.slice(0, line.indexOf(':')),
  text: line,
});

export const inRobots = (text: string): Snippet => ({ edits: 'robots.txt', operation: 'add', at: 'end', text });

export const asFile = (path: string, text: string): Snippet => ({
  edits: 'file',
  operation: 'replace',
  at: path,
  text,
});

/** How the address is answered; the rule names the new address last. */
export const answeredBy = (url: string, rule: string): Snippet => ({
  edits: 'server',
  operation: 'replace',
  at: url,
  text: rule,
});
