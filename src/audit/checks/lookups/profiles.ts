/** An organization's profiles on other sites. */

import type { Snippet } from '../../../model/findings.ts';
import type { Crawl } from '../../crawl/site.ts';
import type { HtmlPage } from '../check.ts';
import { listOf, nodesOf } from '../schemaOrg/schemaNodes.ts';
import { jsonLd, logoOf } from './siteCode.ts';
import { siteName } from './siteFacts.ts';
import { addedToHead } from './snippets.ts';

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

/** An Organization node, if the site says all that one needs. */
export function organizationCode(start: HtmlPage, site: Crawl): Snippet | null {
  const { origin } = new URL(start.outcome.url);
  const name = siteName(site);
  const logo = logoOf(start);
  const sameAs = profilesOf(start);
  if (name === null || logo === null || sameAs.length === 0) return null;
  return addedToHead(jsonLd({ '@type': 'Organization', name, url: `${origin}/`, logo, sameAs }));
}
