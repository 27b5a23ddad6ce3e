import type { Crawl, CrawledPage } from '../../../crawl/site.ts';
import { hasTarget } from '../../../facts/fragmentTargets.ts';
import type { LinkFact } from '../../../facts/pageFacts.ts';
import { hrefOf, nameOf } from '../../../facts/reading.ts';
import { contentPage, isComplete } from '../../applies.ts';
import { type HtmlPage, pageCheck } from '../../check.ts';
import { seen } from '../../evidence.ts';
import { fragmentOf } from '../../lookups/fragments.ts';
import { linkPlace } from '../../lookups/places.ts';
import { addressKey, siteIndex } from '../../lookups/siteIndex.ts';

export const fragmentDead = pageCheck({
  id: 'fragment-dead',
  title: 'Link points to an anchor that doesn’t exist',
  category: 'technical',
  group: 'links',
  impact: 'low',
  difficulty: 'easy',
  minutes: 5,
  gain: 'Visitors land right at the section they clicked for.',
  timeToResult: 'immediate',
  risk: 'A link on this page points to a place (the part after the #) that doesn’t exist. The page it leads to opens at the top, and visitors have to search for the part the link promised.',
  steps: [
    'Open the page that the link leads to.',
    'If the section is there, give its heading the missing id, such as `<h2 id="YOUR SECTION ID">`, or change the part after the # in the link to the id it already has.',
    'If there’s no such section, remove the # and everything after it from the link.',
    'Click the link and make sure the page opens at the right section, or at the top if you removed the #.',
  ],
  example: {
    before: '<a href="#YOUR OLD ID">YOUR LINK TEXT</a>\n<h2 id="YOUR SECTION ID">YOUR HEADING</h2>',
    after: '<a href="#YOUR SECTION ID">YOUR LINK TEXT</a>\n<h2 id="YOUR SECTION ID">YOUR HEADING</h2>',
  },
  tags: ['links', 'broken'],
  source:
    'Google Search Central: Link best practices (https://developers.google.com/search/docs/crawling-indexing/links-crawlable)',
  appliesTo: (page) => contentPage(page) && page.facts.links.some((link) => fragmentOf(link) !== null),
  complete: (page, site) =>
    (page.facts?.links ?? []).every((link) => {
      const target = fragmentOf(link) === null ? null : targetOf(link, page, site);
      return fragmentOf(link) === null || (target !== null && !mayBeMade(target));
    }),
  run: (page, site) =>
    page.facts.links.flatMap((link) => {
      const fragment = fragmentOf(link);
      if (fragment === null) return [];
      const target = targetOf(link, page, site);
      if (target === null || namesOf(fragment).some((name) => hasTarget(target.facts, name) !== false)) return [];
      if (!hasOwnPlaces(target, page, site)) return [];
      const where = target.url === page.url ? 'this page' : target.url;
      return [
        {
          evidence: seen(page, linkPlace(link), hrefOf(link)),
          message: `The link "${nameOf(link) || hrefOf(link)}" leads to #${fragment}, and ${where} has no such id.`,
        },
      ];
    }),
});

/** As written, and without escapes. */
function namesOf(fragment: string): readonly string[] {
  try {
    return [fragment, decodeURIComponent(fragment)];
  } catch {
    return [fragment];
  }
}

/** The page that the link leads to, if it was read in full and is not filled by scripts. */
function targetOf({ url }: LinkFact, page: CrawledPage, site: Crawl): HtmlPage | null {
  if (url === null) return null;
  const target = addressKey(url) === addressKey(page.url) ? page : (siteIndex(site).answerOf(url)?.page ?? null);
  return target !== null && contentPage(target) && isComplete(target) && target.facts.rendered === undefined
    ? target
    : null;
}

/** Scripts make places of their own, such as numbers of lines, and use links within the page as buttons. */
function mayBeMade({ facts }: HtmlPage): boolean {
  return facts.inlineScripts.length > 0 || facts.resources.some(({ kind }) => kind === 'script');
}

/**
 * Whether the places that the page links to stand in the other's HTML: no script can have made them, or another link
 * names one that does.
 */
function hasOwnPlaces(target: HtmlPage, page: HtmlPage, site: Crawl): boolean {
  if (!mayBeMade(target)) return true;
  if (target.url === page.url) return false;
  return namedFrom(page, site).has(target);
}

const named = new WeakMap<HtmlPage, ReadonlySet<HtmlPage>>();

/** The pages of which the page's links name places that they have. */
function namedFrom(page: HtmlPage, site: Crawl): ReadonlySet<HtmlPage> {
  let targets = named.get(page);
  if (targets === undefined) {
    const found = new Set<HtmlPage>();
    for (const link of page.facts.links) {
      const fragment = fragmentOf(link);
      const target = fragment === null ? null : targetOf(link, page, site);
      if (
        fragment !== null &&
        target !== null &&
        namesOf(fragment).some((name) => hasTarget(target.facts, name) === true)
      )
        found.add(target);
    }
    targets = found;
    named.set(page, targets);
  }
  return targets;
}
