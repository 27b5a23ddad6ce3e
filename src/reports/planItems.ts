/** A summary of one plan's action items: check, creation, completion and last verification. Part of the quality report. */
import type { ActionItem, PlanEvent } from '../domain/plan/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';

export type Item = {
  readonly checkId: string;
  /** Creation time (UTC ISO); an item carried over into a regenerated plan keeps its original time. */
  readonly at: string;
  readonly completedAt: string | null;
  /** Result of its last verification. */
  readonly looked: { readonly fixed: number; readonly stillThere: number } | null;
};

/** By the item's id in the plan. */
export type Items = Map<string, Item>;

/** Changes `items` in place where possible. Null if the plan is deleted. */
export function itemsAfter(items: Items, event: Recorded<PlanEvent>): Items | null {
  const { at } = event.metadata;
  switch (event.type) {
    case 'PlanGenerated':
      return added(new Map(), event.data.items, at);
    case 'PlanExtended':
      return added(items, event.data.items, at);
    case 'PlanRegenerated':
      return regenerated(items, event.data.items, event.data.kept, at);
    case 'PlanDeleted':
      return null;
    case 'ActionCompleted':
      return changed(items, event.data.actionId, { completedAt: event.data.completedAt });
    case 'ActionStarted':
    case 'ActionReopened':
    case 'ActionSetBack':
      return changed(items, event.data.actionId, { completedAt: null });
    case 'ActionMoveUndone':
      return changed(items, event.data.actionId, { completedAt: event.data.completedAt });
    case 'ActionVerified':
      return changed(items, event.data.actionId, { looked: { fixed: event.data.fixed, stillThere: event.data.stillThere } });
    default:
      return items;
  }
}

function added(items: Items, more: readonly ActionItem[], at: string): Items {
  for (const { id, checkId } of more) if (!items.has(id)) items.set(id, { checkId, at, completedAt: null, looked: null });
  return items;
}

/** Untouched items start over; the others continue under their new ids. */
function regenerated(items: Items, written: readonly ActionItem[], kept: Readonly<Record<string, string>>, at: string): Items {
  const next = added(new Map(), written, at);
  for (const [id, earlier] of Object.entries(kept)) {
    const [item, known] = [next.get(id), items.get(earlier)];
    if (known) next.set(id, { ...known, checkId: item?.checkId ?? known.checkId });
  }
  return next;
}

function changed(items: Items, actionId: string, change: Partial<Item>): Items {
  const item = items.get(actionId);
  if (item) items.set(actionId, { ...item, ...change });
  return items;
}
