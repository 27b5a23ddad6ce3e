/**
 * Progress on a plan: the single place that counts action items, for the server's responses, shared views and the
 * screens.
 */
import type { ActionStatus } from './actions.ts';

export interface CountedAction {
  readonly status: ActionStatus;
  readonly impact: string;
  readonly minutes: number;
  /** It is no task. */
  readonly optional: boolean;
}

/** Minutes cover the items that are not completed; the percentage is a whole number. */
export interface ActionCounts {
  totalActions: number;
  completedActions: number;
  inProgressActions: number;
  estimatedTimeRemaining: number;
  highImpactCompleted: number;
  completionPercentage: number;
}

/** Optional items count only once they are tasks. */
export function countActions(actions: readonly CountedAction[]): ActionCounts {
  const tasks = actions.filter(({ optional }) => !optional);
  const completed = tasks.filter(({ status }) => status === 'completed');
  return {
    totalActions: tasks.length,
    completedActions: completed.length,
    inProgressActions: tasks.filter(({ status }) => status === 'in-progress').length,
    estimatedTimeRemaining: tasks.reduce(
      (sum, { status, minutes }) => (status === 'completed' ? sum : sum + minutes),
      0,
    ),
    highImpactCompleted: completed.filter(({ impact }) => impact === 'high').length,
    completionPercentage: tasks.length === 0 ? 0 : Math.round((completed.length / tasks.length) * 100),
  };
}
