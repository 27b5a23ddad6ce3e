/** All links of an audit in columns: 13 bytes for each, beside the addresses and texts, each of which is held once. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { unpackRecords } from '../../commands/job/pageRecords.ts';
import { ascending } from '../../model/order.ts';
import { LINK_FLAGS, type LinkColumns, positionOfLink } from '../../model/pageRecords.ts';
import { getRecordPart } from '../../projections/pageRecords.ts';
import type { Documents } from '../../readModels/readModels.ts';
import type { LinkSort, LinkView } from '../contract/links.ts';

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
  readonly orderBy: (
    sort: LinkSort,
    pageUrls: readonly string[],
  ) => { readonly order: Uint32Array; readonly known: number };
};

type Of = { readonly jobId: string; readonly links: readonly number[] };

/** Null if they are not kept. `links`: row counts of their parts. */
export async function readLinkTable(readModels: Documents, { jobId, links }: Of): Promise<LinkTable | null> {
  const count = links.reduce((sum, rows) => sum + rows, 0);
  const from = new Uint32Array(count);
  const target = new Uint32Array(count);
  const text = new Uint32Array(count);
  const flags = new Uint8Array(count);
  const urls = numbered<{ readonly status: number; readonly page: number }>();
  const texts = numbered<null>();
  let at = 0;
  for (let part = 0; part < links.length; part += 1) {
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
    count,
    from,
    target,
    text,
    flags,
    urls: urls.keys,
    statuses: Uint16Array.from(urls.values, ({ status }) => status),
    pages: Int32Array.from(urls.values, ({ page }) => page),
    texts: texts.keys,
  };
  const orders = new Map<LinkSort, { readonly order: Uint32Array; readonly known: number }>();
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
  return {
    keys,
    values,
    add(key: string, value: () => V): number {
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, keys.length);
      values.push(value());
      return keys.push(key) - 1;
    },
  };
}

/** About what a table takes in memory, with the orders that may be asked for. */
export const bytesOfLinks = ({ count, urls, texts }: LinkTable): number =>
  33 * count + [...urls, ...texts].reduce((sum, text) => sum + 60 + 2 * text.length, 0);

const collator = new Intl.Collator('en');

/** Places of the texts in alphabetical order; equal ones share theirs. */
function ranksOf(texts: readonly string[], compare: (a: string, b: string) => number): Uint32Array {
  const sorted = [...texts.keys()].sort((a, b) => compare(texts[a] ?? '', texts[b] ?? ''));
  const ranks = new Uint32Array(texts.length);
  sorted.forEach((number, rank) => {
    ranks[number] = rank;
  });
  return ranks;
}

type Columns = Omit<LinkTable, 'orderBy'>;

function orderOf(
  table: Columns,
  sort: LinkSort,
  pageUrls: readonly string[],
): { readonly order: Uint32Array; readonly known: number } {
  const keyOf = keysOf(table, sort, pageUrls);
  const known: number[] = [];
  const unknown: number[] = [];
  // Key and number of a link in one value: numbers are sorted without a function, and equal keys keep their order.
  for (let link = 0; link < table.count; link += 1) {
    const key = keyOf(link);
    if (key === null) unknown.push(link);
    else known.push(key * table.count + link);
  }
  const sorted = Float64Array.from(known).sort();
  const order = new Uint32Array(table.count);
  sorted.forEach((value, at) => {
    order[at] = value % table.count;
  });
  order.set(unknown, known.length);
  return { order, known: known.length };
}

function keysOf(table: Columns, sort: LinkSort, pageUrls: readonly string[]): (link: number) => number | null {
  const at = (column: Uint32Array | Uint16Array, index: number | undefined): number => column[index ?? 0] ?? 0;
  switch (sort) {
    case 'from': {
      const ranks = ranksOf(pageUrls, ascending);
      return (link) => at(ranks, table.from[link]);
    }
    case 'to': {
      const ranks = ranksOf(table.urls, ascending);
      return (link) => at(ranks, table.target[link]);
    }
    case 'anchor': {
      const ranks = ranksOf(table.texts, collator.compare);
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
