/**
 * A summary of one plan's action items: check, creation, completion and last verification. Part of the quality report.
 */
import type { ActionItem, PlanEvent } from '../domain/plan/events.ts';
import type { Recorded } from '../eventStore/eventStore.ts';
import { isMarkedOptional } from '../model/actions.ts';

/**
 * Ids of checks and items by number, in order: there are a few hundred, which millions of items share, and a saved
 * state does not repeat them either.
 */
export type Names = Map<string, number>;

export type Item = {
  /** By its number in `Names`. */
  readonly check: number;
  /** Creation time (UTC ISO); an item carried over into a regenerated plan keeps its original time. */
  readonly at: string;
  readonly completedAt: string | null;
  /** Result of its last verification. */
  readonly looked: { readonly fixed: number; readonly stillThere: number } | null;
  /** Suggested as optional: it counts only once its owner has made it a task. Absent: it is a task. */
  readonly marked?: true;
  readonly chosen?: boolean;
};

/** By the number of the item's id in the plan. */
export type Items = Map<number, Item>;

/** Changes `items` in place where possible, and adds to `names`. Null if the plan is deleted. */
export function itemsAfter(items: Items, names: Names, event: Recorded<PlanEvent>): Items | null {
  const { at } = event.metadata;
  switch (event.type) {
    case 'PlanGenerated':
      return added(new Map(), names, event.data.items, at);
    case 'PlanExtended':
      return added(items, names, event.data.items, at);
    case 'PlanRegenerated':
      return regenerated(items, names, event);
    case 'PlanDeleted':
      return null;
    case 'ActionCompleted':
      return changed(items, names.get(event.data.actionId), { completedAt: event.data.completedAt, chosen: true });
    case 'ActionStarted':
    case 'ActionReopened':
    case 'ActionSetBack':
      return changed(items, names.get(event.data.actionId), { completedAt: null, chosen: true });
    case 'ActionNoted':
    case 'ActionRated':
      return changed(items, names.get(event.data.actionId), { chosen: true });
    case 'ActionChosen':
      return changed(items, names.get(event.data.actionId), { chosen: event.data.chosen });
    case 'ActionMoveUndone':
      return changed(items, names.get(event.data.actionId), { completedAt: event.data.completedAt });
    case 'ActionVerified':
      return changed(items, names.get(event.data.actionId), {
        looked: { fixed: event.data.fixed, stillThere: event.data.stillThere },
      });
    default:
      return items;
  }
}

function numberOf(names: Names, name: string): number {
  const known = names.get(name);
  if (known !== undefined) return known;
  names.set(name, names.size);
  return names.size - 1;
}

function added(items: Items, names: Names, more: readonly ActionItem[], at: string): Items {
  for (const item of more) {
    const nth = numberOf(names, item.id);
    if (items.has(nth)) continue;
    const made: Item = { check: numberOf(names, item.checkId), at, completedAt: null, looked: null };
    items.set(nth, isMarkedOptional(item) ? { ...made, marked: true } : made);
  }
  return items;
}

/** Untouched items start over; the others continue under their new ids. */
function regenerated(
  items: Items,
  names: Names,
  { data, metadata }: Recorded<Extract<PlanEvent, { readonly type: 'PlanRegenerated' }>>,
): Items {
  const next = added(new Map(), names, data.items, metadata.at);
  for (const [id, earlier] of Object.entries(data.kept)) {
    const nth = numberOf(names, id);
    const [item, known] = [next.get(nth), items.get(numberOf(names, earlier))];
    if (!known) continue;
    const { marked: _, ...progress } = known;
    next.set(nth, { ...progress, check: item?.check ?? known.check, ...(item?.marked ? { marked: true } : {}) });
  }
  return next;
}

function changed(items: Items, nth: number | undefined, change: Partial<Item>): Items {
  const item = nth === undefined ? undefined : items.get(nth);
  if (nth === undefined || !item) return items;
  // A task is one whatever happens to it.
  const { chosen, ...rest } = change;
  items.set(nth, { ...item, ...rest, ...(item.marked && chosen !== undefined ? { chosen } : {}) });
  return items;
}
