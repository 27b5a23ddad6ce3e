/** Figures of the admin overview whose changes are reported over the socket. */
export const ADMIN_FIGURES = ['jobs', 'users', 'mails', 'prompts'] as const;
export type AdminFigure = (typeof ADMIN_FIGURES)[number];

/** Lengths of admin lists without pagination; the screen says when entries are left out. */

/** Failed emails and deliveries, and emails that are kept instead of being sent; newest first. */
export const FAILURES_LISTED = 50;

/** A user's shared links; newest first. */
export const SHARES_LISTED = 100;
