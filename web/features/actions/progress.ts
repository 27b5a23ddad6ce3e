/** Progress counted from the items on the screen. */
import type { StatsResponse } from '../../../src/http/contract/actions.ts';
import { countActions } from '../../../src/model/countActions.ts';
import type { ActionItem } from './item/actionItem.ts';

export type Stats = StatsResponse['stats'];

export const statsOf = (items: readonly ActionItem[]): Stats => countActions(items);

/** Missing counts are 0. */
export function filledStats(stats: Partial<Stats>): Stats {
  return { ...countActions([]), ...stats };
}

/** Minutes as whole hours. */
export function hoursText(minutes: number): string {
  return `${Math.round(minutes / 60)}h`;
}
