/** Lengths of admin lists without pagination; the screen says when entries are left out. */

/** Failed emails and deliveries, and emails that are kept instead of being sent; newest first. */
export const FAILURES_LISTED = 50;

/** A user's shared links; newest first. */
export const SHARES_LISTED = 100;
