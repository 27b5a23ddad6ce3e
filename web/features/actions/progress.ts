/** How far the work is, counted from the items on the screen and from what the server counts beyond them. */
import type { StatsResponse } from '../../../src/http/contract/actions.ts';
import type { ActionItem } from './item/actionItem.ts';

export type Stats = StatsResponse['stats'];

export function statsOf(items: readonly ActionItem[]): Stats {
  const completed = items.filter((item) => item.status === 'completed');
  return withPercentage({
    totalActions: items.length,
    completedActions: completed.length,
    inProgressActions: items.filter((item) => item.status === 'in-progress').length,
    estimatedTimeRemaining: items.filter((item) => item.status !== 'completed').reduce((sum, item) => sum + item.minutes, 0),
    highImpactCompleted: completed.filter((item) => item.impact === 'high').length,
    completionPercentage: 0,
  });
}

/** Whatever an answer leaves out is 0. */
export function filledStats(stats: Partial<Stats>): Stats {
  return {
    totalActions: stats.totalActions ?? 0,
    completedActions: stats.completedActions ?? 0,
    inProgressActions: stats.inProgressActions ?? 0,
    estimatedTimeRemaining: stats.estimatedTimeRemaining ?? 0,
    highImpactCompleted: stats.highImpactCompleted ?? 0,
    completionPercentage: stats.completionPercentage ?? 0,
  };
}

/**
 * The whole plan while only a part of it is shown: what the server counts, with the shown items as they stand on the screen (`shown`)
 * instead of how they came (`came`).
 */
export function wholePlan(server: Partial<Stats>, came: readonly ActionItem[], shown: readonly ActionItem[]): Stats {
  const whole = filledStats(server);
  const before = statsOf(came);
  const now = statsOf(shown);
  const moved = (name: keyof Stats): number => Math.max(0, whole[name] - before[name] + now[name]);
  return withPercentage({
    totalActions: whole.totalActions,
    completedActions: moved('completedActions'),
    inProgressActions: moved('inProgressActions'),
    estimatedTimeRemaining: moved('estimatedTimeRemaining'),
    highImpactCompleted: moved('highImpactCompleted'),
    completionPercentage: 0,
  });
}

function withPercentage(stats: Stats): Stats {
  const { totalActions, completedActions } = stats;
  return { ...stats, completionPercentage: totalActions === 0 ? 0 : Math.round((completedActions / totalActions) * 100) };
}

/** Minutes as whole hours. */
export function hoursText(minutes: number): string {
  return `${Math.round(minutes / 60)}h`;
}
