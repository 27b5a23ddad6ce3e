/** How much of a list admin pages show at once where there is no next page: what is left out is said. */

/** Emails and deliveries that did not get through, and emails that are kept instead of being sent; the newest. */
export const FAILURES_LISTED = 50;

/** A user's shared links; the newest. */
export const SHARES_LISTED = 100;
