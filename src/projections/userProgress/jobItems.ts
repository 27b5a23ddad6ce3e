/** The items of one audit, from its submission on. */
import type { JobDeletionsEvent, JobEvent } from '../../domain/job/events.ts';
import type { ActionItem, PlanEvent } from '../../domain/plan/events.ts';
import type { Recorded } from '../../eventStore/eventStore.ts';
import type { ActionStatus } from '../../model/actions.ts';
import type { JobCounts, JobItems } from './documents.ts';

export type JobItemsEvent =
  | Exclude<PlanEvent, { readonly type: 'ActionRated' | 'ActionVerified' }>
  | JobDeletionsEvent
  | Extract<JobEvent, { readonly type: 'JobSubmitted' | 'JobDeleted' }>;

export function evolveItems(job: JobItems | null, event: Recorded<JobItemsEvent>): JobItems | null {
  if (event.type !== 'JobSubmitted') return job && evolveJob(job, event);
  const { jobId, userId, host, submittedAt } = event.data;
  return { kind: 'job', jobId, userId, host, activeAt: submittedAt, items: {}, carried: {} };
}

function evolveJob(job: JobItems, event: Exclude<Recorded<JobItemsEvent>, { readonly type: 'JobSubmitted' }>): JobItems | null {
  switch (event.type) {
    case 'PlanGenerated':
      return { ...job, items: itemsOf(event.data.items, {}), carried: {} };
    case 'PlanExtended':
      return { ...job, items: { ...job.items, ...itemsOf(event.data.items, job.carried) } };
    case 'PlanRegenerated': {
      const carried = Object.fromEntries(Object.entries(event.data.kept).map(([id, from]) => [id, job.items[from]?.[1] ?? 'todo']));
      return { ...job, items: itemsOf(event.data.items, carried), carried };
    }
    case 'ActionStarted':
      return moved(job, event.data.actionId, 'in-progress', event.data.startedAt);
    case 'ActionCompleted':
      return moved(job, event.data.actionId, 'completed', event.data.completedAt);
    case 'ActionReopened':
      return moved(job, event.data.actionId, 'todo', event.data.reopenedAt);
    case 'ActionSetBack':
      return moved(job, event.data.actionId, event.data.to, event.data.setBackAt);
    case 'ActionMoveUndone':
      return moved(job, event.data.actionId, event.data.status, event.data.undoneAt);
    case 'ActionNoted':
      return { ...job, activeAt: event.data.notedAt };
    case 'PlanDeleted':
    case 'JobDeleted':
    case 'JobsDeleted':
      return null;
    default:
      event satisfies never;
      return job;
  }
}

function itemsOf(items: readonly ActionItem[], carried: Readonly<Record<string, ActionStatus>>): JobItems['items'] {
  return Object.fromEntries(items.map(({ id, timeEstimate }) => [id, [timeEstimate, carried[id] ?? 'todo'] as const]));
}

function moved(job: JobItems, actionId: string, status: ActionStatus, activeAt: string): JobItems {
  const item = job.items[actionId];
  return item ? { ...job, activeAt, items: { ...job.items, [actionId]: [item[0], status] } } : { ...job, activeAt };
}

export function countsOf({ host, activeAt, items }: JobItems): JobCounts {
  const all = Object.values(items);
  const completed = all.filter(([, status]) => status === 'completed');
  return {
    ...{ host, activeAt, total: all.length, completed: completed.length },
    inProgress: all.filter(([, status]) => status === 'in-progress').length,
    minutes: completed.reduce((sum, [minutes]) => sum + minutes, 0),
  };
}
