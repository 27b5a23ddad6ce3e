/** What phones and Googlebot get of a template's pages: of one of them, which stands for all. */
import type { AgentAnswer, Crawl, CrawledPage } from '../../crawl/site.ts';
import { isFilledByScript } from '../../facts/appShell.ts';
import { htmlPage, isComplete, isIndexable, seenPage } from '../applies.ts';
import type { HtmlPage } from '../check.ts';
import { isMeantForSearch } from './roles.ts';
import { addressKey, siteIndex } from './siteIndex.ts';
import { type Template, templateOf } from './templates.ts';

/** `page` is the one that was asked for, and `as` what the agent got in its place. */
export type SeenAs = { readonly page: HtmlPage; readonly as: HtmlPage };

type Agent = AgentAnswer['agent'];
type ByTemplate = ReadonlyMap<Template, Partial<Record<Agent, SeenAs>>>;

const built = new WeakMap<Crawl, ByTemplate>();

/** Null if no page of the template was asked for, or if its answer says nothing. */
export function seenAs(agent: Agent, page: CrawledPage, site: Crawl): SeenAs | null {
  let templates = built.get(site);
  if (templates === undefined) {
    templates = byTemplate(site);
    built.set(site, templates);
  }
  return templates.get(templateOf(page, site))?.[agent] ?? null;
}

function byTemplate(site: Crawl): ByTemplate {
  const { agentAnswers = [] } = site;
  const templates = new Map<Template, Partial<Record<Agent, SeenAs>>>();
  for (const { agent, page: url, outcome, facts } of agentAnswers) {
    const page = siteIndex(site).answerOf(url)?.page ?? null;
    if (page === null || !htmlPage(page) || facts === null) continue;
    // Another address, or a test whether a person is there, is not what this page is for others.
    if (outcome.status !== 200 || outcome.challenged || addressKey(outcome.url) !== addressKey(url)) continue;
    const template = templateOf(page, site);
    templates.set(template, {
      ...templates.get(template),
      [agent]: { page, as: { ...page, outcome, facts } },
    });
  }
  return templates;
}

/** Search engines may list the page, and should: what they get of it matters. */
export function isToBeListed(page: CrawledPage, site: Crawl): page is HtmlPage {
  return seenPage(page) && isIndexable(page, site) && isMeantForSearch(page, site);
}

/** What phones get of the page's template, as far as it can be compared without running scripts; null if it cannot. */
export function comparedOnPhone(page: CrawledPage, site: Crawl): SeenAs | null {
  const compared = seenAs('phone', page, site);
  if (compared === null) return null;
  const both = [compared.page, compared.as];
  return both.every((each) => isComplete(each) && !isFilledByScript(each.facts) && each.facts.rendered === undefined)
    ? compared
    : null;
}

/** What the checks of pages for phones have in common. */
export const PHONE_CHECK = {
  category: 'technical',
  group: 'mobile',
  timeToResult: '2-6 weeks',
  example: null,
  source:
    'Google Search Central: Mobile-first indexing (https://developers.google.com/search/docs/crawling-indexing/mobile/mobile-sites-mobile-first-indexing)',
  appliesTo: isToBeListed,
  gathered: (page: CrawledPage, site: Crawl): boolean => comparedOnPhone(page, site) !== null,
} as const;

/** `isShort`: phones get less than half of the text, so that whatever else is missing is missing with it. */
export function textOnPhone({ page, as }: SeenAs): {
  readonly isShort: boolean;
  readonly of: number;
  readonly got: number;
} {
  const [of, got] = [page.facts.wordCount, as.facts.wordCount];
  // Where only one of them marks its main part, that one has fewer words in it.
  const isShort = of - got >= LEAST_WORDS && got < of / 2 && as.facts.bodyWordCount < page.facts.bodyWordCount / 2;
  return { isShort, of, got };
}

/** Fewer missing words are a banner or a box beside the text. */
const LEAST_WORDS = 50;

/** ' (seen on https://…, of the same template)' for a page that was not asked for itself. */
export function seenOn(page: CrawledPage, { page: asked }: SeenAs): string {
  return page.url === asked.url ? '' : ` (seen on ${asked.url}, of the same template)`;
}
