/** The orders in which action items are shown and exported. */
import { ACTION_STATUSES } from '../../../../src/model/actions.ts';
import { IMPACTS } from '../../../../src/model/findings.ts';
import type { ActionItem, ActionStatus } from '../item/actionItem.ts';

const place = (order: readonly string[], value: string): number =>
  order.includes(value) ? order.indexOf(value) : order.length;

/** High impact first, unknown last; stable within one impact. */
export function byImpact(items: readonly ActionItem[]): ActionItem[] {
  return [...items].sort((a, b) => place(IMPACTS, a.impact) - place(IMPACTS, b.impact));
}

/** Not started, in progress, completed; then by impact, then by category. */
export function forExport(items: readonly ActionItem[]): ActionItem[] {
  return [...items].sort(
    (a, b) =>
      place(ACTION_STATUSES, a.status) - place(ACTION_STATUSES, b.status) ||
      place(IMPACTS, a.impact) - place(IMPACTS, b.impact) ||
      a.category.localeCompare(b.category, 'en'),
  );
}

export type ByStatus = Readonly<Record<ActionStatus, readonly ActionItem[]>>;

/** The three sections, each sorted by impact. */
export function byStatus(items: readonly ActionItem[]): ByStatus {
  const sorted = byImpact(items);
  const of = (status: ActionStatus): ActionItem[] => sorted.filter((item) => item.status === status);
  return { todo: of('todo'), 'in-progress': of('in-progress'), completed: of('completed') };
}
