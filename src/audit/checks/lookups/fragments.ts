/** The parts behind the # of links: places in a page. */
import type { LinkFact } from '../../facts/pageFacts.ts';
import { hrefOf } from '../../facts/reading.ts';

/** `#part`, as a link is written; '' if it has none. */
export function writtenFragment(link: LinkFact): string {
  const href = hrefOf(link);
  return href.includes('#') ? href.slice(href.indexOf('#')) : '';
}

/**
 * Of a link within the site; null if it leads to a page as a whole. The top and text fragments need no id, and scripts
 * read what looks like an address or a parameter.
 */
export function fragmentOf(link: LinkFact): string | null {
  if (!link.internal || link.url === null) return null;
  const href = hrefOf(link).trim();
  const hash = href.indexOf('#');
  const fragment = hash < 0 ? '' : href.slice(hash + 1);
  return fragment === '' || /^top$/i.test(fragment) || /[:!/=&?~]|^[\d_-]+$/.test(fragment) ? null : fragment;
}
