/** Progress of one action item and its owner's notes; folded the same way by the plan and the board. */
import type { ActionStatus } from '../../model/actions.ts';
import type { PlanEvent, Verification } from './events.ts';

/** Status of an item, with its times. */
export type Standing = {
  readonly status: ActionStatus;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
};

export type Progress = Standing & {
  readonly notes: string | null;
  /** How well the fix worked, 1 to 5. */
  readonly rating: number | null;
  readonly verification: ({ readonly at: string } & Verification) | null;
  /** Its owner made it a task or worked on it: only this makes an optional item a task. */
  readonly chosen: boolean;
  /** State before the last move; null when there is nothing to undo. */
  readonly before: Standing | null;
};

export type ProgressEvent = Extract<PlanEvent, { readonly data: { readonly actionId: string } }>;

export const UNTOUCHED: Progress = {
  status: 'todo',
  startedAt: null,
  completedAt: null,
  notes: null,
  rating: null,
  verification: null,
  chosen: false,
  before: null,
};

export function progressAfter(progress: Progress, event: ProgressEvent): Progress {
  switch (event.type) {
    case 'ActionStarted':
      return moved(progress, { status: 'in-progress', startedAt: event.data.startedAt, completedAt: null });
    case 'ActionCompleted':
      return moved(progress, {
        status: 'completed',
        startedAt: progress.startedAt,
        completedAt: event.data.completedAt,
      });
    case 'ActionReopened':
      return moved(progress, { status: 'todo', startedAt: null, completedAt: null });
    case 'ActionSetBack': {
      const { to, setBackAt } = event.data;
      return moved(progress, {
        status: to,
        startedAt: to === 'todo' ? null : (progress.startedAt ?? setBackAt),
        completedAt: null,
      });
    }
    case 'ActionMoveUndone': {
      const { status, startedAt, completedAt } = event.data;
      return { ...progress, status, startedAt, completedAt, before: null };
    }
    case 'ActionNoted':
      return { ...progress, notes: event.data.notes, chosen: true };
    case 'ActionRated':
      return { ...progress, rating: event.data.rating, chosen: true };
    case 'ActionChosen':
      return { ...progress, chosen: event.data.chosen };
    case 'ActionVerified': {
      const { outcome, fixed, stillThere, notChecked, stillThereAt, notCheckedAt, verifiedAt } = event.data;
      return {
        ...progress,
        verification: { at: verifiedAt, outcome, fixed, stillThere, notChecked, stillThereAt, notCheckedAt },
      };
    }
    default:
      event satisfies never;
      return progress;
  }
}

function moved(progress: Progress, to: Standing): Progress {
  const { status, startedAt, completedAt } = progress;
  return { ...progress, ...to, chosen: true, before: { status, startedAt, completedAt } };
}
