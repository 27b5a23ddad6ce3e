/** Pages that a site keeps out of search: on purpose, or against its own signals. */
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { areaOf } from '../../facts/reading.ts';
import { foldedInto } from './folded.ts';
import { isNotForSearch, ROLE_WORDS, type Role, roleOf } from './roles.ts';
import { addressKey, siteIndex } from './siteIndex.ts';

/** Nobody expects to find them in search: not worth a word. If a sitemap lists one, the checks of sitemaps say so. */
const SILENT: ReadonlySet<Role> = new Set(['account', 'search']);

export type KeptOut =
  | { readonly verdict: 'expected' }
  /** `note`: a sentence. */
  | { readonly verdict: 'intended'; readonly note: string }
  /** `but`: the rest of a sentence that names what speaks against it; '' if nothing does. */
  | { readonly verdict: 'fault'; readonly but: string };

/** Of a page that a directive, or robots.txt, keeps out. The directive alone is no sign of purpose. */
export function keptOut(page: CrawledPage, site: Crawl): KeptOut {
  const { role } = roleOf(page, site);
  if (SILENT.has(role)) return { verdict: 'expected' };
  const against = contradictions(page, site);
  if (against.length > 0) return { verdict: 'fault', but: `, although ${against.join(' and ')}` };
  if (isNotForSearch(page, site))
    return { verdict: 'intended', note: `Kept out of search. Intended? It looks like ${ROLE_WORDS[role]}.` };
  if (foldedInto(page, site) === 'copy')
    return {
      verdict: 'intended',
      note: 'Kept out of search. Intended? It is a copy of the page that it names as canonical.',
    };
  return { verdict: 'fault', but: '' };
}

export const isRightlyKeptOut = (page: CrawledPage, site: Crawl): boolean => keptOut(page, site).verdict !== 'fault';

function contradictions(page: CrawledPage, site: Crawl): readonly string[] {
  const { role } = roleOf(page, site);
  const { listedKeys } = siteIndex(site);
  const isListed = listedKeys.has(addressKey(page.url)) || listedKeys.has(addressKey(page.outcome.url));
  return [
    ...(role === 'start' ? ['it is the start page'] : []),
    ...(isListed ? ['the sitemap lists it'] : []),
    // Legal pages and variants of lists stand in navigations without being content.
    ...(['content', 'product', 'list', 'archive'].includes(role) && isInNavigation(page, site)
      ? ['the navigation leads to it']
      : []),
  ];
}

const navigations = new WeakMap<Crawl, ReadonlySet<string>>();

/** The start page's navigation or header links to it. */
function isInNavigation(page: CrawledPage, site: Crawl): boolean {
  let linked = navigations.get(site);
  if (linked === undefined) {
    const links = siteIndex(site).start?.facts?.links ?? [];
    linked = new Set(
      links.flatMap((link) => {
        const area = areaOf(link);
        return link.url !== null && link.internal && (area === 'nav' || area === 'header')
          ? [addressKey(link.url)]
          : [];
      }),
    );
    navigations.set(site, linked);
  }
  return linked.has(addressKey(page.url));
}
