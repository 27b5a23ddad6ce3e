/**
 * What a site says of itself and of each page, as far as it can be relied on: code for the site is written only from
 * this. A text that several pages share is no page's own.
 */

import type { Crawl } from '../../crawl/site.ts';
import type { ImageFact } from '../../facts/pageFacts.ts';
import { areaOf } from '../../facts/reading.ts';
import { atOnce, type Pausable } from '../../timeSlices.ts';
import { htmlPage } from '../applies.ts';
import type { HtmlPage } from '../check.ts';
import { DEFAULT_TITLES, normalText } from '../phrases.ts';
import { gatheringNodes, has, textOf } from '../schemaOrg/schemaNodes.ts';
import { metaOf, propertyOf } from './siteCode.ts';
import { addressKey, siteIndex } from './siteIndex.ts';

type SiteFacts = {
  /** Number of pages with the text, by kind and text. */
  readonly pagesWith: ReadonlyMap<string, number>;
  readonly name: string | null;
  /** Of all texts whose language is clear; null if they differ. */
  readonly language: string | null;
};

const built = new WeakMap<Crawl, SiteFacts>();

function siteFacts(site: Crawl): SiteFacts {
  let facts = built.get(site);
  if (facts === undefined) {
    facts = atOnce(gathering(site));
    built.set(site, facts);
  }
  return facts;
}

/** Gathers them in slices, before the checks need them. */
export function* preparingFacts(site: Crawl): Pausable<void> {
  if (!built.has(site)) built.set(site, yield* gathering(site));
}

type Kind = 'title' | 'heading' | 'description' | 'lead' | 'text';

/** More headings of the first level are no page's own. */
const MAX_HEADINGS = 4;

function* gathering(site: Crawl): Pausable<SiteFacts> {
  const pagesWith = new Map<string, number>();
  const tails = new Map<string, number>();
  const languages = new Set<string>();
  let pages = 0;
  let recognized = 0;
  for (const page of siteIndex(site).htmlPages) {
    yield;
    pages += 1;
    if (page.facts.language !== null) {
      languages.add(page.facts.language.code);
      recognized += 1;
    }
    const title = titleIn(page);
    for (const [kind, texts] of [
      ['title', [title]],
      ['heading', headingsIn(page)],
      ['description', [metaOf(page, 'description')]],
      ['lead', [page.facts.lead]],
      ['text', [page.facts.textHash]],
    ] as const)
      for (const key of new Set(texts.flatMap((text) => (text === null || text === '' ? [] : [keyOf(kind, text)]))))
        pagesWith.set(key, (pagesWith.get(key) ?? 0) + 1);
    const tail = title === null ? null : tailOf(title);
    if (tail !== null) tails.set(tail, (tails.get(tail) ?? 0) + 1);
  }
  // Short texts say too little.
  const [language = null] = languages.size === 1 && recognized * 2 >= pages ? languages : [];
  return { pagesWith, name: (yield* declaredName(site)) ?? usualTail(tails, pages, site), language };
}

const keyOf = (kind: Kind, text: string): string => `${kind} ${normalText(text)}`;

/** Links to a heading's own place, as documentation shows them. */
const withoutAnchorSign = (text: string): string => text.replace(/[¶§#🔗]$/u, '').trim();

function headingsIn({ facts }: HtmlPage): readonly string[] {
  return facts.headings
    .filter(({ level, hidden, byRole, silent }) => level === 1 && !hidden && byRole !== true && silent !== true)
    .slice(0, MAX_HEADINGS)
    .map(({ text }) => withoutAnchorSign(text));
}

function titleIn({ facts }: HtmlPage): string | null {
  return facts.titles.find(({ inHead, text }) => inHead && text !== '')?.text ?? null;
}

const SEPARATOR = /(?<!\s)\s+[|–—·»-]\s+/;

function tailOf(title: string): string | null {
  const parts = title.split(SEPARATOR);
  return parts.length > 1 ? (parts.at(-1) as string) : null;
}

/** Of fewer pages, "most" says little. */
const MIN_PAGES = 3;

/** The end of most titles, if the host or the start page’s heading has it, too: it could be a slogan. */
function usualTail(tails: ReadonlyMap<string, number>, pages: number, site: Crawl): string | null {
  const { start } = siteIndex(site);
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const known = [
    new URL(site.discovery.origin).hostname,
    ...(start !== null && htmlPage(start) ? headingsIn(start) : []),
  ];
  for (const [tail, count] of tails)
    if (pages >= MIN_PAGES && count * 3 >= pages * 2 && letters(tail) !== '')
      return known.some((text) => letters(text).includes(letters(tail))) ? tail : null;
  return null;
}

/** By its start page: og:site_name, or its organization or WebSite node in structured data. */
function* declaredName(site: Crawl): Pausable<string | null> {
  const { start } = siteIndex(site);
  if (start === null || !htmlPage(start)) return null;
  const named = propertyOf(start, 'og:site_name') ?? metaOf(start, 'application-name');
  if (named !== null) return named;
  for (const type of ['WebSite', 'Organization'])
    for (const { node } of yield* gatheringNodes(start.facts, type)) {
      yield;
      if (has(node, 'name')) return textOf(node, 'name');
    }
  return null;
}

/** The site's name as it gives it itself; null if it does not. */
export const siteName = (site: Crawl): string | null => siteFacts(site).name;

/** The one language of the site's texts; null if none is clear, or if there are several. */
export const siteLanguage = (site: Crawl): string | null => siteFacts(site).language;

/** Number of audited pages with the title. */
export const pagesTitled = (title: string, site: Crawl): number =>
  siteFacts(site).pagesWith.get(keyOf('title', title)) ?? 0;

/** Number of audited pages with the text; 0 for none. */
export const pagesSaying = (textHash: string, site: Crawl): number =>
  siteFacts(site).pagesWith.get(keyOf('text', textHash)) ?? 0;

/** The main heading, if only this page has it: a banner that pages share is none. */
export function ownHeading(page: HtmlPage, site: Crawl): string | null {
  const { pagesWith } = siteFacts(site);
  return headingsIn(page).find((text) => text !== '' && (pagesWith.get(keyOf('heading', text)) ?? 0) < 2) ?? null;
}

/** The title without the site's name, if only this page has it and it says something. */
export function ownTitle(page: HtmlPage, site: Crawl): string | null {
  const title = titleIn(page);
  if (title === null || pagesTitled(title, site) > 1) return null;
  const parts = title.split(SEPARATOR);
  const subject = parts.length > 1 && parts.at(-1) === siteName(site) ? parts.slice(0, -1).join(' – ') : title;
  return DEFAULT_TITLES.includes(normalText(subject)) ? null : subject;
}

/** What the page is about, in its own words. */
export const ownSubject = (page: HtmlPage, site: Crawl): string | null =>
  ownHeading(page, site) ?? ownTitle(page, site);

/** The page's description; null if other pages have it, too. */
export function ownDescription(page: HtmlPage, site: Crawl): string | null {
  const text = metaOf(page, 'description');
  return text !== null && (siteFacts(site).pagesWith.get(keyOf('description', text)) ?? 0) < 2 ? text : null;
}

/** A picture of its content that other pages do not show, too, and that services can show: no drawing, no button. */
export function ownPicture(page: HtmlPage, site: Crawl): string | null {
  const named = propertyOf(page, 'og:image');
  if (named !== null) return named;
  const { everywhere, answerOf } = siteIndex(site);
  const isThere = (url: string): boolean => answerOf(url)?.outcome.status === 200;
  const own = page.facts.images.find(
    (image) => image.url !== null && isPicture(image) && !everywhere.has(image.url) && isThere(image.url),
  );
  return own?.url ?? null;
}

/** Pixels that services ask of a large preview. */
const LEAST = { width: 600, height: 315 } as const;

function isPicture(image: ImageFact): boolean {
  const isLarge = Number(image.width) >= LEAST.width && Number(image.height) >= LEAST.height;
  return isLarge && areaOf(image) === 'main' && !image.hidden && /\.(?:jpe?g|png|webp)(?:\?|$)/i.test(image.url ?? '');
}

/** Nothing that search results show of it is another page's, too, and a sitemap, if there is one, lists it. */
export function couldBeOriginal(page: HtmlPage, site: Crawl): boolean {
  const { inSitemaps, listedKeys } = siteIndex(site);
  if (inSitemaps.size > 0 && !listedKeys.has(addressKey(page.outcome.url))) return false;
  const title = titleIn(page);
  const hasOwnTitle = title === null || pagesTitled(title, site) < 2;
  return hasOwnTitle && (metaOf(page, 'description') === null || ownDescription(page, site) !== null);
}

/** Notices, and what makes sense on the page alone. */
const NO_PITCH = /\b(?:this (?:page|demo|site)|see (?:this|below|the)|click|note:|warning:)/i;

/** The first sentences of the page's own text, up to `max` characters; null if they are few or not its own. */
export function ownOpening(
  page: HtmlPage,
  site: Crawl,
  { min, max }: { readonly min: number; readonly max: number },
): string | null {
  const { lead } = page.facts;
  const { pagesWith } = siteFacts(site);
  if ((pagesWith.get(keyOf('lead', lead)) ?? 0) > 1) return null;
  const text = wholeSentences(lead, max);
  return text.length < min || NO_PITCH.test(text) || (pagesWith.get(keyOf('description', text)) ?? 0) > 0 ? null : text;
}

const ABBREVIATION = /(?:^|\s)(?:Mr|Mrs|Ms|Dr|St|Prof|No|e\.g|i\.e|z\.B|bzw|ca)\.$/i;

/** The longest beginning of at most `max` characters that ends a sentence; '' if none does. */
export function wholeSentences(text: string, max: number): string {
  let end = 0;
  for (const { index, 0: mark } of text.slice(0, max).matchAll(/[.!?。！？]/gu)) {
    const after = index + mark.length;
    const isEnd = after === text.length || /\s/.test(text[after] as string) || /[。！？]/.test(mark);
    if (isEnd && !ABBREVIATION.test(text.slice(Math.max(0, after - 6), after))) end = after;
  }
  return text.slice(0, end);
}

/** With fewer commas, it is a sentence. */
const MIN_ITEMS = 5;

/** The first items of a plain list of words, up to `max` characters; null for anything else. */
export function wholeItems(text: string, max: number): string | null {
  const bare = text.trim().replace(/[.!?]$/, '');
  const items = bare.split(/,\s/);
  if (items.length < MIN_ITEMS || /[.!?:;]/.test(bare)) return null;
  let list = items[0] as string;
  for (const item of items.slice(1)) {
    if (list.length + item.length + 2 > max) break;
    list += `, ${item}`;
  }
  return list.length > max ? null : list;
}

/**
 * The title without what follows its last separators, until it fits; null if it has no place to end. Cutting elsewhere
 * could leave half a phrase.
 */
export function shortenedTitle(title: string, fits: (text: string) => boolean): string | null {
  let end = title.length;
  for (const { index } of [...title.matchAll(/(?<!\s)\s+[|–—·»-]\s+|[:,]\s+|[，、]\s*/g)].reverse()) {
    end = index;
    if (fits(title.slice(0, end))) break;
  }
  const text = title.slice(0, end);
  return fits(text) ? text : null;
}
