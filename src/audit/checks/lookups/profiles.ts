/** An organization's profiles on other sites. */
import type { HtmlPage } from '../check.ts';
import { listOf, nodesOf } from '../schemaOrg/schemaNodes.ts';
import { jsonLd, logoOf, siteNameOf } from './siteCode.ts';

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

/** An Organization node built from what the start page already says. */
export function organizationCode(start: HtmlPage): string {
  const { origin } = new URL(start.outcome.url);
  return jsonLd({
    '@type': 'Organization',
    name: siteNameOf(start),
    url: `${origin}/`,
    logo: logoOf(start) ?? undefined,
    sameAs: profilesOf(start),
  });
}

/** A LocalBusiness node built from what a page says; the owner has to complete the address parts. */
export function localBusinessCode(page: HtmlPage, address: string | null): string {
  const street = address ?? '1 Main St';
  return jsonLd({
    '@type': 'LocalBusiness',
    name: siteNameOf(page),
    url: `${new URL(page.outcome.url).origin}/`,
    image: logoOf(page) ?? undefined,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      addressLocality: 'Town',
      postalCode: '12345',
      addressCountry: 'US',
    },
    telephone: '+1-555-0100',
    openingHoursSpecification: [
      { '@type': 'OpeningHoursSpecification', dayOfWeek: ['Monday'], opens: '09:00', closes: '17:00' },
    ],
  });
}
