/** Action items as sent to clients: sorted by impact, and only the first of them in a preview. */
import { isMarkedOptional, isOptional } from '../../model/actions.ts';
import { countActions } from '../../model/countActions.ts';
import type { Impact } from '../../model/findings.ts';
import type { JobAccess } from '../../model/jobs.ts';
import type { BoardDocument, BoardItem } from '../../projections/boards.ts';
import { type ActionStats, type ActionView, PREVIEW_ACTIONS } from '../contract/actions.ts';
import { presentVerification } from './verification.ts';

const IMPACT_ORDER: Readonly<Record<Impact, number>> = { high: 0, medium: 1, low: 2 };

/** High impact first, what was suggested as optional last; within one impact, in the plan's own order. */
export function byImpact(items: readonly BoardItem[]): BoardItem[] {
  return [...items].sort(
    (a, b) =>
      Number(isMarkedOptional(a)) - Number(isMarkedOptional(b)) ||
      (IMPACT_ORDER[a.impact] ?? 3) - (IMPACT_ORDER[b.impact] ?? 3),
  );
}

/** The items that are tasks. */
export function tasksOf(items: readonly BoardItem[]): readonly BoardItem[] {
  return items.filter((item) => !isOptional(item));
}

/**
 * The items this access may see, in display order. What a preview includes depends only on what was suggested, so working on items
 * does not change it.
 */
export function visibleItems(board: BoardDocument, access: JobAccess): BoardItem[] {
  return visibleOf(board.items, access);
}

export function visibleOf(items: readonly BoardItem[], access: JobAccess): BoardItem[] {
  const sorted = byImpact(items);
  return access === 'preview' ? sorted.slice(0, PREVIEW_ACTIONS) : sorted;
}

export function presentAction(jobId: string, item: BoardItem): ActionView {
  return {
    id: item.id,
    job_id: jobId,
    check_id: item.checkId,
    title: item.title,
    category: item.category,
    impact: item.impact,
    optional: isOptional(item),
    difficulty: item.difficulty,
    status: item.status,
    time_estimate: item.timeEstimate,
    business_value: item.businessValue,
    time_to_result: item.timeToResult,
    reason: item.reason ?? null,
    problem: item.problem,
    solution: item.solution,
    code_example: item.codeExample,
    tags: [...item.tags],
    pages: [...item.pages],
    evidence: item.evidence.map(({ url, place, value }) => ({ url, place, value })),
    started_at: item.startedAt,
    completed_at: item.completedAt,
    notes: item.notes,
    effectiveness_rating: item.rating,
    last_verification: item.verification && presentVerification(item.verification),
    previous_status: item.before?.status ?? null,
  };
}

/** Counts the items this access may see: locked items of a preview could never be completed. */
export function presentStats(items: readonly BoardItem[], access: JobAccess): ActionStats {
  return countActions(
    visibleOf(items, access).map((item) => ({
      status: item.status,
      impact: item.impact,
      minutes: item.timeEstimate,
      optional: isOptional(item),
    })),
  );
}
