/** The rows of an audit's pages: shared by the engine, the log, the API and the screens. */

/** What a page is for; `docs/words.md` explains each. */
export const PAGE_ROLES = [
  'start',
  'content',
  'product',
  'list',
  'list-page',
  'variant',
  'search',
  'account',
  'legal',
  'archive',
  'twin',
  'language-variant',
  'staging',
  'error',
  'asset',
] as const;
export type PageRoleName = (typeof PAGE_ROLES)[number];

/**
 * Roles of pages that are there to be found: the content pages of a site. Those of a staging host stand for the pages of
 * the site that it is a copy of: whoever audits it wants to know what they are worth, and that nobody may find them.
 */
export const CONTENT_ROLES: ReadonlySet<PageRoleName> = new Set([
  'start',
  'content',
  'product',
  'list',
  'language-variant',
  'staging',
]);

/**
 * Whether search engines may show it, and why not: a directive, robots.txt, a canonical that names another page, a
 * redirect, an error or no answer, an answer that is no HTML.
 */
export const INDEXABILITIES = ['indexable', 'noindex', 'robots', 'canonical', 'redirect', 'error', 'not_html'] as const;
export type Indexability = (typeof INDEXABILITIES)[number];

/** As an adjective of the page: `Not indexable (noindex)`. */
export const INDEXABILITY_TEXTS: Readonly<Record<Indexability, string>> = {
  indexable: 'Indexable',
  noindex: 'Not indexable (noindex)',
  robots: 'Not indexable (blocked by robots.txt)',
  canonical: 'Not indexable (another page is the canonical)',
  redirect: 'Redirects',
  error: 'Not indexable (error or no answer)',
  not_html: 'Not a page (no HTML)',
};

export const ROLE_TEXTS: Readonly<Record<PageRoleName, string>> = {
  start: 'Home page',
  content: 'Content',
  product: 'Product',
  list: 'List',
  'list-page': 'Later page of a list',
  variant: 'Filtered or sorted list',
  search: 'Site search',
  account: 'Account or checkout',
  legal: 'Legal page',
  archive: 'Archive',
  twin: 'Print, AMP, or mobile version',
  'language-variant': 'Language version',
  staging: 'Staging page',
  error: 'Error page',
  asset: 'File',
};

/** What later versions know of a page, too. */
export type PageColumns = {
  readonly role: PageRoleName;
  readonly indexability: Indexability;
  /** The pattern of its address, such as `/blog/*`. */
  readonly template: string;
  /** Other pages that link to it, through redirects as well; null for an address that redirects. */
  readonly inlinks: number | null;
  /** Links to other addresses of the site, and to other sites; null without HTML. */
  readonly outlinks: number | null;
  readonly externalLinks: number | null;
  /** Its share of all visits if people followed links at random, in millionths; null for an address that redirects. */
  readonly pageRank: number | null;
  /** From here on null or '' without HTML. */
  readonly descriptionLength: number | null;
  readonly h1s: number | null;
  readonly lang: string;
  readonly imagesWithoutAlt: number | null;
  /** Types of its structured data. */
  readonly dataTypes: readonly string[];
};

/** What is known of a requested address; unknown values are null. */
export type PageRow = {
  readonly url: string;
  readonly status: number | null;
  readonly problem: string;
  readonly finalUrl: string;
  readonly redirects: number;
  readonly clicksFromStart: number | null;
  readonly foundBy: string;
  readonly contentType: string;
  /** Null if it is not HTML. */
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
} & Partial<PageColumns>;
