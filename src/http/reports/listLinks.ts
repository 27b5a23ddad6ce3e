/** Lists the links of an audit: filtered, searched, sorted, with a count for each filter choice. Pauses. */
import { createPace } from '../../eventStore/pacing.ts';
import { LINK_FLAGS, positionOfLink } from '../../model/pageRecords.ts';
import {
  LINK_FACETS,
  type LinkFacet,
  type LinksQuery,
  type LinksResponse,
  type LinkView,
  type NoRecord,
} from '../contract/links.ts';
import { LINKS_AT_ONCE, type LinkTable, linkView } from './linkTable.ts';
import { readOffset, writeOffset } from './offsetCursor.ts';
import { TEXTS_AT_ONCE } from './sortedTexts.ts';

const LIMIT = 100;

export type LinksOf = {
  readonly jobId: string;
  /** Addresses of the pages, by row. */
  readonly pageUrls: readonly string[];
  /** Rows of the pages whose links are shown; null for all. */
  readonly open: ReadonlySet<number> | null;
  /** All links that were found. */
  readonly found: number;
};

/** @throws HttpError INVALID_CURSOR */
export async function listLinks(
  table: LinkTable,
  query: LinksQuery,
  { jobId, pageUrls, open, found }: LinksOf,
): Promise<Pick<LinksResponse, 'data' | 'cursor'>> {
  const { cursor, limit = LIMIT, ...asked } = query;
  const list = ['links', jobId, open !== null, asked] as const;
  const offset = readOffset(list, cursor);
  const { shows, total, facets } = await filtered(table, query, pageUrls, open);
  const links: LinkView[] = [];
  let before = 0;
  for (const link of await inOrder(table, query, pageUrls)) {
    if (shows[link] === 0) continue;
    before += 1;
    if (before <= offset) continue;
    links.push(linkView(table, link, pageUrls));
    if (links.length === limit) break;
  }
  return {
    data: { links, total, facets, kept: table.count, found, preview: open !== null, noRecord: null },
    cursor: offset + limit < total ? writeOffset(list, offset + limit) : null,
  };
}

/** The answer for an audit without links to list. */
export const noLinks = (why: NoRecord): Pick<LinksResponse, 'data' | 'cursor'> => ({
  data: {
    links: [],
    total: 0,
    facets: { position: [], status: [], external: [], nofollow: [] },
    kept: 0,
    found: 0,
    preview: false,
    noRecord: why,
  },
  cursor: null,
});

async function inOrder(
  table: LinkTable,
  { sort, order }: LinksQuery,
  pageUrls: readonly string[],
): Promise<Iterable<number>> {
  if (sort === undefined) return table.from.keys();
  const { order: rows, known } = await table.orderBy(sort, pageUrls);
  return order === 'desc' ? downwards(rows, known) : rows;
}

function* downwards(rows: Uint32Array, known: number): Iterable<number> {
  for (let at = known - 1; at >= 0; at -= 1) yield rows[at] as number;
  yield* rows.subarray(known);
}

/** Links that neither the page, the target, nor the search leaves out. */
async function chosenBy(
  table: LinkTable,
  { from, to, search = '' }: LinksQuery,
  pageUrls: readonly string[],
  open: ReadonlySet<number> | null,
): Promise<(link: number) => boolean> {
  const [onPage, inUrl, inText] = [
    await finding(search, pageUrls),
    await finding(search, table.urls),
    await finding(search, table.texts),
  ];
  const page = from === undefined ? null : pageUrls.indexOf(from);
  const landing = to === undefined ? -1 : pageUrls.indexOf(to);
  const leads =
    to === undefined
      ? null
      : Uint8Array.from(table.urls, (url, n) => (url === to || (landing >= 0 && table.pages[n] === landing) ? 1 : 0));
  return (link) => {
    const source = table.from[link] ?? 0;
    const target = table.target[link] ?? 0;
    if (page !== null && source !== page) return false;
    if (leads !== null && leads[target] === 0) return false;
    if (open !== null && !open.has(source)) return false;
    return onPage[source] === 1 || inUrl[target] === 1 || inText[table.text[link] ?? 0] === 1;
  };
}

/** Of each text, 1 if it contains what is searched for. */
async function finding(search: string, texts: readonly string[]): Promise<Uint8Array> {
  const has = search.trim().toLowerCase();
  const found = new Uint8Array(texts.length);
  if (has === '') return found.fill(1);
  const pace = createPace('request');
  for (const [number, text] of texts.entries()) {
    if (text.toLowerCase().includes(has)) found[number] = 1;
    if (number % TEXTS_AT_ONCE === 0) await pace.pass();
  }
  return found;
}

const yesNo = (is: number): string => (is === 0 ? 'no' : 'yes');

const VALUES: Readonly<Record<LinkFacet, (flags: number, status: number) => string>> = {
  position: positionOfLink,
  status: (_, status) => (status === 0 ? 'none' : `${Math.floor(status / 100)}xx`),
  external: (flags) => yesNo(flags & LINK_FLAGS.external),
  nofollow: (flags) => yesNo(flags & LINK_FLAGS.nofollow),
};

/** One pass: a filter counts the links that pass all others. */
async function filtered(
  table: LinkTable,
  query: LinksQuery,
  pageUrls: readonly string[],
  open: ReadonlySet<number> | null,
): Promise<{
  readonly shows: Uint8Array;
  readonly total: number;
  readonly facets: LinksResponse['data']['facets'];
}> {
  const pace = createPace('request');
  const shows = new Uint8Array(table.count);
  const isChosen = await chosenBy(table, query, pageUrls, open);
  // Links with the same flags and status are counted together.
  const groups = new Map<
    number,
    { readonly values: readonly string[]; readonly failing: readonly number[]; links: number }
  >();
  let total = 0;
  for (let link = 0; link < table.count; link += 1) {
    if (link % LINKS_AT_ONCE === 0) await pace.pass();
    if (!isChosen(link)) continue;
    const flags = table.flags[link] ?? 0;
    const status = table.statuses[table.target[link] ?? 0] ?? 0;
    const key = status * 256 + flags;
    let group = groups.get(key);
    if (group === undefined) {
      const values = LINK_FACETS.map((facet) => VALUES[facet](flags, status));
      const failing = LINK_FACETS.flatMap((facet, n) =>
        query[facet] === undefined || query[facet] === values[n] ? [] : [n],
      );
      group = { values, failing, links: 0 };
      groups.set(key, group);
    }
    group.links += 1;
    if (group.failing.length > 0) continue;
    shows[link] = 1;
    total += 1;
  }
  return { shows, total, facets: facetsOf([...groups.values()]) };
}

function facetsOf(
  groups: readonly {
    readonly values: readonly string[];
    readonly failing: readonly number[];
    readonly links: number;
  }[],
): LinksResponse['data']['facets'] {
  const counts = LINK_FACETS.map((_, n) => {
    const tally = new Map<string, number>();
    for (const { values, failing, links } of groups) {
      const value = values[n] ?? '';
      if (failing.every((facet) => facet === n)) tally.set(value, (tally.get(value) ?? 0) + links);
    }
    return [...tally].map(([value, links]) => ({ value, links })).sort((a, b) => b.links - a.links);
  });
  return Object.fromEntries(LINK_FACETS.map((facet, n) => [facet, counts[n]])) as LinksResponse['data']['facets'];
}
