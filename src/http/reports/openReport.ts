/** An audit's results as its owner may see them: a preview only contains what the visible action items fix. */
import { digestOf } from '../../domain/report/digest.ts';
import { withExtents } from '../../domain/report/reportData.ts';
import type { RecordParts, ReportCause, ReportOverview, ReportPage } from '../../domain/report/reportRows.ts';
import type { Position } from '../../eventStore/eventStore.ts';
import type { Finding } from '../../model/findings.ts';
import { getBoard } from '../../projections/boards.ts';
import { getJobFile } from '../../projections/jobFiles.ts';
import type { JobDocument } from '../../projections/jobs.ts';
import { getFindings, getPages, getStoredOverview } from '../../projections/reports.ts';
import type { Documents } from '../../readModels/readModels.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { visibleItems } from '../present/action.ts';
import { inTurn } from './costlyTurns.ts';
import { heldTables } from './heldTables.ts';
import { bytesOfPages, type PageTable, pageTableOf } from './pageTable.ts';
import { reportFromFiles } from './reportFiles.ts';

export type OpenReport = {
  readonly overview: Omit<ReportOverview, 'parts' | 'records'>;
  /** All issues by rank, also those that a preview holds back: rows of pages have the numbers of their findings. */
  readonly allCauses: readonly ReportCause[];
  /** Findings by row number, in that order. */
  readonly findings: (numbers: readonly number[]) => Promise<readonly Finding[]>;
  /** Row numbers of the findings on these pages, in order. */
  readonly foundAt: (urls: ReadonlySet<string>) => Promise<readonly number[]>;
  readonly pages: () => Promise<readonly ReportPage[]>;
  /** The same for lists of them. */
  readonly pageTable: () => Promise<PageTable>;
  /** Row counts of what is kept beside the rows; null in audits of earlier versions. */
  readonly records: RecordParts | null;
  /** Tells apart what was written again. */
  readonly version: string;
  /** How much a preview shows; null with full access. */
  readonly preview: { readonly shown: number; readonly total: number } | null;
};

/** `readModels`: current or past. */
type Deps = Pick<HttpDeps, 'reports'> & { readonly readModels: Documents };

/** Null if nothing readable has been written yet. */
export async function openReport(
  deps: Deps,
  { jobId, access, userId }: Pick<JobDocument, 'jobId' | 'access' | 'userId'>,
): Promise<OpenReport | null> {
  const stored = await fromRows(deps, jobId, userId);
  if (stored === null)
    return inTurn(userId, async () => {
      const report = await fromFiles(deps, jobId);
      return report && access === 'preview' ? cut(report, await openFindingIds(deps, jobId)) : report;
    });
  if (access === 'full') return stored.report;
  const open = await openFindingIds(deps, jobId);
  // Whatever is shown of it, all of it is read.
  return heldTables.get(
    `preview ${jobId} ${stored.position} ${digestOf([...open].join('\n'))}`,
    () => inTurn(userId, () => cut(stored.report, open)),
    ({ overview, preview }) => BYTES_OF_CAUSE * overview.causes.length + BYTES_OF_FINDING * (preview?.shown ?? 0),
  );
}

/** About what they take in memory. */
const BYTES_OF_CAUSE = 6_000;
const BYTES_OF_FINDING = 3_000;

async function fromRows(
  { readModels }: Deps,
  jobId: string,
  userId: string,
): Promise<{ readonly report: OpenReport; readonly position: Position } | null> {
  const stored = await getStoredOverview(readModels, jobId);
  if (!stored) return null;
  const { records = null, ...overview } = withExtents(stored.overview);
  const rows = { jobId, parts: overview.parts };
  const findings = (numbers: readonly number[]) => getFindings(readModels, rows, numbers);
  const pages = () => getPages(readModels, rows);
  const foundAt = async (urls: ReadonlySet<string>): Promise<readonly number[]> => {
    const rows = (await pageTable()).rows.filter(({ url }) => urls.has(url));
    const elsewhere = rows.length === 0 ? await findingsElsewhere() : new Map<string, readonly number[]>();
    if (rows.length === 0) return [...urls].flatMap((url) => elsewhere.get(url) ?? []);
    return [...new Set(rows.flatMap((page) => page.rows))].sort((a, b) => a - b);
  };
  const pageTable = () =>
    heldTables.get(
      `pages ${jobId} ${stored.position}`,
      () => inTurn(userId, async () => pageTableOf(await pages())),
      bytesOfPages,
    );
  /** Findings at addresses that are no pages, such as robots.txt: to know them, all findings are read. */
  const findingsElsewhere = () =>
    heldTables.get(
      `elsewhere ${jobId} ${stored.position}`,
      () =>
        inTurn(userId, async () => {
          const known = new Set((await pages()).map(({ url }) => url));
          const rows = new Map<string, number[]>();
          for (const [row, { evidence }] of (await findings(allNumbers(overview))).entries()) {
            if (known.has(evidence.url)) continue;
            const own = rows.get(evidence.url);
            if (own) own.push(row);
            else rows.set(evidence.url, [row]);
          }
          return rows;
        }),
      (rows) => [...rows].reduce((sum, [url, own]) => sum + 300 + 2 * url.length + 8 * own.length, 0),
    );
  const version = stored.position;
  const report = {
    overview,
    allCauses: overview.causes,
    findings,
    foundAt,
    pages,
    pageTable,
    records,
    version,
    preview: null,
  };
  return { report, position: stored.position };
}

async function fromFiles({ readModels, reports }: Deps, jobId: string): Promise<OpenReport | null> {
  const [findings, pages] = await Promise.all([
    getJobFile(readModels, jobId, 'findings.json'),
    getJobFile(readModels, jobId, 'pages.csv'),
  ]);
  if (!findings) return null;
  const report = reportFromFiles(findings.data.content, pages?.data.content ?? null, await reports.siteChecks());
  if (!report) return null;
  const pageTable = async () => pageTableOf(report.pages);
  return inMemory(report.overview, report.findings, {
    allCauses: report.overview.causes,
    pages: async () => report.pages,
    pageTable,
    records: null,
    version: '',
    preview: null,
  });
}

function inMemory(
  overview: OpenReport['overview'],
  findings: readonly Finding[],
  rest: Pick<OpenReport, 'allCauses' | 'pages' | 'pageTable' | 'records' | 'version' | 'preview'>,
): OpenReport {
  return {
    overview,
    findings: async (numbers) => numbers.flatMap((number) => findings[number] ?? []),
    foundAt: async (urls) => numbersAt(findings, urls),
    ...rest,
  };
}

const numbersAt = (findings: readonly Finding[], urls: ReadonlySet<string>): readonly number[] =>
  findings.flatMap((finding, number) => (urls.has(finding.evidence.url) ? [number] : []));

function findingsIn({ causes }: Pick<ReportOverview, 'causes'>): number {
  return causes.reduce((sum, cause) => sum + cause.findings, 0);
}

const allNumbers = (overview: OpenReport['overview']): readonly number[] => [...Array(findingsIn(overview)).keys()];

/** The findings that a preview shows: those fixed by the visible items. */
export async function openFindingIds(
  { readModels }: Pick<Deps, 'readModels'>,
  jobId: string,
): Promise<ReadonlySet<string>> {
  const board = await getBoard(readModels, jobId);
  return new Set(board ? visibleItems(board.data, 'preview').flatMap((item) => item.findingIds) : []);
}

/** Addresses of the pages on which a preview shows a finding. */
export async function openUrls({ preview, findings }: OpenReport): Promise<ReadonlySet<string>> {
  const shown = await findings([...Array(preview?.shown ?? 0).keys()]);
  return new Set(shown.map(({ evidence }) => evidence.url));
}

function countedIn(
  findings: readonly Finding[],
  joined: NonNullable<ReportCause['joined']>,
): NonNullable<ReportCause['joined']> {
  return joined
    .map((each) => ({ ...each, findings: findings.filter(({ checkId }) => checkId === each.checkId).length }))
    .filter((each) => each.findings > 0);
}

async function cut(report: OpenReport, open: ReadonlySet<string>): Promise<OpenReport> {
  const all = await report.findings(allNumbers(report.overview));
  const findings: Finding[] = [];
  const causes = report.overview.causes.flatMap((cause): ReportCause[] => {
    const own = all.slice(cause.from, cause.from + cause.findings).filter(({ id }) => open.has(id));
    const from = findings.length;
    findings.push(...own);
    const first = own[0]?.evidence;
    return first
      ? [
          {
            ...cause,
            from,
            ...(cause.joined === undefined ? {} : { joined: countedIn(own, cause.joined) }),
            findings: own.length,
            pages: new Set(own.map(({ evidence }) => evidence.url)).size,
            first: { url: first.url, value: first.value, id: own[0]?.id ?? '' },
          },
        ]
      : [];
  });
  return inMemory({ ...report.overview, causes }, findings, {
    allCauses: report.allCauses,
    pages: report.pages,
    pageTable: report.pageTable,
    records: report.records,
    version: report.version,
    preview: { shown: findings.length, total: all.length },
  });
}
