/** Breadcrumb markup: what is wrong with it, and how it should look. */

import type { Crawl } from '../../crawl/site.ts';
import { htmlPage } from '../applies.ts';
import type { HtmlPage } from '../check.ts';
import { plural } from '../evidence.ts';
import { has, isNode, listOf, type SchemaNode, textOf } from '../schemaOrg/schemaNodes.ts';
import { ownSubject, siteName } from './siteFacts.ts';
import { siteIndex } from './siteIndex.ts';

/** Why a BreadcrumbList cannot be shown; null if it can. */
export function breadcrumbProblem(node: SchemaNode): string | null {
  const items = listOf(node.itemListElement).filter(isNode);
  if (items.length < 2) return `has ${plural(items.length, 'item')}; it needs at least two`;
  const positions = items.map((item) => Number(item.position)).sort((a, b) => a - b);
  if (positions.some((position, index) => position !== index + 1))
    return `has the positions ${positions.join(', ')} instead of 1 to ${items.length}`;
  const nameless = items.find((item) => textOf(item, 'name') === null && textOf(item, 'item') === null);
  if (nameless !== undefined) return `has an item without a name at position ${String(nameless.position)}`;
  const unlinked = items.find((item) => Number(item.position) < items.length && !has(item, 'item'));
  return unlinked === undefined ? null : `has an item without an address at position ${String(unlinked.position)}`;
}

/** The audited pages above the page in its path, by their own names, and itself; null if one of them has none. */
export function trailOf(page: HtmlPage, site: Crawl): readonly object[] | null {
  const { origin, pathname } = new URL(page.outcome.url);
  const segments = pathname.split('/').filter(Boolean);
  const above = segments.map(
    (_, index) =>
      `${origin}/${segments
        .slice(0, index)
        .map((each) => `${each}/`)
        .join('')}`,
  );
  const items: { readonly item: string }[] = [];
  for (const url of [...above, page.outcome.url]) {
    const one = pageAt(url, site);
    if (one === null || items.some((item) => item.item === one.outcome.url)) continue;
    const name = (one.from === 'start' ? siteName(site) : null) ?? ownSubject(one, site);
    if (name === null) return null;
    const place = { '@type': 'ListItem', position: items.length + 1, name, item: one.outcome.url };
    items.push(place);
  }
  return items.length < 2 ? null : items;
}

/** With or without a slash at its end. */
function pageAt(url: string, site: Crawl): HtmlPage | null {
  const { answerOf } = siteIndex(site);
  const page = answerOf(url)?.page ?? answerOf(url.replace(/\/$/, ''))?.page ?? null;
  return page !== null && htmlPage(page) ? page : null;
}
