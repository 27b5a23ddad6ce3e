/** All links of an audit in columns: 13 bytes for each, beside the addresses and texts, each of which is held once. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { unpackRecords } from '../../commands/job/pageRecords.ts';
import { createPace } from '../../eventStore/pacing.ts';
import { LINK_FLAGS, type LinkColumns, positionOfLink } from '../../model/pageRecords.ts';
import { getRecordPart } from '../../projections/pageRecords.ts';
import type { Documents } from '../../readModels/readModels.ts';
import type { LinkSort, LinkView } from '../contract/links.ts';
import { alphabeticalKeys, sortedTexts } from './sortedTexts.ts';

export type LinkTable = {
  readonly count: number;
  /** Of each link: row of its page, and numbers of its target and text below. */
  readonly from: Uint32Array;
  readonly target: Uint32Array;
  readonly text: Uint32Array;
  readonly flags: Uint8Array;
  /** Of each target: its address, its answer (0: none), and the row of the page it leads to (-1: none). */
  readonly urls: readonly string[];
  readonly statuses: Uint16Array;
  readonly pages: Int32Array;
  readonly texts: readonly string[];
  /** Link numbers in this order, those without a value last; `known`: how many have one. */
  readonly orderBy: (sort: LinkSort, pageUrls: readonly string[]) => Promise<LinkOrder>;
};

type LinkOrder = { readonly order: Uint32Array; readonly known: number };

/** Of addresses and texts, so that a table is soon read, and fits into what is held however many links it has. */
const MOST_TEXT_BYTES = 20 * 1024 * 1024;
const bytesOfText = (text: string): number => 60 + 2 * text.length;

type Of = { readonly jobId: string; readonly links: readonly number[] };

/** Null if they are not kept; the first ones if their texts are too long. `links`: row counts of their parts. */
export async function readLinkTable(
  readModels: Documents,
  { jobId, links }: Of,
  mostTextBytes: number = MOST_TEXT_BYTES,
): Promise<LinkTable | null> {
  const all = links.reduce((sum, rows) => sum + rows, 0);
  const from = new Uint32Array(all);
  const target = new Uint32Array(all);
  const text = new Uint32Array(all);
  const flags = new Uint8Array(all);
  const urls = numbered<{ readonly status: number; readonly page: number }>();
  const texts = numbered<null>();
  let at = 0;
  for (let part = 0; part < links.length && urls.bytes() + texts.bytes() < mostTextBytes; part += 1) {
    const packed = await getRecordPart(readModels, { jobId, kind: 'links', parts: links.length }, part);
    if (packed === null) return null;
    for (const run of (await unpackRecords(packed)) as readonly LinkColumns[]) {
      const ofTarget = run.urls.map((url, n) =>
        urls.add(url, () => ({ status: run.statuses[n] ?? 0, page: run.rows[n] ?? -1 })),
      );
      const ofText = run.texts.map((each) => texts.add(each, () => null));
      for (const [n, flag] of run.flags.entries()) {
        target[at + n] = ofTarget[run.targets[n] ?? 0] ?? 0;
        text[at + n] = ofText[run.anchors[n] ?? 0] ?? 0;
        flags[at + n] = flag;
      }
      for (const [row, own] of run.pages) {
        from.fill(row, at, at + own);
        at += own;
      }
    }
    await nextRound();
  }
  const table = {
    count: at,
    from: from.subarray(0, at),
    target: target.subarray(0, at),
    text: text.subarray(0, at),
    flags: flags.subarray(0, at),
    urls: urls.keys,
    statuses: Uint16Array.from(urls.values, ({ status }) => status),
    pages: Int32Array.from(urls.values, ({ page }) => page),
    texts: texts.keys,
  };
  const orders = new Map<LinkSort, Promise<LinkOrder>>();
  return {
    ...table,
    orderBy(sort, pageUrls) {
      const found = orders.get(sort) ?? orderOf(table, sort, pageUrls);
      orders.set(sort, found);
      return found;
    },
  };
}

/** Numbers texts by their first appearance, with a value for each. */
function numbered<V>() {
  const ids = new Map<string, number>();
  const keys: string[] = [];
  const values: V[] = [];
  let bytes = 0;
  return {
    keys,
    values,
    bytes: () => bytes,
    add(key: string, value: () => V): number {
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, keys.length);
      values.push(value());
      bytes += bytesOfText(key);
      return keys.push(key) - 1;
    },
  };
}

/** About what a table takes in memory, with the orders that may be asked for. */
export const bytesOfLinks = ({ count, urls, texts }: LinkTable): number =>
  33 * count + [...urls, ...texts].reduce((sum, text) => sum + bytesOfText(text), 0);

/** Places of the texts in order. */
async function ranksOf(texts: readonly string[]): Promise<Uint32Array> {
  const ranks = new Uint32Array(texts.length);
  (await sortedTexts(texts)).forEach((number, rank) => {
    ranks[number] = rank;
  });
  return ranks;
}

type Columns = Omit<LinkTable, 'orderBy'>;

/** Links that are looked at between two pauses. */
export const LINKS_AT_ONCE = 10_000;

/** As many as a column of them can hold. */
const STATUSES = 2 ** 16;

/** A counting sort. */
async function orderOf(table: Columns, sort: LinkSort, pageUrls: readonly string[]): Promise<LinkOrder> {
  const pace = createPace('request');
  const keyOf = await keysOf(table, sort, pageUrls);
  const keys = new Uint32Array(table.count);
  const most = Math.max(...[table.urls, table.texts, pageUrls].map(({ length }) => length), STATUSES);
  // Those without a value come last.
  const starts = new Uint32Array(most + 2);
  for (let link = 0; link < table.count; link += 1) {
    const key = keyOf(link) ?? most;
    keys[link] = key;
    starts[key + 1] = (starts[key + 1] ?? 0) + 1;
    if (link % LINKS_AT_ONCE === 0) await pace.pass();
  }
  for (let key = 0; key < most; key += 1) starts[key + 1] = (starts[key + 1] ?? 0) + (starts[key] ?? 0);
  const known = starts[most] ?? 0;
  const order = new Uint32Array(table.count);
  for (let link = 0; link < table.count; link += 1) {
    const key = keys[link] ?? 0;
    const place = starts[key] ?? 0;
    order[place] = link;
    starts[key] = place + 1;
    if (link % LINKS_AT_ONCE === 0) await pace.pass();
  }
  return { order, known };
}

async function keysOf(
  table: Columns,
  sort: LinkSort,
  pageUrls: readonly string[],
): Promise<(link: number) => number | null> {
  const at = (column: Uint32Array | Uint16Array, index: number | undefined): number => column[index ?? 0] ?? 0;
  switch (sort) {
    case 'from': {
      const ranks = await ranksOf(pageUrls);
      return (link) => at(ranks, table.from[link]);
    }
    case 'to': {
      const ranks = await ranksOf(table.urls);
      return (link) => at(ranks, table.target[link]);
    }
    case 'anchor': {
      const ranks = await ranksOf(await alphabeticalKeys(table.texts));
      return (link) => (table.texts[table.text[link] ?? 0] === '' ? null : at(ranks, table.text[link]));
    }
    case 'status':
      return (link) => at(table.statuses, table.target[link]) || null;
    case 'position':
      return (link) => (table.flags[link] ?? 0) & 3;
    default:
      sort satisfies never;
      return () => null;
  }
}

/** Of the links numbered. */
export function linkView(table: LinkTable, link: number, pageUrls: readonly string[]): LinkView {
  const target = table.target[link] ?? 0;
  const flags = table.flags[link] ?? 0;
  return {
    from: pageUrls[table.from[link] ?? 0] ?? '',
    to: table.urls[target] ?? '',
    page: pageUrls[table.pages[target] ?? -1] ?? null,
    status: table.statuses[target] || null,
    anchor: table.texts[table.text[link] ?? 0] ?? '',
    position: positionOfLink(flags),
    external: (flags & LINK_FLAGS.external) !== 0,
    template: (flags & LINK_FLAGS.template) !== 0,
    nofollow: (flags & LINK_FLAGS.nofollow) !== 0,
    sponsored: (flags & LINK_FLAGS.sponsored) !== 0,
    ugc: (flags & LINK_FLAGS.ugc) !== 0,
  };
}
