/**
 * Progress on a plan: the single place that counts action items, for the server's responses, shared views and the
 * screens.
 */
import type { ActionStatus } from './actions.ts';

export interface CountedAction {
  readonly status: ActionStatus;
  readonly impact: string;
  readonly minutes: number;
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

export function countActions(actions: readonly CountedAction[]): ActionCounts {
  const completed = actions.filter(({ status }) => status === 'completed');
  return {
    totalActions: actions.length,
    completedActions: completed.length,
    inProgressActions: actions.filter(({ status }) => status === 'in-progress').length,
    estimatedTimeRemaining: actions.reduce(
      (sum, { status, minutes }) => (status === 'completed' ? sum : sum + minutes),
      0,
    ),
    highImpactCompleted: completed.filter(({ impact }) => impact === 'high').length,
    completionPercentage: actions.length === 0 ? 0 : Math.round((completed.length / actions.length) * 100),
  };
}
