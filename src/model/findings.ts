/** Audit vocabulary shared by the engine, the log, the API and the screens. */
import type { CrawlSettings } from './crawlSettings.ts';

export const CATEGORIES = ['schema', 'content', 'technical', 'social', 'tools'] as const;
export type Category = (typeof CATEGORIES)[number];

/** In report order: the categories that cost the most points first. */
export const CATEGORY_ORDER = [
  'technical',
  'content',
  'schema',
  'social',
  'tools',
] as const satisfies readonly Category[];

/** In reports and on screens. */
export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  technical: 'Technical',
  content: 'Content',
  schema: 'Structured data',
  social: 'Social sharing',
  tools: 'Tools',
};

/** Worst first. */
export const IMPACTS = ['high', 'medium', 'low'] as const;
export type Impact = (typeof IMPACTS)[number];

/** Easiest first. */
export const DIFFICULTIES = ['easy', 'medium', 'hard'] as const;
export type Difficulty = (typeof DIFFICULTIES)[number];

/** Where it was found: the page, the place in it (selector, header, line), and the value there. */
export type Evidence = { readonly url: string; readonly place: string; readonly value: string };

/** Code that shows how it is done; values that only the owner knows read `YOUR …`. */
export type Example = {
  /** The same with the fault; null if something is merely missing. */
  readonly before: string | null;
  readonly after: string;
};

/** What one edit fixes. `template`: by its path pattern, `*` for what all templates share. */
export const ROOT_KINDS = ['template', 'link', 'image', 'header', 'file', 'page'] as const;
export const LINK_POSITIONS = ['navigation', 'header', 'content', 'footer'] as const;
export type LinkPosition = (typeof LINK_POSITIONS)[number];

/** Where the fault is made, by what an editor recognizes. Kind and name identify it; the position only helps to find it. */
export type RootCause = {
  readonly kind: (typeof ROOT_KINDS)[number];
  /** `/blog/*`, the address of a link or an image, `x-robots-tag`, `robots.txt`, the path of a page; at most 200 characters. */
  readonly name: string;
  /** Of a link that pages share. */
  readonly position?: LinkPosition;
};

/** What a snippet changes. `server`: how an address is answered, such as a redirect. */
export const EDITED = ['head', 'element', 'header', 'robots.txt', 'sitemap', 'file', 'server'] as const;
export const EDIT_OPERATIONS = ['add', 'replace', 'remove'] as const;

/** How a finding's code is applied. */
export type Edit = {
  readonly edits: (typeof EDITED)[number];
  readonly operation: (typeof EDIT_OPERATIONS)[number];
  /**
   * Selector of the element (a start tag sets attributes, and keeps the others), name of the header, path of the file,
   * lines of robots.txt, address of the sitemap, or the address that is answered.
   */
  readonly at: string;
  /** The page that is changed, if not that of the finding. */
  readonly on?: string;
};

/** Code and how it is applied. */
export type Snippet = Edit & { readonly text: string };

export type Finding = {
  /** Stable across audits of the same site: a hash of check, page and place. */
  readonly id: string;
  readonly checkId: string;
  readonly category: Category;
  readonly impact: Impact;
  readonly hint: boolean;
  readonly message: string;
  readonly evidence: Evidence;
  /** The fix, using the site's own texts. */
  readonly code: string | null;
  /** How `code` is applied. Absent without code, and in audits of earlier versions. */
  readonly edit?: Edit;
  /** Absent in audits of earlier versions. */
  readonly root?: RootCause;
};

/** Of what is not search, best first. */
export const GRADES = ['A', 'B', 'C', 'D', 'E'] as const;

/** Results of a check on a site. */
export const CHECK_STATES = ['passed', 'failed', 'not_applicable', 'not_checked', 'error'] as const;

/** Results of rechecking a finding. */
export const VERIFIED_STATES = ['fixed', 'still_there', 'not_checked'] as const;
export type VerifiedState = (typeof VERIFIED_STATES)[number];

/** The scope of an audit, as far as its score depends on it. */
export type RunScope = {
  readonly host: string;
  /** What the user set for the crawl; absent: nothing. */
  readonly settings?: CrawlSettings | undefined;
  /** False if the site was not judged. */
  readonly scored: boolean;
  /** Version of the score's formula. */
  readonly formula: number;
  /** Checks that ran. */
  readonly checks: readonly string[];
  /** Addresses of the audited pages. */
  readonly audited: readonly string[];
};
