/** The items of one audit, from its submission on. */
import type { ActionItem } from '../../domain/plan/events.ts';
import type { DataOf, EventOf, EventType } from '../../domain/stored/eventOf.ts';
import { type ActionStatus, isMarkedOptional } from '../../model/actions.ts';
import type { CountedItem, JobItems } from './documents.ts';
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
    const carried = Object.fromEntries(
      Object.entries(kept).flatMap(([id, from]) => {
        const earlier = job.items[from];
        return earlier ? [[id, earlier]] : [];
      }),
    );
    return { ...job, items: itemsOf(items, carried), carried };
  },
  ActionStarted: (job, { actionId, startedAt }) => moved(job, actionId, 'in-progress', startedAt),
  ActionCompleted: (job, { actionId, completedAt }) => moved(job, actionId, 'completed', completedAt),
  ActionReopened: (job, { actionId, reopenedAt }) => moved(job, actionId, 'todo', reopenedAt),
  ActionSetBack: (job, { actionId, to, setBackAt }) => moved(job, actionId, to, setBackAt),
  ActionMoveUndone: (job, { actionId, status, undoneAt }) => worked(job, actionId, { status }, undoneAt),
  ActionNoted: (job, { actionId, notedAt }) => worked(job, actionId, { chosen: true }, notedAt),
  ActionRated: (job, { actionId, ratedAt }) => worked(job, actionId, { chosen: true }, ratedAt),
  ActionChosen: (job, { actionId, chosen, chosenAt }) => worked(job, actionId, { chosen }, chosenAt),
  PlanDeleted: () => null,
  JobDeleted: () => null,
  JobsDeleted: () => null,
} satisfies { readonly [Type in EventType]?: (job: JobItems | null, data: DataOf<Type>) => JobItems | null };

export const OF_ITEMS = Object.keys(ITEMS) as (keyof typeof ITEMS)[];
export type JobItemsEvent = EventOf<keyof typeof ITEMS>;

export function evolveItems(job: JobItems | null, { type, data }: JobItemsEvent): JobItems | null {
  return (ITEMS[type] as (job: JobItems | null, data: JobItemsEvent['data']) => JobItems | null)(job, data);
}

function itemsOf(items: readonly ActionItem[], carried: JobItems['carried']): JobItems['items'] {
  return Object.fromEntries(
    items.map((item): [string, CountedItem] => {
      const { status = 'todo', chosen = false } = carried[item.id] ?? {};
      return [item.id, { minutes: item.timeEstimate, status, marked: isMarkedOptional(item), chosen }];
    }),
  );
}

function moved(job: JobItems | null, actionId: string, status: ActionStatus, activeAt: string): JobItems | null {
  return worked(job, actionId, { status, chosen: true }, activeAt);
}

function worked(
  job: JobItems | null,
  actionId: string,
  change: Partial<CountedItem>,
  activeAt: string,
): JobItems | null {
  if (!job) return null;
  const item = job.items[actionId];
  return item
    ? { ...job, activeAt, items: { ...job.items, [actionId]: { ...item, ...change } } }
    : { ...job, activeAt };
}
