/** One page of an audit with everything that was kept of it, and the table of all links. */
import { unpackRecords } from '../../commands/job/pageRecords.ts';
import type { PageRecord } from '../../model/pageRecords.ts';
import { getRecordPart, partOfRow, recordsRemovedAt } from '../../projections/pageRecords.ts';
import type { Documents } from '../../readModels/readModels.ts';
import type { LinkView, NoRecord } from '../contract/links.ts';
import type { PageRecordView, PageResponse } from '../contract/pageRecord.ts';
import { HttpError } from '../request/errors.ts';
import { inTurn } from './costlyTurns.ts';
import { heldTables } from './heldTables.ts';
import { bytesOfLinks, type LinkTable, linkView, readLinkTable } from './linkTable.ts';
import { pageView } from './listPages.ts';
import { type OpenReport, openUrls } from './openReport.ts';

type Deps = { readonly readModels: Documents };
type Of = { readonly jobId: string; readonly userId: string };

/** Links of a page that its view shows in each direction; the list of links has all. */
const SHOWN_LINKS = 100;

/** @throws HttpError PAGE_NOT_FOUND */
export async function openPage(deps: Deps, report: OpenReport, of: Of, url?: string): Promise<PageResponse['data']> {
  const { rows } = await report.pageTable();
  const row = url === undefined ? 0 : rows.findIndex((page) => page.url === url);
  const page = rows[row];
  if (page === undefined) throw new HttpError('PAGE_NOT_FOUND', 'The audit has no such page.');
  const record = await recordOf(deps, report, of, { row, url: page.url });
  if (typeof record === 'string') return { page: pageView(page), record: null, noRecord: record, links: null };
  const table = await openLinks(deps, report, of);
  return {
    page: pageView(page),
    record,
    noRecord: null,
    links:
      table &&
      linksOf(
        table,
        row,
        rows.map((each) => each.url),
      ),
  };
}

async function recordOf(
  { readModels }: Deps,
  report: OpenReport,
  { jobId }: Of,
  { row, url }: { readonly row: number; readonly url: string },
): Promise<PageRecordView | NoRecord> {
  if (report.records === null) return 'earlier_version';
  if (report.preview !== null && !(await openUrls(report)).has(url)) return 'preview';
  const place = partOfRow(report.records.pages, row);
  if (place === null) return 'too_large';
  const of = { jobId, kind: 'pages', parts: report.records.pages.length } as const;
  const text = await getRecordPart(readModels, of, place.part);
  if (text === null) return 'removed';
  const { url: _, ...record } = (await unpackRecords(text))[place.at] as PageRecord;
  return record as PageRecordView;
}

/** Every page of which there is a record that its owner may see, in order. */
export async function* pagesWithLinks(
  deps: Deps,
  report: OpenReport,
  of: Of,
): AsyncGenerator<{ readonly url: string; readonly record: PageRecordView; readonly links: LinkView[] }> {
  const parts = report.records?.pages ?? [];
  const { rows } = await report.pageTable();
  const pageUrls = rows.map(({ url }) => url);
  const open = report.preview === null ? null : await openUrls(report);
  const table = await openLinks(deps, report, of);
  let link = 0;
  let row = 0;
  for (let part = 0; part < parts.length; part += 1) {
    const text = await getRecordPart(deps.readModels, { jobId: of.jobId, kind: 'pages', parts: parts.length }, part);
    if (text === null) return;
    for (const { url: _, ...record } of (await unpackRecords(text)) as readonly PageRecord[]) {
      const url = pageUrls[row] ?? '';
      const links: LinkView[] = [];
      for (; table && link < table.count && table.from[link] === row; link += 1)
        links.push(linkView(table, link, pageUrls));
      if (open === null || open.has(url)) yield { url, record: record as PageRecordView, links };
      row += 1;
    }
  }
}

/** Null if the audit has none, or no longer. */
export async function openLinks(
  deps: Deps,
  { records, version }: OpenReport,
  { jobId, userId }: Of,
): Promise<LinkTable | null> {
  if (records === null || (await recordsRemovedAt(deps.readModels, jobId)) !== null) return null;
  const read = () => inTurn(userId, () => readLinkTable(deps.readModels, { jobId, links: records.links }));
  const held = heldTables.get(`links ${jobId} ${version}`, needed(read), bytesOfLinks);
  return held.catch((error: unknown) => {
    if (error instanceof NoLinks) return null;
    throw error;
  });
}

class NoLinks extends Error {}

/** What is not there is not held. */
const needed =
  <T>(read: () => Promise<T | null>) =>
  async (): Promise<T> => {
    const table = await read();
    if (table === null) throw new NoLinks();
    return table;
  };

function linksOf(table: LinkTable, row: number, pageUrls: readonly string[]): PageResponse['data']['links'] {
  const inbound = { total: 0, links: [] as LinkView[] };
  const outbound = { total: 0, links: [] as LinkView[] };
  const add = (to: typeof inbound, link: number): void => {
    to.total += 1;
    if (to.links.length < SHOWN_LINKS) to.links.push(linkView(table, link, pageUrls));
  };
  for (let link = 0; link < table.count; link += 1) {
    const isOwn = table.from[link] === row;
    if (isOwn) add(outbound, link);
    else if (table.pages[table.target[link] ?? 0] === row) add(inbound, link);
  }
  return { inbound, outbound };
}

/** Why an audit has no links to list. */
export async function whyNoLinks({ readModels }: Deps, { records }: OpenReport, jobId: string): Promise<NoRecord> {
  if (records === null) return 'earlier_version';
  return (await recordsRemovedAt(readModels, jobId)) === null ? 'too_large' : 'removed';
}
