/** Action item vocabulary shared by the log, the API and the screens. */

export const ACTION_STATUSES = ['todo', 'in-progress', 'completed'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/** What earlier versions wrote as the reason of an item that costs no points, before items were marked. */
const SUGGESTION = /^A suggestion that costs no points\b/;

/** The item was suggested as optional: it costs no points. An item whose mark is not known is a task. */
export function isMarkedOptional({ optional, reason }: { optional?: boolean; reason?: string }): boolean {
  return optional ?? SUGGESTION.test(reason ?? '');
}

/** An optional item is no task, and counts nowhere, until its owner makes it one or works on it. */
export function isOptional(item: Parameters<typeof isMarkedOptional>[0] & { readonly chosen: boolean }): boolean {
  return !item.chosen && isMarkedOptional(item);
}

/**
 * Results of verifying an item. `not_checked`: none of its findings was found again, but not all could be rechecked.
 */
export const VERIFICATION_OUTCOMES = ['fixed', 'still_failing', 'not_checked'] as const;
