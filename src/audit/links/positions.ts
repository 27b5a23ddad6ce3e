/**
 * The position of each link: by landmarks, and where they are missing by what most pages repeat. A link with the same
 * anchor and target on most pages of the site, or of a language of the site, belongs to the template.
 */
import type { CrawledPage } from '../crawl/site.ts';
import type { Pausable } from '../timeSlices.ts';
import { type LinkTable, type Place, placeIn, TEMPLATE, withPlace } from './linkTable.ts';

/** With fewer pages, "most pages" means little. */
const MIN_PAGES = 4;
/** A language with a smaller share of the pages is no group of its own. */
const MIN_SHARE = 0.05;

/** Pages that are compared with each other: all, and those of each language. */
type Group = { readonly number: number; readonly size: number };
/** By page; none for pages without HTML. */
type Groups = (page: number) => readonly Group[];

/** Where the links of one anchor to one target stand in the pages of a group. */
type Repeated = { pages: number; last: number; before: number; after: number };

/** Marks the links of the template, and gives each link one of the positions. Changes the flags alone. */
export function* placing(table: LinkTable): Pausable<void> {
  const groupsOf = groupsIn(table.pages);
  const repeated = yield* repeatedLinks(table, groupsOf);
  const isMost = (found: Repeated | undefined, { size }: Group): boolean =>
    found !== undefined && found.pages > size / 2;
  const templateOf = (link: number, page: number): Repeated | null => {
    for (const group of groupsOf(page)) {
      const found = repeated(link, group);
      if (found !== undefined && isMost(found, group)) return found;
    }
    return null;
  };
  for (let page = 0; page < table.pages.length; page += 1) {
    yield;
    forLinks(table, page, (link, flags) => {
      if (templateOf(link, page) !== null) table.flags[link] = flags | TEMPLATE;
    });
    voteFor(table, page, (link) => templateOf(link, page));
  }
  for (let page = 0; page < table.pages.length; page += 1) {
    yield;
    forLinks(table, page, (link, flags) => {
      table.flags[link] = withPlace(
        flags,
        positionOf(placeIn(flags), (flags & TEMPLATE) !== 0, () => templateOf(link, page)),
      );
    });
  }
}

function positionOf(place: Place, isTemplate: boolean, where: () => Repeated | null): Place {
  if (place !== 'aside' && place !== 'loose') return place;
  if (!isTemplate) return 'content';
  const found = place === 'aside' ? null : where();
  return found !== null && found.after > found.before ? 'footer' : 'navigation';
}

function forLinks({ pageStart, flags }: LinkTable, page: number, see: (link: number, flags: number) => void): void {
  const end = pageStart[page + 1] as number;
  for (let link = pageStart[page] as number; link < end; link += 1) see(link, flags[link] as number);
}

/** Links of the template outside landmarks stand before or after what the page has of its own. */
function voteFor(table: LinkTable, page: number, templateOf: (link: number) => Repeated | null): void {
  let first = -1;
  let last = -1;
  forLinks(table, page, (link, flags) => {
    const place = placeIn(flags);
    if (place !== 'content' && (place !== 'loose' || (flags & TEMPLATE) !== 0)) return;
    if (first < 0) first = link;
    last = link;
  });
  if (first < 0) return;
  forLinks(table, page, (link, flags) => {
    if (placeIn(flags) !== 'loose' || (flags & TEMPLATE) === 0) return;
    const found = templateOf(link);
    if (found !== null && link < first) found.before += 1;
    else if (found !== null && link > last) found.after += 1;
  });
}

function groupsIn(pages: readonly CrawledPage[]): Groups {
  const languages = pages.map(({ facts }) =>
    facts === null ? null : (facts.lang ?? '').trim().toLowerCase().split('-', 1)[0]?.slice(0, 8) || '',
  );
  const sizes = new Map<string, number>();
  let html = 0;
  for (const language of languages) {
    if (language === null) continue;
    html += 1;
    sizes.set(language, (sizes.get(language) ?? 0) + 1);
  }
  const all: Group = { number: 0, size: html };
  const byLanguage = new Map<string, readonly Group[]>();
  for (const [language, size] of sizes) {
    const isGroup = sizes.size > 1 && size >= Math.max(MIN_PAGES, html * MIN_SHARE);
    byLanguage.set(language, isGroup ? [all, { number: byLanguage.size + 1, size }] : [all]);
  }
  return (page) => {
    const language = languages[page];
    return html < MIN_PAGES || language == null ? [] : (byLanguage.get(language) ?? []);
  };
}

/**
 * Counts the pages that have each pair of anchor and target. Only targets that enough pages link to are counted, so
 * that there are few pairs.
 */
function* repeatedLinks(
  table: LinkTable,
  groupsOf: Groups,
): Pausable<(link: number, group: Group) => Repeated | undefined> {
  const { pages, targets, anchorOf, anchors, addresses } = table;
  const linking = new Uint32Array(addresses.length);
  const seen = new Int32Array(addresses.length).fill(-1);
  let least = Number.POSITIVE_INFINITY;
  for (let page = 0; page < pages.length; page += 1) {
    for (const { size } of groupsOf(page)) least = Math.min(least, size / 2);
    forLinks(table, page, (link) => {
      const target = targets[link] as number;
      if (seen[target] === page) return;
      seen[target] = page;
      linking[target] = (linking[target] as number) + 1;
    });
    yield;
  }
  const keyOf = (link: number, { number }: Group): number =>
    (number * addresses.length + (targets[link] as number)) * anchors.length + (anchorOf[link] as number);
  const found = new Map<number, Repeated>();
  for (let page = 0; page < pages.length; page += 1) {
    const groups = groupsOf(page);
    forLinks(table, page, (link) => {
      if ((linking[targets[link] as number] as number) <= least) return;
      for (const group of groups) {
        const key = keyOf(link, group);
        const known = found.get(key);
        if (known === undefined) found.set(key, { pages: 1, last: page, before: 0, after: 0 });
        else if (known.last !== page) {
          known.pages += 1;
          known.last = page;
        }
      }
    });
    yield;
  }
  return (link, group) => found.get(keyOf(link, group));
}
