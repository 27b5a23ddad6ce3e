/**
 * What each audit keeps of its pages and links, packed as written. As with reports, a job has a fixed number of slots.
 */
import type { PageRecordsWritten } from '../domain/report/events.ts';
import type { RecordParts } from '../domain/report/reportRows.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import type { Documents, ReadModels } from '../readModels/readModels.ts';
import { getJob, listRuns } from './jobs.ts';
import { projection } from './projection.ts';
import { slotOf } from './slots.ts';

type Kind = PageRecordsWritten['data']['kind'];

export type PageRecordsDocument = {
  readonly jobId: string;
  readonly userId: string;
  /** Each a JSON list, compressed, in base64. */
  readonly texts: readonly string[];
  /** UTC ISO; null while they are kept. Only the first document of a job stays when they are removed. */
  readonly removedAt: string | null;
};

const SLOTS: Readonly<Record<Kind, number>> = { pages: 48, links: 24 };

const slotId = (jobId: string, kind: Kind, slot: number): string => `${jobId}/${kind}/${slot}`;
const firstId = (jobId: string): string => slotId(jobId, 'pages', 0);
const allIds = (jobId: string): readonly string[] =>
  Object.entries(SLOTS).flatMap(([kind, slots]) =>
    Array.from({ length: slots }, (_, slot) => slotId(jobId, kind as Kind, slot)),
  );

export const pageRecords = projection<PageRecordsDocument>()({
  name: 'pageRecords',
  version: 1,
  indexes: [],
  isBulky: true,
  keys: (event) => {
    const { jobId } = event.data;
    if (event.type !== 'PageRecordsWritten') return allIds(jobId);
    const { kind, part, parts } = event.data;
    return [slotId(jobId, kind, slotOf(SLOTS[kind], part, parts))];
  },
  on: {
    PageRecordsWritten: withPart,
    PageRecordsRemoved: (_, { data: { jobId, userId, removedAt } }, key) =>
      key === firstId(jobId) ? { jobId, userId, texts: [], removedAt } : null,
    JobDeleted: () => null,
  },
});

function withPart(document: PageRecordsDocument | null, { data }: Recorded<PageRecordsWritten>): PageRecordsDocument {
  const { jobId, userId, kind, part, parts, text } = data;
  const isFirst = part === 0 || slotOf(SLOTS[kind], part - 1, parts) !== slotOf(SLOTS[kind], part, parts);
  return { jobId, userId, texts: isFirst ? [text] : [...(document?.texts ?? []), text], removedAt: null };
}

/** Audits that are looked at beyond those that keep their records; the ones before them lost theirs earlier. */
const LOOKED_AT = 20;

/**
 * Of the site of that audit and its user: audits whose records go, newest first; none if `keep` is 0. The newest `keep`
 * with a result stay, and a failed one, which may have records too, if it is among the newest `keep` of all.
 */
export async function olderRuns(readModels: ReadModels, jobId: string, keep: number): Promise<readonly string[]> {
  const job = keep === 0 ? null : await getJob(readModels, jobId);
  if (!job) return [];
  const { userId, host } = job.data;
  const runs = await listRuns(readModels, userId, { host, limit: keep + LOOKED_AT });
  let kept = 0;
  return runs.flatMap(({ jobId: id, status }, at) => {
    if (status === 'failed') return at < keep ? [] : [id];
    kept += 1;
    return kept <= keep ? [] : [id];
  });
}

/** When the records of an audit were removed, UTC ISO; null if they were not. */
export async function recordsRemovedAt(readModels: Documents, jobId: string): Promise<string | null> {
  return (await readModels.get<PageRecordsDocument>('pageRecords', firstId(jobId)))?.data.removedAt ?? null;
}

/** A part by its number; null if it is not kept. `parts`: how many there are. */
export async function getRecordPart(
  readModels: Documents,
  { jobId, kind, parts }: { readonly jobId: string; readonly kind: Kind; readonly parts: number },
  part: number,
): Promise<string | null> {
  const slot = slotOf(SLOTS[kind], part, parts);
  const document = await readModels.get<PageRecordsDocument>('pageRecords', slotId(jobId, kind, slot));
  let before = 0;
  while (part - before > 0 && slotOf(SLOTS[kind], part - before - 1, parts) === slot) before += 1;
  return document?.data.texts[before] ?? null;
}

/** The part with a row, and the row's number in it; null if there is none. */
export function partOfRow(
  rowsOfParts: RecordParts[Kind],
  row: number,
): { readonly part: number; readonly at: number } | null {
  let from = 0;
  for (const [part, rows] of rowsOfParts.entries()) {
    if (row < from + rows) return { part, at: row - from };
    from += rows;
  }
  return null;
}
