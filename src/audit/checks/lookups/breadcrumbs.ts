/** Breadcrumb markup: what is wrong with it, and how it should look. */
import type { HtmlPage } from '../check.ts';
import { plural } from '../evidence.ts';
import { has, isNode, listOf, type SchemaNode, textOf } from '../schemaOrg/schemaNodes.ts';
import { headingOf, siteNameOf } from './siteCode.ts';

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

/** Built from the page's path. */
export function trailOf(page: HtmlPage): object[] {
  const { origin, pathname } = new URL(page.outcome.url);
  const segments = pathname.split('/').filter(Boolean);
  return [
    { '@type': 'ListItem', position: 1, name: siteNameOf(page), item: `${origin}/` },
    ...segments.map((segment, index) => {
      const last = index === segments.length - 1;
      const name = last ? headingOf(page) : segment.replace(/[-_]/g, ' ');
      return {
        '@type': 'ListItem',
        position: index + 2,
        name,
        ...(last ? {} : { item: `${origin}/${segments.slice(0, index + 1).join('/')}/` }),
      };
    }),
  ];
}
