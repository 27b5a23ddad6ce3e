/**
 * The results of each audit, as rows that are read a page at a time. A job has one document for its overview and a
 * fixed number of slots for its rows: few enough that a deletion can name them all, and enough that none grows large.
 */
import type { ReportRows, ReportRowsWritten } from '../domain/report/events.ts';
import type { ReportOverview, ReportPage } from '../domain/report/reportRows.ts';
import type { Position, Recorded } from '../eventStore/eventStore.ts';
import type { Finding } from '../model/findings.ts';
import type { Documents } from '../readModels/readModels.ts';
import { projection } from './projection.ts';
import { slotOf, slotStarts } from './slots.ts';

type Kind = ReportRows['kind'];

export type ReportRowsDocument = { readonly jobId: string; readonly userId: string } & ReportRows;

const SLOTS: Readonly<Record<Kind, number>> = { overview: 1, findings: 32, pages: 8 };

const slotId = (jobId: string, kind: Kind, slot: number): string => `${jobId}/${kind}/${slot}`;
const allIds = (jobId: string): readonly string[] =>
  Object.entries(SLOTS).flatMap(([kind, slots]) =>
    Array.from({ length: slots }, (_, slot) => slotId(jobId, kind as Kind, slot)),
  );

export const reports = projection<ReportRowsDocument>()({
  name: 'reports',
  version: 2,
  indexes: [],
  isBulky: true,
  keys: (event) => {
    if (event.type === 'JobDeleted') return allIds(event.data.jobId);
    const { jobId, kind, part, parts } = event.data;
    const own = slotId(jobId, kind, slotOf(SLOTS[kind], part, parts));
    return kind === 'findings' && part === 0 ? [own, slotId(jobId, 'overview', 0)] : [own];
  },
  on: {
    ReportRowsWritten: withPart,
    JobDeleted: () => null,
  },
});

function withPart(
  document: ReportRowsDocument | null,
  { data }: Recorded<ReportRowsWritten>,
  key: string,
): ReportRowsDocument | null {
  const { jobId, userId, kind, part, parts } = data;
  const slot = slotOf(SLOTS[kind], part, parts);
  // The findings are being rewritten: nothing is shown until that is done.
  if (key !== slotId(jobId, kind, slot)) return null;
  const isFirst = part === 0 || slotOf(SLOTS[kind], part - 1, parts) !== slot;
  const before = isFirst ? null : document;
  if (data.kind === 'findings')
    return {
      jobId,
      userId,
      kind: data.kind,
      rows: before?.kind === 'findings' ? [...before.rows, ...data.rows] : data.rows,
    };
  if (data.kind === 'pages')
    return {
      jobId,
      userId,
      kind: data.kind,
      rows: before?.kind === 'pages' ? [...before.rows, ...data.rows] : data.rows,
    };
  return { jobId, userId, kind: data.kind, rows: data.rows };
}

/** Null while incomplete, and for audits that have only files. */
export async function getOverview(readModels: Documents, jobId: string): Promise<ReportOverview | null> {
  return (await getStoredOverview(readModels, jobId))?.overview ?? null;
}

/** With the position of its event, which tells apart the versions of a report that is written again. */
export async function getStoredOverview(
  readModels: Documents,
  jobId: string,
): Promise<{ readonly overview: ReportOverview; readonly position: Position } | null> {
  const document = await readModels.get<ReportRowsDocument>('reports', slotId(jobId, 'overview', 0));
  const overview = document?.data.kind === 'overview' ? document.data.rows[0] : undefined;
  return document && overview ? { overview, position: document.position } : null;
}

type Rows = Pick<ReportOverview, 'parts'> & { readonly jobId: string };

/** Findings by row number, in the requested order. Reads only the slots that contain them. */
export async function getFindings(
  readModels: Documents,
  of: Rows,
  numbers: readonly number[],
): Promise<readonly Finding[]> {
  return rowsAt<Finding>(readModels, of, 'findings', numbers);
}

/** All pages, in crawl order. */
export async function getPages(readModels: Documents, of: Rows): Promise<readonly ReportPage[]> {
  const total = of.parts.pages.reduce((sum, rows) => sum + rows, 0);
  return rowsAt<ReportPage>(readModels, of, 'pages', [...Array(total).keys()]);
}

async function rowsAt<Row>(
  readModels: Documents,
  { jobId, parts }: Rows,
  kind: 'findings' | 'pages',
  numbers: readonly number[],
): Promise<readonly Row[]> {
  const starts = slotStarts(SLOTS[kind], parts[kind]);
  const slotHolding = (number: number): number => starts.findLastIndex((start) => start <= number);
  const slots = [...new Set(numbers.map(slotHolding))].filter((slot) => slot >= 0);
  const documents = await readModels.getMany<ReportRowsDocument>(
    'reports',
    slots.map((slot) => slotId(jobId, kind, slot)),
  );
  const bySlot = new Map(documents.map(({ id, data }) => [id, data.rows as readonly Row[]]));
  return numbers.flatMap((number) => {
    const slot = slotHolding(number);
    return bySlot.get(slotId(jobId, kind, slot))?.[number - (starts[slot] ?? 0)] ?? [];
  });
}
