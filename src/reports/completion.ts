/**
 * Completion of action items: how many are completed and how long it takes. For figures by check, see the quality
 * report.
 */
import type { ActionItem } from '../domain/plan/events.ts';
import { isOf } from '../domain/stored/eventOf.ts';
import type { RecordedEvent } from '../eventStore/eventStore.ts';
import { isMarkedOptional } from '../model/actions.ts';
import type { Category } from '../model/findings.ts';
import { ascending } from '../model/order.ts';
import type { ReportColumn, ReportRow, ReportTable } from '../model/reports.ts';
import { isWithin, stepOf } from './dailySums.ts';
import { groupedBy, stepsOver } from './groups.ts';
import { median } from './quality.ts';
import type { Report } from './report.ts';

type Item = {
  readonly category: Category;
  /** Creation time; an item carried over into a new plan keeps its original time. */
  readonly madeAt: string;
  completedAt: string | null;
  /** Whether its last verification found nothing left. */
  fixed: boolean;
  /** Suggested as optional: it counts only once its owner has made it a task. */
  readonly marked: boolean;
  chosen: boolean;
};

type Plan = {
  items: Map<string, Item>;
  madeAt: string /** Items carried over when the plan was regenerated, by their new ids. */;
  carried: Map<string, Item>;
};

type CompletionState = {
  readonly plans: Map<string, Plan> /** Interned texts: many items share the same ones. */;
  readonly texts: Map<string, string>;
};

export const completion: Report<CompletionState> = {
  name: 'completion',
  version: 2,
  lean: true,
  title: 'Action items completed',
  description: 'How many action items are completed, by category and over time, and how long it takes.',
  types: [
    'PlanGenerated',
    'PlanExtended',
    'PlanRegenerated',
    'PlanDeleted',
    'JobDeleted',
    'JobsDeleted',
    'ActionStarted',
    'ActionCompleted',
    'ActionReopened',
    'ActionSetBack',
    'ActionMoveUndone',
    'ActionNoted',
    'ActionRated',
    'ActionChosen',
    'ActionVerified',
  ],
  initial: () => ({ plans: new Map(), texts: new Map() }),
  evolve,
  tables: ({ plans }, params) => {
    const items = [...plans.values()]
      .flatMap((plan) => [...plan.items.values()])
      .filter(({ marked, chosen }) => !marked || chosen)
      .filter(({ madeAt }) => isWithin(madeAt.slice(0, 10), params));
    return [categoriesTable(items), periodsTable(items, params.by)];
  },
};

function evolve(state: CompletionState, event: RecordedEvent): CompletionState {
  const { plans } = state;
  if (isOf(event, 'PlanGenerated')) {
    const plan: Plan = { items: new Map(), madeAt: event.data.generatedAt, carried: new Map() };
    plans.set(event.data.jobId, plan);
    addItems(state, plan, event.data.items);
  } else if (isOf(event, 'PlanDeleted', 'JobDeleted')) plans.delete(event.data.jobId);
  else if (isOf(event, 'JobsDeleted')) for (const jobId of event.data.jobIds) plans.delete(jobId);
  else evolvePlan(state, event);
  return state;
}

function evolvePlan(state: CompletionState, event: RecordedEvent): void {
  if (isOf(event, 'PlanExtended')) addItems(state, state.plans.get(event.data.jobId), event.data.items);
  else if (isOf(event, 'PlanRegenerated')) {
    const plan = state.plans.get(event.data.jobId);
    if (plan) applyRewrite(state, plan, event.data);
  } else if (isOf(event, 'ActionCompleted')) moved(state, event.data, event.data.completedAt);
  else if (isOf(event, 'ActionStarted', 'ActionReopened', 'ActionSetBack')) moved(state, event.data, null);
  else if (isOf(event, 'ActionMoveUndone')) completed(state, event.data, event.data.completedAt);
  else if (isOf(event, 'ActionNoted', 'ActionRated')) chosen(state, event.data, true);
  else if (isOf(event, 'ActionChosen')) chosen(state, event.data, event.data.chosen);
  else if (isOf(event, 'ActionVerified')) {
    const item = itemOf(state, event.data);
    if (item) item.fixed = event.data.outcome === 'fixed';
  }
}

type Rewritten = {
  readonly items: readonly ActionItem[];
  readonly kept: Readonly<Record<string, string>>;
  readonly regeneratedAt: string;
};

function applyRewrite(state: CompletionState, plan: Plan, { items, kept, regeneratedAt }: Rewritten): void {
  const earlier = plan.items;
  plan.carried = new Map(
    Object.entries(kept).flatMap(([id, from]) => {
      const item = earlier.get(from);
      return item ? [[id, item]] : [];
    }),
  );
  plan.items = new Map();
  plan.madeAt = regeneratedAt;
  addItems(state, plan, items);
}

function addItems(state: CompletionState, plan: Plan | undefined, items: readonly ActionItem[]): void {
  if (!plan) return;
  for (const made of items) {
    const { id, category } = made;
    const carried = plan.carried.get(id);
    // A single literal: objects spread into one another take almost three times the memory, and there may be millions.
    const item: Item = {
      category,
      madeAt: carried?.madeAt ?? plan.madeAt,
      completedAt: carried?.completedAt ?? null,
      fixed: carried?.fixed ?? false,
      marked: isMarkedOptional(made),
      chosen: carried?.chosen ?? false,
    };
    plan.items.set(once(state, id), item);
  }
}

/** Interns texts: every event brings its own copies of equal ones. */
function once({ texts }: CompletionState, text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, text);
  return text;
}

type OfItem = { readonly jobId: string; readonly actionId: string };

const itemOf = ({ plans }: CompletionState, { jobId, actionId }: OfItem): Item | undefined =>
  plans.get(jobId)?.items.get(actionId);

function completed(state: CompletionState, of: OfItem, at: string | null): void {
  const item = itemOf(state, of);
  if (item) item.completedAt = at;
}

/** Who moves an item makes it a task, as in `progressAfter`. */
function moved(state: CompletionState, of: OfItem, completedAt: string | null): void {
  completed(state, of, completedAt);
  chosen(state, of, true);
}

function chosen(state: CompletionState, of: OfItem, isTask: boolean): void {
  const item = itemOf(state, of);
  if (item) item.chosen = isTask;
}

const COLUMNS: readonly ReportColumn[] = [
  { key: 'items', label: 'Items', kind: 'count' },
  { key: 'completed', label: 'Completed', kind: 'count' },
  { key: 'share', label: 'Share', kind: 'share' },
  { key: 'fixed', label: 'Verified as fixed', kind: 'count' },
  { key: 'time', label: 'Time to complete', kind: 'duration' },
];

function figuresOf(items: readonly Item[]): ReportRow {
  const done = items.filter(({ completedAt }) => completedAt !== null);
  return {
    items: items.length,
    completed: done.length,
    share: items.length === 0 ? null : done.length / items.length,
    fixed: items.filter(({ fixed }) => fixed).length,
    // Clamped to 0, since clocks of different processes may differ.
    time: median(
      done.map(({ madeAt, completedAt }) => Math.max(0, Date.parse(completedAt ?? '') - Date.parse(madeAt))),
    ),
  };
}

function categoriesTable(items: readonly Item[]): ReportTable {
  const groups = [...groupedBy(items, ({ category }) => category)].sort(([one], [other]) => ascending(one, other));
  const rows = groups.map(
    ([category, of]): ReportRow => ({
      category: `${category.charAt(0).toUpperCase()}${category.slice(1)}`,
      ...figuresOf(of),
    }),
  );
  return {
    name: 'by-category',
    title: 'Action items by category',
    columns: [{ key: 'category', label: 'Category', kind: 'text' }, ...COLUMNS],
    rows: rows.length === 0 ? [] : [...rows, { category: 'All', ...figuresOf(items) }],
    note: 'Of the items that were made in the range, how many are completed by now. Time to complete: from the plan to the completion, the median. Items that a preview does not show count too; optional ones count once they are tasks. Deleted audits and accounts are not counted.',
    chart: { kind: 'bar', x: 'category', series: ['share'] },
  };
}

function periodsTable(items: readonly Item[], by: 'day' | 'week' | 'month'): ReportTable {
  const periods = groupedBy(items, ({ madeAt }) => stepOf(madeAt.slice(0, 10), by));
  return {
    name: 'by-period',
    title: `Action items by ${by}`,
    columns: [{ key: 'period', label: 'Made', kind: 'date' }, ...COLUMNS],
    rows: stepsOver(periods.keys(), by).map((period) => ({ period, ...figuresOf(periods.get(period) ?? []) })),
    chart: { kind: 'line', x: 'period', series: ['items', 'completed'] },
  };
}
