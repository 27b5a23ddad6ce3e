/** Action item vocabulary shared by the log, the API and the screens. */

export const ACTION_STATUSES = ['todo', 'in-progress', 'completed'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

/**
 * Results of verifying an item. `not_checked`: none of its findings was found again, but not all could be rechecked.
 */
export const VERIFICATION_OUTCOMES = ['fixed', 'still_failing', 'not_checked'] as const;
