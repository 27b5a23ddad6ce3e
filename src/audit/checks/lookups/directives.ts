/** What a page tells search engines in robots metas and X-Robots-Tag headers. */

import type { Evidence } from '../../../model/findings.ts';
import { isAllowed } from '../../crawl/robots/robots.ts';
import type { Crawl, CrawledPage } from '../../crawl/site.ts';
import type { MetaFact } from '../../facts/pageFacts.ts';
import type { Pausable } from '../../timeSlices.ts';
import { directiveWords } from './directiveWords.ts';
import { headerValues, siteIndex } from './siteIndex.ts';

/** The bots that decide whether a page can be found; null is the generic bot. */
export const INDEXING_BOTS: readonly (string | null)[] = [
  null,
  'Googlebot',
  'bingbot',
  'DuckDuckBot',
  'archive.org_bot',
];

/** Whether one of these bots decides what most people find; the others do not lower the score. */
export const hidesFromGate = (bots: readonly (string | null)[]): boolean =>
  bots.includes('Googlebot') || bots.includes('bingbot');

/** A meta or a header line with directives, for one bot or for all. */
export type DirectivePlace = {
  readonly bot: string | null;
  readonly directives: readonly string[];
  readonly evidence: Evidence;
};

const NOT_A_BOT: ReadonlySet<string> = new Set([
  'unavailable_after',
  'max-snippet',
  'max-image-preview',
  'max-video-preview',
]);

const NAMES = new Map(INDEXING_BOTS.map((bot) => [bot === null ? 'robots' : bot.toLowerCase(), bot]));

/** Metas named robots or after one of the bots. Search engines obey those in the body, too. */
export function metaPlaces(page: CrawledPage): DirectivePlace[] {
  return [
    ...placesIn('head', page.facts?.metas ?? [], page.url),
    ...placesIn('body', page.facts?.bodyRobots ?? [], page.url),
  ];
}

function placesIn(part: 'head' | 'body', metas: readonly MetaFact[], url: string): DirectivePlace[] {
  return metas.flatMap(({ name, content }) => {
    const bot = NAMES.get(name);
    return bot === undefined
      ? []
      : [
          {
            bot,
            directives: directiveWords(content),
            evidence: { url, place: `${part} > meta[name=${name}]`, value: content },
          },
        ];
  });
}

/** X-Robots-Tag lines; a line may start with the name of the bot it applies to. */
export function headerPlaces(page: CrawledPage): DirectivePlace[] {
  return headerValues(page.outcome, 'x-robots-tag').map((value) => {
    const colon = value.indexOf(':');
    const name = colon > 0 && !value.slice(0, colon).includes(',') ? value.slice(0, colon).trim() : '';
    const bot = name === '' || NOT_A_BOT.has(name.toLowerCase()) ? null : name;
    const evidence = { url: page.url, place: 'header x-robots-tag', value };
    return { bot, directives: directiveWords(bot === null ? value : value.slice(colon + 1)), evidence };
  });
}

function sameBot(a: string | null, b: string | null): boolean {
  return a?.toLowerCase() === b?.toLowerCase();
}

function blocks(directive: string, now: number): boolean {
  if (directive === 'noindex' || directive === 'none') return true;
  if (!directive.startsWith('unavailable_after:')) return false;
  const date = Date.parse(directive.slice('unavailable_after:'.length));
  return date < now;
}

/** What of a site a directive depends on: known as soon as its crawl begins. */
type Begun = { readonly coverage: Pick<Crawl['coverage'], 'startedAt'> };

/** A date may contain a comma, so unavailable_after is read from the rest of the line. */
function blocking(place: DirectivePlace, site: Begun): boolean {
  const now = Date.parse(site.coverage.startedAt);
  const joined = place.directives.join(', ');
  const after = joined.indexOf('unavailable_after:');
  return (
    place.directives.some((directive) => blocks(directive, now)) || (after >= 0 && blocks(joined.slice(after), now))
  );
}

/** A place that keeps a page out of an index. */
export type BlockingPlace = Pick<DirectivePlace, 'bot' | 'evidence'>;

/** The first place for each bot, in lower case; '' for all bots. `nth`: which of them a reader meets first. */
type FirstPlaces = ReadonlyMap<string, BlockingPlace & { readonly nth: number }>;

type Blocking = { readonly site: Begun; readonly metas: FirstPlaces; readonly headers: FirstPlaces };

/** Of each page, since a site may ask about one page as often as it names it, and a page may have many long metas. */
const known = new WeakMap<CrawledPage, Blocking>();

function blockingOf(page: CrawledPage, site: Begun): Blocking {
  let found = known.get(page);
  if (found === undefined || found.site !== site) {
    found = { site, metas: firstPlaces(metaPlaces(page), site), headers: firstPlaces(headerPlaces(page), site) };
    known.set(page, found);
  }
  return found;
}

function firstPlaces(places: readonly DirectivePlace[], site: Begun): FirstPlaces {
  const first = new Map<string, BlockingPlace & { readonly nth: number }>();
  for (const [nth, place] of places.entries()) {
    const bot = place.bot?.toLowerCase() ?? '';
    if (!first.has(bot) && blocking(place, site)) first.set(bot, { bot: place.bot, evidence: place.evidence, nth });
  }
  return first;
}

/** A bot's own rules add to the generic ones; they lift none. */
function placeFor(places: FirstPlaces, bot: string | null): BlockingPlace | null {
  const [generic, own] = [places.get(''), bot === null ? undefined : places.get(bot.toLowerCase())];
  if (generic === undefined || own === undefined) return generic ?? own ?? null;
  return own.nth < generic.nth ? own : generic;
}

/** The meta that stops this bot from indexing the page. */
export function blockingMeta(page: CrawledPage, bot: string | null, site: Begun): BlockingPlace | null {
  return placeFor(blockingOf(page, site).metas, bot);
}

/** As Lighthouse reads metas: in the head alone, and a bot's own one replaces the generic one. */
function blocksForLighthouse(page: CrawledPage, bot: string | null, site: Crawl): boolean {
  const places = placesIn('head', page.facts?.metas ?? [], page.url);
  const own = places.filter((place) => place.bot !== null && sameBot(place.bot, bot));
  return (own.length > 0 ? own : places.filter((place) => place.bot === null)).some((place) => blocking(place, site));
}

/** The header that stops this bot from indexing the page: bot-specific or generic. */
export function blockingHeader(page: CrawledPage, bot: string | null, site: Begun): BlockingPlace | null {
  return placeFor(blockingOf(page, site).headers, bot);
}

/** The first place for all bots or for Googlebot with a directive that passes `test`. */
export function directivePlace(page: CrawledPage, test: (directive: string) => boolean): DirectivePlace | null {
  const places = [...metaPlaces(page), ...headerPlaces(page)].filter(
    (place) => place.bot === null || sameBot(place.bot, 'Googlebot'),
  );
  return places.find((place) => place.directives.some(test)) ?? null;
}

/** Lighthouse's verdict: no bot may index the page, generic or named, whether by meta, header or robots.txt. */
export function* isBlockedForAll(page: CrawledPage, site: Crawl): Pausable<boolean> {
  const { robots } = siteIndex(site);
  for (const bot of INDEXING_BOTS) {
    yield;
    if (
      !blocksForLighthouse(page, bot, site) &&
      blockingHeader(page, bot, site) === null &&
      isAllowed(robots, bot ?? '*', page.outcome.url).allowed
    )
      return false;
  }
  return true;
}
