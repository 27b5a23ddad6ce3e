/** An organization's profiles on other sites. */

import type { HtmlPage } from '../check.ts';
import { listOf, nodesOf } from '../schemaOrg/schemaNodes.ts';

const PROFILE_HOSTS =
  /^https?:\/\/(?:[\w-]{1,30}\.)?(?:linkedin\.com|twitter\.com|x\.com|facebook\.com|instagram\.com|youtube\.com|github\.com|wikipedia\.org|wikidata\.org|crunchbase\.com|tiktok\.com|pinterest\.com|mastodon\.social|bsky\.app|xing\.com)\/(?!share|sharer|intent|login|home\/?$)[^\s?#]/i;

/** Linked from the page or named as sameAs, without duplicates. */
export function profilesOf(page: HtmlPage): string[] {
  const linked = page.facts.links.flatMap((link) => (link.url === null || link.internal ? [] : [link.url]));
  const named = nodesOf(page.facts).flatMap(({ node }) =>
    listOf(node.sameAs).filter((value): value is string => typeof value === 'string'),
  );
  return [...new Set([...named, ...linked].filter((url) => PROFILE_HOSTS.test(url)))].slice(0, 12);
}
