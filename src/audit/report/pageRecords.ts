/** What is kept of each page of a crawl beside its row, and of all links, made one after the other. Pure. */
import {
  flagOfPosition,
  LINK_FLAGS,
  type LinkColumns,
  type PageRecord,
  type RecordList,
} from '../../model/pageRecords.ts';
import { visibleText } from '../../model/visibleText.ts';
import { canonicalsOf } from '../checks/lookups/canonicals.ts';
import { headerPlaces, metaPlaces } from '../checks/lookups/directives.ts';
import { header, siteIndex } from '../checks/lookups/siteIndex.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { unpackText } from '../facts/text/packedText.ts';
import { preparingLinks, siteLinks } from '../links/siteLinks.ts';
import type { Pausable } from '../timeSlices.ts';
import { hideSecrets } from './hideSecrets.ts';

/** Headers that say how a page is found, delivered, or protected, and nothing about a visitor. */
const HEADERS = [
  'age',
  'alt-svc',
  'cache-control',
  'cf-cache-status',
  'content-encoding',
  'content-language',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'link',
  'location',
  'permissions-policy',
  'referrer-policy',
  'retry-after',
  'server',
  'strict-transport-security',
  'vary',
  'via',
  'x-cache',
  'x-content-type-options',
  'x-frame-options',
  'x-powered-by',
  'x-robots-tag',
] as const;

/** Characters of JSON that are kept of each list. */
const ROOM: Readonly<Record<RecordList, number>> = {
  headers: 8_000,
  alternates: 8_000,
  headings: 12_000,
  data: 24_000,
  images: 16_000,
  social: 4_000,
};
const LONGEST_TEXT = 500;
const MOST_HOPS = 20;
const LONGEST_HOP = 1_000;
const MOST_PLACES = 20;

const cut = (text: string): string => text.slice(0, LONGEST_TEXT);

/** The record of a page as JSON, at most about 110,000 characters. */
export function pageRecordJson(page: CrawledPage): string {
  return visibleText(hideSecrets(JSON.stringify(pageRecord(page))));
}

function pageRecord({ facts, outcome, ...page }: CrawledPage): PageRecord {
  const leftOut: { [List in RecordList]?: number } = {};
  const kept = <T>(list: RecordList, items: readonly T[]): readonly T[] => {
    let room = ROOM[list];
    const some: T[] = [];
    for (const item of items) {
      room -= JSON.stringify(item).length + 1;
      if (room < 0) break;
      some.push(item);
    }
    if (some.length < items.length) leftOut[list] = items.length - some.length;
    return some;
  };
  const whole = { facts, outcome, ...page };
  const record = {
    url: page.url,
    chain: [
      ...outcome.hops.slice(0, MOST_HOPS).map(({ url, status }) => ({ url: url.slice(0, LONGEST_HOP), status })),
      { url: outcome.url.slice(0, LONGEST_HOP), status: outcome.status },
    ],
    headers: kept(
      'headers',
      HEADERS.flatMap((name) => {
        const value = header(outcome, name);
        return value === null ? [] : [{ name, value: value.slice(0, 4 * LONGEST_TEXT) }];
      }),
    ),
    directives: [...metaPlaces(whole), ...headerPlaces(whole)]
      .slice(0, MOST_PLACES)
      .map(({ bot, evidence }) => ({ place: evidence.place, bot: bot && cut(bot), value: cut(evidence.value) })),
    canonicals: canonicalsOf(whole)
      .slice(0, MOST_PLACES)
      .map(({ place, url, href }) => ({ place, url: cut(url ?? href) })),
  };
  return { ...record, ...(facts === null ? NO_CONTENT : contentOf(facts, kept)), leftOut };
}

const NO_CONTENT = {
  alternates: [],
  lang: '',
  charset: '',
  headings: [],
  data: [],
  images: [],
  social: [],
  markdown: '',
} as const satisfies Partial<PageRecord>;

type Content = Pick<PageRecord, keyof typeof NO_CONTENT>;

function contentOf(facts: PageFacts, kept: <T>(list: RecordList, items: readonly T[]) => readonly T[]): Content {
  const social = [...facts.properties, ...facts.metas].filter(({ name }) =>
    /^(?:og|twitter|article|product):/.test(name),
  );
  return {
    alternates: kept(
      'alternates',
      facts.alternates.map(({ hreflang, url, href }) => ({ hreflang: cut(hreflang), url: cut(url ?? href) })),
    ),
    lang: cut(facts.lang ?? ''),
    charset: facts.charset.used,
    headings: kept(
      'headings',
      facts.headings.map(({ level, text, hidden }) => ({ level, text: cut(text), hidden })),
    ),
    data: kept(
      'data',
      facts.structuredData.map(({ syntax, types, value, error }) => ({ syntax, types, nodes: small(value), error })),
    ),
    images: kept(
      'images',
      facts.images
        .filter(({ hidden }) => !hidden)
        .map(({ url, src, alt, width = null, height = null, loading }) => ({
          url: cut(url ?? src ?? ''),
          alt: alt === null ? null : cut(alt),
          width: width && cut(width),
          height: height && cut(height),
          lazy: loading?.trim().toLowerCase() === 'lazy',
        })),
    ),
    social: kept(
      'social',
      social.map(({ name, content }) => ({ name: cut(name), content: cut(content) })),
    ),
    markdown: facts.markdown === undefined ? '' : unpackText(facts.markdown),
  };
}

const LARGEST_DATA = 12_000;

const small = <T>(nodes: T): T | null => (JSON.stringify(nodes).length > LARGEST_DATA ? null : nodes);

/** Of one run of columns: links, and characters of addresses and anchors. */
const LINKS_AT_ONCE = 20_000;
const TEXT_AT_ONCE = 100_000;
/** Of a site; a list for people needs no more. */
export const MOST_LINKS = 500_000;

/** In runs, the first so many links; `all`: how many there are. Pauses between pages. */
export function* gatheringLinks(
  crawl: Crawl,
): Pausable<{ readonly runs: readonly LinkColumns[]; readonly all: number }> {
  yield* preparingLinks(crawl);
  const { answerOf } = siteIndex(crawl);
  const links = siteLinks(crawl);
  const rowOf = new Map(crawl.pages.map((page, row) => [page, row]));
  const runs: LinkColumns[] = [];
  let run = emptyRun();
  let taken = 0;
  for (const [row, page] of crawl.pages.entries()) {
    yield;
    let own = 0;
    const finish = (): void => {
      if (own > 0) run.pages.push([row, own]);
      own = 0;
    };
    for (const link of links.linksOf(page)) {
      if (taken >= MOST_LINKS) break;
      if (run.targets.length >= LINKS_AT_ONCE || run.characters >= TEXT_AT_ONCE) {
        finish();
        runs.push(columnsOf(run));
        run = emptyRun();
      }
      const landing = links.landingOf(link.to);
      run.targets.push(
        numberOf(run.urlIds, link.to, () => {
          const url = cut(hideSecrets(link.to));
          run.characters += url.length;
          run.urls.push(url);
          run.statuses.push(answerOf(link.to)?.outcome.status ?? null);
          run.rows.push(landing === null ? null : (rowOf.get(landing) ?? null));
        }),
      );
      run.anchors.push(
        numberOf(run.textIds, link.anchor, () => {
          run.texts.push(link.anchor);
          run.characters += link.anchor.length;
        }),
      );
      run.flags.push(
        flagOfPosition(link.position) |
          (link.nofollow ? LINK_FLAGS.nofollow : 0) |
          (link.sponsored ? LINK_FLAGS.sponsored : 0) |
          (link.ugc ? LINK_FLAGS.ugc : 0) |
          (link.template ? LINK_FLAGS.template : 0) |
          (link.internal ? 0 : LINK_FLAGS.external),
      );
      own += 1;
      taken += 1;
    }
    finish();
  }
  if (run.targets.length > 0) runs.push(columnsOf(run));
  return { runs, all: links.links };
}

type Run = ReturnType<typeof emptyRun>;

function emptyRun() {
  return {
    pages: [] as [number, number][],
    targets: [] as number[],
    anchors: [] as number[],
    flags: [] as number[],
    urls: [] as string[],
    statuses: [] as (number | null)[],
    rows: [] as (number | null)[],
    texts: [] as string[],
    characters: 0,
    urlIds: new Map<string, number>(),
    textIds: new Map<string, number>(),
  };
}

const columnsOf = ({ urlIds: _, textIds: __, characters: ___, ...columns }: Run): LinkColumns => columns;

function numberOf(ids: Map<string, number>, text: string, add: () => void): number {
  const known = ids.get(text);
  if (known !== undefined) return known;
  const id = ids.size;
  ids.set(text, id);
  add();
  return id;
}
