/** Limits of what people send. The forms keep to them, the API refuses what is beyond. */

export const EMAIL_MAX_LENGTH = 254;
export const PASSWORD_MIN_LENGTH = 6;
export const PASSWORD_TOO_SHORT = 'Password must be at least 6 characters long';
export const PASSWORD_MAX_LENGTH = 256;

export const URL_MAX_LENGTH = 2048;
/** At most so many addresses in one batch. */
export const BATCH_MAX = 100;

export const MAX_NOTES = 5_000;
export const MAX_RATING = 5;

export const SHARE_TITLE_MAX_LENGTH = 120;
export const SHARE_DESCRIPTION_MAX_LENGTH = 500;

export const API_KEY_NAME_MAX = 60;

/** Rows of a page of a list, and of the list of analyses. */
export const PAGE_LIMIT_MAX = 500;
export const ANALYSES_LIMIT_MAX = 200;

/** Of one grant of credits. */
export const MOST_CREDITS = 10_000;
