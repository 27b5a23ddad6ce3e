/** Limits on user input, applied by the forms and enforced by the API. */

export const EMAIL_MAX_LENGTH = 254;
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters long';
export const PASSWORD_MAX_LENGTH = 256;

export const URL_MAX_LENGTH = 2048;
/** Maximum number of addresses per batch. */
export const BATCH_MAX = 100;

export const MAX_NOTES = 5_000;
export const MAX_RATING = 5;

export const SHARE_TITLE_MAX_LENGTH = 120;
export const SHARE_DESCRIPTION_MAX_LENGTH = 500;

export const API_KEY_NAME_MAX = 60;

/** Maximum page size of lists, and of the list of audits. */
export const PAGE_LIMIT_MAX = 500;
export const ANALYSES_LIMIT_MAX = 200;

/** Maximum credits per grant. */
export const MOST_CREDITS = 10_000;

/** The longest that tallies (`src/domain/tally/`) may be kept, days. */
export const TALLY_MAX_DAYS = 366;
