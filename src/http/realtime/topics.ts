/** Turns document changes into rows of topics, and decides who receives them. A topic is a channel plus its owner. */
import * as z from 'zod';
import type { AdminFigure } from '../../model/adminLists.ts';
import type { JobAccess } from '../../model/jobs.ts';
import type { BillingDocument } from '../../projections/billing.ts';
import type { BoardDocument, BoardItem } from '../../projections/boards.ts';
import { type AccountExportDocument, unexpired } from '../../projections/exports/accountExports.ts';
import type { JobDocument } from '../../projections/jobs.ts';
import type { ReworksDocument } from '../../projections/reworks.ts';
import type { Change, Position, StoredDocument } from '../../readModels/readModels.ts';
import { AccountExportView } from '../contract/account.ts';
import { ActionView, PREVIEW_ACTIONS } from '../contract/actions.ts';
import { AdminJobView } from '../contract/admin/jobs.ts';
import { BillingRow } from '../contract/billing.ts';
import { JobView } from '../contract/jobs.ts';
import type { ServerMessage } from '../contract/realtime.ts';
import { ReworkView } from '../contract/reworks.ts';
import { byImpact, presentAction } from '../present/action.ts';
import { emailFields } from '../present/admin/job.ts';
import { type Prices, presentBilling } from '../present/billing.ts';
import { isWaiting, presentJob } from '../present/job.ts';
import { picked } from '../present/pick.ts';

type EventMessage = Extract<ServerMessage, { readonly type: 'event' }>;

/** The change of one row, not yet addressed. */
export type Row = {
  readonly rowId: string;
  readonly table: EventMessage['table'];
  readonly eventType: EventMessage['eventType'];
  readonly new: Record<string, unknown> | null;
  readonly old: Record<string, unknown> | null;
  readonly position: Position;
};

export const topicOf = {
  jobs: (userId: string): string => `jobs:${userId}`,
  reworks: (userId: string): string => `reworks:${userId}`,
  exports: (userId: string): string => `exports:${userId}`,
  billing: (userId: string): string => `billing:${userId}`,
  actions: (jobId: string): string => `actions:${jobId}`,
  adminJobs: 'admin:jobs',
  adminChanges: 'admin:changes',
} as const;

export const userOf = (change: Change): string | undefined =>
  ((change.data ?? change.old) as { userId?: string } | null)?.userId;

/** `now`: UTC ISO. */
export function jobRow(change: Change, now: string): Row {
  const { id, kind, data, position } = change;
  const view = data === null ? null : viewOf({ id, position, data: data as JobDocument }, now);
  return {
    rowId: id,
    table: 'jobs',
    eventType: view ? kind : 'DELETE',
    new: view,
    old: view ? null : { id },
    position,
  };
}

/**
 * A queued job's place changes with other jobs: its own rows cannot keep it up to date, and would overwrite what a
 * response said.
 */
function viewOf(document: StoredDocument<JobDocument>, now: string): Partial<JobView> {
  const row = presentJob(document, now);
  if (!isWaiting(document.data)) return row;
  const { queue: _, ...rest } = row;
  return rest;
}

/** Topics that receive a job's change; the owner's is missing only if a merged change no longer names them. */
export function jobTopics(change: Change): string[] {
  const userId = userOf(change);
  return userId === undefined ? [topicOf.adminJobs] : [topicOf.jobs(userId), topicOf.adminJobs];
}

/** A job's row as sent to admins: with its owner's email. */
export function adminRow(row: Row, email: string | null): Row {
  return row.new === null ? row : { ...row, new: { ...row.new, ...emailFields(email) } };
}

export function billingRow(document: StoredDocument<BillingDocument>, now: string, prices: Prices): Row {
  const { id, position } = document;
  const view = presentBilling(document, id, now, prices);
  return { rowId: id, table: 'billing', eventType: 'UPDATE', new: view, old: null, position };
}

/** What admins are notified of: no data, only which figures to fetch again. */
export function noticeRow(changed: readonly AdminFigure[], position: Position): Row {
  return { rowId: 'changes', table: 'changes', eventType: 'UPDATE', new: { changed }, old: null, position };
}

/** Rows for the reworks that the change touched. A rework deleted with its job is covered by the job's row. */
export function reworkRows({ data, old, position }: Pick<Change, 'data' | 'old' | 'position'>): Row[] {
  if (data === null) return [];
  const { reworks } = data as ReworksDocument;
  const before = (old as ReworksDocument | null)?.reworks ?? {};
  return Object.entries(reworks).flatMap(([id, rework]): Row[] => {
    if (JSON.stringify(before[id]) === JSON.stringify(rework)) return [];
    const eventType = rework.ask === 1 && rework.status === 'pending' ? 'INSERT' : 'UPDATE';
    return [{ rowId: id, table: 'reworks', eventType, new: rework, old: null, position }];
  });
}

/** An account's latest export: a single row. */
export function exportRow(
  { id, kind, data, position }: Pick<Change, 'id' | 'kind' | 'data' | 'position'>,
  now: string,
): Row {
  const view = data === null ? null : unexpired(data as AccountExportDocument, now);
  return {
    rowId: id,
    table: 'exports',
    eventType: view ? kind : 'DELETE',
    new: view,
    old: view ? null : { id },
    position,
  };
}

/** Rows for the items that the change touched and that this access may see. */
export function actionRows(change: Change, access: JobAccess): Row[] {
  const before = visible(change.old as BoardDocument | null, access);
  const after = visible(change.data as BoardDocument | null, access);
  const known = new Map(before.map((item) => [item.id, item]));
  const rows = after.flatMap((item): Row[] => {
    const old = known.get(item.id);
    if (old && sameItem(old, item)) return [];
    // The state before merged changes is unknown, so the item may have existed already.
    const eventType = old || (change.kind !== 'INSERT' && !change.old) ? 'UPDATE' : 'INSERT';
    return [
      {
        rowId: item.id,
        table: 'actions',
        eventType,
        new: presentAction(change.id, item),
        old: null,
        position: change.position,
      },
    ];
  });
  const left = new Set(after.map((item) => item.id));
  const gone = before.filter((item) => !left.has(item.id));
  return [
    ...rows,
    ...gone.map(
      (item): Row => ({
        rowId: item.id,
        table: 'actions',
        eventType: 'DELETE',
        new: null,
        old: { id: item.id, job_id: change.id },
        position: change.position,
      }),
    ),
  ];
}

/** Rows for the items that a preview held back, once all are shown. */
export function unlockedRows(
  { id, data }: Pick<StoredDocument<BoardDocument>, 'id' | 'data'>,
  position: Position,
): Row[] {
  const shown = new Set(visible(data, 'preview').map((item) => item.id));
  const more = visible(data, 'full').filter((item) => !shown.has(item.id));
  return more.map(
    (item): Row => ({
      rowId: item.id,
      table: 'actions',
      eventType: 'INSERT',
      new: presentAction(id, item),
      old: null,
      position,
    }),
  );
}

function visible(board: BoardDocument | null, access: JobAccess): readonly BoardItem[] {
  if (!board?.items) return [];
  return access === 'preview' ? byImpact(board.items).slice(0, PREVIEW_ACTIONS) : board.items;
}

const sameItem = (a: BoardItem, b: BoardItem): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What rows may hold, by table: the same views as in the HTTP API. */
const VIEWS: Readonly<Record<Row['table'], z.ZodType>> = {
  jobs: JobView,
  reworks: ReworkView,
  exports: AccountExportView,
  actions: ActionView,
  billing: BillingRow,
  changes: z.object({ changed: z.array(z.string()) }),
};
const OldRow = z.object({ id: z.string(), job_id: z.string().optional() });

/** The wire format; the channel is the topic's name as its subscribers know it. */
export function frameOf(channel: string, row: Row): Buffer {
  const view = channel === topicOf.adminJobs ? AdminJobView : VIEWS[row.table];
  const message: EventMessage = {
    type: 'event',
    channel,
    table: row.table,
    eventType: row.eventType,
    new: row.new && (picked(view, row.new) as EventMessage['new']),
    old: row.old && picked(OldRow, row.old as z.output<typeof OldRow>),
    position: row.position,
  };
  return Buffer.from(JSON.stringify(message));
}
