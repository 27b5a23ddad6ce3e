/** The items of one audit, from its submission on. */
import type { ActionItem } from '../../domain/plan/events.ts';
import type { DataOf, EventOf, EventType } from '../../domain/stored/eventOf.ts';
import type { ActionStatus } from '../../model/actions.ts';
import type { JobItems } from './documents.ts';
import { siteKey } from './sums.ts';

/** A job's items after each event. */
const ITEMS = {
  JobSubmitted: (_, { jobId, userId, host, submittedAt }) => ({
    kind: 'job',
    jobId,
    userId,
    siteId: siteKey(userId, host),
    host,
    activeAt: submittedAt,
    items: {},
    carried: {},
  }),
  PlanGenerated: (job, { items }) => job && { ...job, items: itemsOf(items, {}), carried: {} },
  PlanExtended: (job, { items }) => job && { ...job, items: { ...job.items, ...itemsOf(items, job.carried) } },
  PlanRegenerated: (job, { items, kept }) => {
    if (!job) return null;
    const carried = Object.fromEntries(Object.entries(kept).map(([id, from]) => [id, job.items[from]?.[1] ?? 'todo']));
    return { ...job, items: itemsOf(items, carried), carried };
  },
  ActionStarted: (job, { actionId, startedAt }) => moved(job, actionId, 'in-progress', startedAt),
  ActionCompleted: (job, { actionId, completedAt }) => moved(job, actionId, 'completed', completedAt),
  ActionReopened: (job, { actionId, reopenedAt }) => moved(job, actionId, 'todo', reopenedAt),
  ActionSetBack: (job, { actionId, to, setBackAt }) => moved(job, actionId, to, setBackAt),
  ActionMoveUndone: (job, { actionId, status, undoneAt }) => moved(job, actionId, status, undoneAt),
  ActionNoted: (job, { notedAt }) => job && { ...job, activeAt: notedAt },
  PlanDeleted: () => null,
  JobDeleted: () => null,
  JobsDeleted: () => null,
} satisfies { readonly [Type in EventType]?: (job: JobItems | null, data: DataOf<Type>) => JobItems | null };

export const OF_ITEMS = Object.keys(ITEMS) as (keyof typeof ITEMS)[];
export type JobItemsEvent = EventOf<keyof typeof ITEMS>;

export function evolveItems(job: JobItems | null, { type, data }: JobItemsEvent): JobItems | null {
  return (ITEMS[type] as (job: JobItems | null, data: JobItemsEvent['data']) => JobItems | null)(job, data);
}

function itemsOf(items: readonly ActionItem[], carried: Readonly<Record<string, ActionStatus>>): JobItems['items'] {
  return Object.fromEntries(items.map(({ id, timeEstimate }) => [id, [timeEstimate, carried[id] ?? 'todo'] as const]));
}

function moved(job: JobItems | null, actionId: string, status: ActionStatus, activeAt: string): JobItems | null {
  if (!job) return null;
  const item = job.items[actionId];
  return item ? { ...job, activeAt, items: { ...job.items, [actionId]: [item[0], status] } } : { ...job, activeAt };
}
