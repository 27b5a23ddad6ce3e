/** What an audit finds, in the words that the engine, the log, the API and the screens share. */

export const CATEGORIES = ['schema', 'content', 'technical', 'social', 'tools'] as const;
export type Category = (typeof CATEGORIES)[number];

/** As reports list them: what costs most points first. */
export const CATEGORY_ORDER = ['technical', 'content', 'schema', 'social', 'tools'] as const satisfies readonly Category[];

/** Worst first. */
export const IMPACTS = ['high', 'medium', 'low'] as const;
export type Impact = (typeof IMPACTS)[number];

/** Easiest first. */
export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/** Where it was seen: the page, the place in it (selector, header, line), and the value found there. */
export type Evidence = { readonly url: string; readonly place: string; readonly value: string };

export type Finding = {
  /** Stable between runs of the same site: check, page and place hashed. */
  readonly id: string;
  readonly checkId: string;
  readonly category: Category;
  readonly impact: Impact;
  readonly hint: boolean;
  readonly message: string;
  readonly evidence: Evidence;
  /** The fix, written with the texts of the site. */
  readonly code: string | null;
};

/** What became of a check on a site. */
export const CHECK_STATES = ['passed', 'failed', 'not_applicable', 'not_checked', 'error'] as const;

/** What became of a finding that was looked at again. */
export const VERIFIED_STATES = ['fixed', 'still_there', 'not_checked'] as const;
export type VerifiedState = (typeof VERIFIED_STATES)[number];

/** What a run looked at, as far as its score depends on it. */
export type RunScope = {
  readonly host: string;
  /** False when no page could be audited. */
  readonly scored: boolean;
  /** Checks that ran. */
  readonly checks: readonly string[];
  /** Addresses of the pages that were audited. */
  readonly audited: readonly string[];
};

/** What is known of an address that was asked for; null where nothing is. */
export type PageRow = {
  readonly url: string;
  readonly status: number | null;
  readonly problem: string;
  readonly finalUrl: string;
  readonly redirects: number;
  readonly clicksFromStart: number | null;
  readonly foundBy: string;
  readonly contentType: string;
  /** Null when it is no HTML. */
  readonly indexable: boolean | null;
  readonly canonical: string;
  readonly title: string;
  readonly titleLength: number | null;
  readonly description: string;
  readonly h1: string;
  readonly words: number | null;
  readonly links: number | null;
  readonly images: number | null;
  readonly bytes: number;
  readonly firstByteMs: number;
  readonly findings: number;
  readonly highImpact: number;
};
