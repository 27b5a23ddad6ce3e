/** How an audited site is built: its folders, its most important pages, and the links between them. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { ReportCause, ReportPage } from '../../domain/report/reportRows.ts';
import { ascending } from '../../model/order.ts';
import { LINK_FLAGS } from '../../model/pageRecords.ts';
import { PAGE_PLACES, type PagePlace } from '../contract/pages.ts';
import type { FolderView, LinkedPage, Structure } from '../contract/structure.ts';
import { inTurn } from './costlyTurns.ts';
import { foldersAround, pathOf } from './folders.ts';
import { heldTables } from './heldTables.ts';
import type { LinkTable } from './linkTable.ts';
import { type OpenReport, openUrls } from './openReport.ts';
import { causeAt } from './pageIssues.ts';
import { openLinks, whyNoLinks } from './pageRecord.ts';
import type { PageTable } from './pageTable.ts';

type Deps = Parameters<typeof openLinks>[0];
type Of = { readonly jobId: string; readonly userId: string };

const MOST_FOLDERS = 2000;
const MOST_PAGES = 1000;
const MOST_EDGES = 20_000;
/** Pages of each place that are named; the list of pages has all. */
const FIRST_PLACED = 5;
/** Between two turns of others. */
const ROWS_AT_ONCE = 1000;
const LINKS_AT_ONCE = 50_000;

/** What a preview shows is cut from the whole, so that only one is held. */
export async function openStructure(deps: Deps, report: OpenReport, of: Of): Promise<Structure> {
  const table = await report.pageTable();
  const links = await openLinks(deps, report, of);
  const make = () => inTurn(of.userId, () => structureOf(table, report.allCauses, links));
  // What is read from files has no version: it may still change.
  const whole =
    report.version === ''
      ? await make()
      : await heldTables.get(`structure ${of.jobId} ${report.version} ${links !== null}`, make, bytesOfStructure);
  const noRecord = links === null ? await whyNoLinks(deps, report, of.jobId) : null;
  const shown = { ...whole, graph: { ...whole.graph, noRecord } };
  return report.preview === null ? shown : cutTo(report, await openUrls(report), shown);
}

/** `causes`: all, by rank. `links`: null if they are not kept. */
export async function structureOf(
  table: PageTable,
  causes: readonly ReportCause[],
  links: LinkTable | null,
): Promise<Structure> {
  const { everywhere, apart } = await findingsApart(table.rows, causes);
  const { folders, moreFolders, folderOf } = await foldersOf(table.rows, apart);
  const ranked = pagesByRank(table);
  const chosen = ranked.slice(0, MOST_PAGES);
  const { edges, moreEdges } = await edgesBetween(chosen, table.rows.length, links);
  return {
    pages: table.rows.length,
    folders,
    moreFolders,
    everywhere: everywhere.map(({ check, title = check.title }) => ({ checkId: check.id, title })),
    graph: {
      pages: [...chosen].flatMap((row): LinkedPage[] => {
        const page = table.rows[row];
        return page ? [linkedPage(page, folderOf(page), apart(row))] : [];
      }),
      morePages: ranked.length - chosen.length,
      edges,
      moreEdges,
      preview: false,
      noRecord: null,
    },
    places: Object.fromEntries(PAGE_PLACES.map((place) => [place, placed(table, place)])) as Structure['places'],
  };
}

const bytesOfStructure = ({ folders, graph }: Structure): number =>
  folders.reduce((sum, { path }) => sum + 300 + 2 * path.length, 0) +
  400 * graph.pages.length +
  80 * graph.edges.from.length;

/** Only what a preview shows. `urls`: of the pages with its findings. */
function cutTo({ overview }: OpenReport, urls: ReadonlySet<string>, structure: Structure): Structure {
  const shown = new Set(overview.causes.map(({ check }) => check.id));
  const { pages, edges } = structure.graph;
  const open = edges.from.map((from) => urls.has(pages[from]?.url ?? ''));
  const kept = <T>(column: readonly T[]): T[] => column.filter((_, edge) => open[edge]);
  const { from, to, links, own, followed } = edges;
  return {
    ...structure,
    everywhere: structure.everywhere.filter(({ checkId }) => shown.has(checkId)),
    graph: {
      ...structure.graph,
      edges: { from: kept(from), to: kept(to), links: kept(links), own: kept(own), followed: kept(followed) },
      preview: true,
    },
  };
}

/** Findings of one page. */
type Apart = LinkedPage['apart'];

/** Of a site with fewer pages every issue is everywhere. */
const FEWEST_PAGES = 5;
/** Of the HTML pages. */
const NEARLY_EVERY = 0.9;

/** Issues that nearly every page has, and the findings of each row without those. */
async function findingsApart(
  rows: readonly ReportPage[],
  causes: readonly ReportCause[],
): Promise<{ readonly everywhere: readonly ReportCause[]; readonly apart: (row: number) => Apart }> {
  const byRow = [...causes].sort((a, b) => a.from - b.from);
  const pagesWith = new Map<ReportCause, number>();
  let pages = 0;
  for (const [row, page] of rows.entries()) {
    if (page.indexable !== null) pages += 1;
    for (const cause of new Set(page.rows.flatMap((finding) => causeAt(byRow, finding) ?? [])))
      pagesWith.set(cause, (pagesWith.get(cause) ?? 0) + 1);
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextRound();
  }
  // Findings that are not listed are on pages of their own.
  const everywhere =
    pages < FEWEST_PAGES
      ? []
      : causes.filter((cause) => (pagesWith.get(cause) ?? 0) + cause.omitted >= NEARLY_EVERY * pages);
  const left = new Set(everywhere);
  return {
    everywhere,
    apart: (row) => {
      const { findings = 0, highImpact = 0, rows: numbers = [] } = rows[row] ?? {};
      let [rest, high] = [findings, highImpact];
      if (left.size > 0)
        for (const number of numbers) {
          const cause = causeAt(byRow, number);
          if (cause === null || !left.has(cause)) continue;
          rest -= 1;
          if (cause.impact === 'high') high -= 1;
        }
      // What an issue of high impact took along may itself have a lower one.
      return { findings: Math.max(0, rest), highImpact: Math.min(Math.max(0, high), Math.max(0, rest)) };
    },
  };
}

type Folders = {
  readonly folders: FolderView[];
  readonly moreFolders: number;
  /** Place of the innermost of them in which a page is. */
  readonly folderOf: (page: ReportPage) => number;
};

async function foldersOf(rows: readonly ReportPage[], apart: (row: number) => Apart): Promise<Folders> {
  const all = new Map<string, FolderView>();
  const paths = rows.map(({ url }) => pathOf(url));
  for (const [row, path] of paths.entries()) {
    for (const folder of foldersAround(path)) if (!all.has(folder)) all.set(folder, empty(folder));
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextRound();
  }
  for (const [row, page] of rows.entries()) {
    const own = apart(row);
    for (const folder of around(paths[row] ?? '', all)) add(folder, page, own);
    if (row % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextRound();
  }
  // A folder is never smaller than those in it, and its path is shorter: what is kept is within what is kept.
  const folders = [...all.values()]
    .sort((a, b) => b.pages - a.pages || a.path.length - b.path.length || ascending(a.path, b.path))
    .slice(0, MOST_FOLDERS)
    .sort((a, b) => ascending(a.path, b.path));
  const places = new Map(folders.map(({ path }, place) => [path, place]));
  return {
    folders,
    moreFolders: all.size - folders.length,
    folderOf: ({ url }) => {
      const path = pathOf(url);
      const kept = [...foldersAround(path), `${path}/`].flatMap((folder) => places.get(folder) ?? []);
      return kept.at(-1) ?? 0;
    },
  };
}

/** An index page is in its own folder, if it has one. */
function around(path: string, all: ReadonlyMap<string, FolderView>): readonly FolderView[] {
  const names = foldersAround(path);
  return (path === '' ? names : [...names, `${path}/`]).flatMap((folder) => all.get(folder) ?? []);
}

const empty = (path: string): FolderView => ({
  path,
  pages: 0,
  withFindings: 0,
  withHighImpact: 0,
  findings: 0,
  apart: { withFindings: 0, withHighImpact: 0, findings: 0 },
  shallowest: null,
  deepest: null,
  pageRank: null,
  inlinks: null,
});

function add(folder: FolderView, page: ReportPage, apart: Apart): void {
  const { findings, highImpact, clicksFromStart: clicks, pageRank, inlinks } = page;
  folder.pages += 1;
  folder.findings += findings;
  if (findings > 0) folder.withFindings += 1;
  if (highImpact > 0) folder.withHighImpact += 1;
  folder.apart.findings += apart.findings;
  if (apart.findings > 0) folder.apart.withFindings += 1;
  if (apart.highImpact > 0) folder.apart.withHighImpact += 1;
  if (clicks !== null) {
    folder.shallowest = Math.min(folder.shallowest ?? clicks, clicks);
    folder.deepest = Math.max(folder.deepest ?? clicks, clicks);
  }
  if (pageRank != null) folder.pageRank = (folder.pageRank ?? 0) + pageRank;
  if (inlinks != null) folder.inlinks = (folder.inlinks ?? 0) + inlinks;
}

/** Rows with a PageRank, the highest first. */
function pagesByRank(table: PageTable): Uint32Array {
  const { order, known } = table.orderBy('pageRank');
  return order.slice(0, known).reverse();
}

function linkedPage(page: ReportPage, folder: number, apart: Apart): LinkedPage {
  const { url, status, clicksFromStart, inlinks, outlinks, pageRank, findings, highImpact } = page;
  return {
    url,
    folder,
    status,
    clicksFromStart,
    inlinks: inlinks ?? 0,
    outlinks: outlinks ?? null,
    pageRank: pageRank ?? 0,
    findings,
    highImpact,
    apart,
  };
}

const OWN = 1;
const FOLLOWED = 2;
const MOST_LINKS = 65_535;

/** `chosen`: rows of the pages, of `rows` in all. Links of the first ones are kept first, those of menus last. */
async function edgesBetween(
  chosen: Uint32Array,
  rows: number,
  links: LinkTable | null,
): Promise<{ readonly edges: Structure['graph']['edges']; readonly moreEdges: number }> {
  const edges: Structure['graph']['edges'] = { from: [], to: [], links: [], own: [], followed: [] };
  if (links === null) return { edges, moreEdges: 0 };
  const size = chosen.length;
  const placeOf = new Int32Array(rows).fill(-1);
  for (const [place, row] of chosen.entries()) placeOf[row] = place;
  // Of each pair of pages: a cell.
  const counts = new Uint16Array(size * size);
  const kinds = new Uint8Array(size * size);
  for (let link = 0; link < links.count; link += 1) {
    if (link % LINKS_AT_ONCE === LINKS_AT_ONCE - 1) await nextRound();
    const from = placeOf[links.from[link] ?? 0] ?? -1;
    const to = placeOf[links.pages[links.target[link] ?? 0] ?? -1] ?? -1;
    if (from < 0 || to < 0 || from === to) continue;
    const flags = links.flags[link] ?? 0;
    const cell = from * size + to;
    counts[cell] = Math.min(MOST_LINKS, (counts[cell] ?? 0) + 1);
    kinds[cell] =
      (kinds[cell] ?? 0) |
      ((flags & LINK_FLAGS.template) === 0 ? OWN : 0) |
      ((flags & LINK_FLAGS.nofollow) === 0 ? FOLLOWED : 0);
  }
  let all = 0;
  const take = (from: number, to: number, own: boolean): void => {
    const cell = from * size + to;
    const [number = 0, kind = 0] = [counts[cell], kinds[cell]];
    if (number === 0 || ((kind & OWN) !== 0) !== own) return;
    all += 1;
    if (edges.from.length === MOST_EDGES) return;
    edges.from.push(from);
    edges.to.push(to);
    edges.links.push(number);
    edges.own.push(own);
    edges.followed.push((kind & FOLLOWED) !== 0);
  };
  for (const own of [true, false]) {
    await nextRound();
    for (let last = 1; last < size; last += 1)
      for (let other = 0; other < last; other += 1) {
        take(other, last, own);
        take(last, other, own);
      }
  }
  return { edges, moreEdges: all - edges.from.length };
}

/** Those with most to do first, as in the list of pages. */
function placed(table: PageTable, place: PagePlace): Structure['places'][PagePlace] {
  const { order } = table.orderBy('findings');
  const rows = order.filter((row) => table.values.place[row]?.includes(place)).reverse();
  const pages = [...rows.subarray(0, FIRST_PLACED)].flatMap((row) => table.rows[row] ?? []);
  return { total: rows.length, pages: pages.map(({ url, title }) => ({ url, title })) };
}
