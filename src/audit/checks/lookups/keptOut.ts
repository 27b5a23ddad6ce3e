/** Pages that a site keeps out of search: on purpose, or against its own signals. */
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import { foldedInto } from './folded.ts';
import { isInNavigation, isListed } from './membership.ts';
import { isNotForSearch, ROLE_WORDS, type Role, roleOf } from './roles.ts';

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

function contradictions(page: CrawledPage, site: Crawl): readonly string[] {
  const { role } = roleOf(page, site);
  return [
    ...(role === 'start' ? ['it is the home page'] : []),
    ...(isListed(page, site) ? ['the sitemap lists it'] : []),
    // Legal pages and variants of lists stand in navigations without being content.
    ...(['content', 'product', 'list', 'language-variant', 'staging', 'archive'].includes(role) &&
    isInNavigation(page, site)
      ? ['the navigation leads to it']
      : []),
  ];
}
