/** A check: metadata and one pure function over facts. `run` has no guards; `appliesTo` decides when it runs. */
import type { Category, CHECK_STATES, Difficulty, Evidence, Example, Impact, Snippet } from '../../model/findings.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import type { Pausable } from '../timeSlices.ts';
import { isFoundation } from './foundations.ts';

/** One fault found by `run`; `[]` is a pass. */
export type Fault = {
  readonly evidence: Evidence;
  /** What is wrong here: one concrete sentence. Default: the check's title. */
  readonly message?: string;
  /** The fix, written with the site's own texts. Default: none; the check's example is shown. */
  readonly snippet?: Snippet | null;
  /** Overrides the check's impact for this fault. */
  readonly impact?: Impact;
  /** Overrides the check's `hint` for this fault. */
  readonly hint?: boolean;
  /** Seen in the delivered HTML, even if scripts changed the page later. */
  readonly delivered?: boolean;
};

/** The faults that can be listed as findings, and how many more there are. */
export type ListedFaults = { readonly faults: readonly Fault[]; readonly unlisted: number };

export type Faults = readonly Fault[] | ListedFaults;

/** Result of `run`: the faults, or pausable work where a page or a site may need a lot of it. */
export type Found = Faults | Pausable<Faults>;

export type CheckMeta = {
  /** Kebab-case, same as the file name. */
  readonly id: string;
  /** A plain statement of the fault. */
  readonly title: string;
  readonly category: Category;
  readonly group: string;
  readonly impact: Impact;
  readonly difficulty: Difficulty;
  /** Minutes to fix. */
  readonly minutes: number;
  /** What fixing it brings. */
  readonly gain: string;
  readonly timeToResult: string;
  /** What happens while it is not fixed. */
  readonly risk: string;
  /** What to do, in order; whole sentences. */
  readonly steps: readonly string[];
  /** For any site: shown where no code was written for the page. */
  readonly example: Example | null;
  readonly tags: readonly string[];
  /** The rule behind it, with its address where there is one. */
  readonly source: string;
  /** The Lighthouse audit whose verdict this check must match. Default: null, there is none. */
  readonly lighthouse: string | null;
  /** Reported, but never lowers the score. Default: false. */
  readonly hint: boolean;
  /** Of a check that says that the whole site, or its start page, has none: each place where it looked for one. */
  readonly looksIn?: readonly string[];
};

/** A crawled page that answered 2xx with HTML. */
export type HtmlPage = CrawledPage & { readonly facts: PageFacts };

/** Checks one page at a time; `site` is for lookups (robots rules, the status of a link's target). */
export type PageCheck = CheckMeta & {
  readonly scope: 'page';
  readonly appliesTo: (page: CrawledPage, site: Crawl) => boolean;
  /**
   * False if the check applies but the crawl did not gather its data: 'not checked', never a pass. Default: always
   * gathered.
   */
  readonly gathered?: (page: CrawledPage, site: Crawl) => boolean;
  /**
   * False if the crawl gathered only a part: faults found count, but finding none is 'not checked'. Default: everything
   * was gathered.
   */
  readonly complete?: (page: CrawledPage, site: Crawl) => boolean;
  readonly run: (page: HtmlPage, site: Crawl) => Found;
};

/** A page check that must also see pages without HTML (errors, redirects). */
export type AnswerCheck = CheckMeta & {
  readonly scope: 'answer';
  readonly appliesTo: (page: CrawledPage, site: Crawl) => boolean;
  /**
   * False if the check applies but the crawl did not gather its data: 'not checked', never a pass. Default: always
   * gathered.
   */
  readonly gathered?: (page: CrawledPage, site: Crawl) => boolean;
  /**
   * False if the crawl gathered only a part: faults found count, but finding none is 'not checked'. Default: everything
   * was gathered.
   */
  readonly complete?: (page: CrawledPage, site: Crawl) => boolean;
  readonly run: (page: CrawledPage, site: Crawl) => Found;
};

/** An answer, or pausable work where every page of the site has to be asked. */
export type Answered = boolean | Pausable<boolean>;

export type SiteCheck = CheckMeta & {
  readonly scope: 'site';
  readonly appliesTo: (site: Crawl) => Answered;
  /**
   * False if the check applies but the crawl did not gather its data: 'not checked', never a pass. Default: always
   * gathered.
   */
  readonly gathered?: (site: Crawl) => Answered;
  /**
   * False if the crawl gathered only a part: faults found count, but finding none is 'not checked'. Default: everything
   * was gathered.
   */
  readonly complete?: (site: Crawl) => Answered;
  readonly run: (site: Crawl) => Found;
};

export type Check = PageCheck | AnswerCheck | SiteCheck;

/** What a check's file says: all but its scope; `hint` and `lighthouse` only where they differ from the defaults. */
type Given<C extends Check> = Omit<C, 'scope' | keyof typeof DEFAULTS> & Partial<Pick<C, keyof typeof DEFAULTS>>;

const DEFAULTS = { lighthouse: null, hint: false } as const;

/** What is not search is always optional. */
const optionalIf = (given: Pick<CheckMeta, 'id' | 'category' | 'group'>) => (isFoundation(given) ? { hint: true } : {});

export function pageCheck(given: Given<PageCheck>): PageCheck {
  return { ...DEFAULTS, ...given, ...optionalIf(given), scope: 'page' };
}

export function answerCheck(given: Given<AnswerCheck>): AnswerCheck {
  return { ...DEFAULTS, ...given, ...optionalIf(given), scope: 'answer' };
}

export function siteCheck(given: Given<SiteCheck>): SiteCheck {
  return { ...DEFAULTS, ...given, ...optionalIf(given), scope: 'site' };
}

/**
 * Result of one check: how many pages (or the site: 1) it looked at, and how many had faults. Hints alone do not make
 * it fail.
 */
export type CheckOutcome = {
  readonly checkId: string;
  readonly state: (typeof CHECK_STATES)[number];
  readonly looked: number;
  readonly failed: number;
  /** Pages (or the site: 1) where the check applies but had no data, or found no fault in partial data. */
  readonly notChecked: number;
  /** Faults found but not listed as findings, because of the limits. */
  readonly omitted: number;
  /** For 'error': the message of what the check threw. The report does not depend on it. */
  readonly error: string | null;
  /** Why it was not checked, as the end of a sentence; absent if data was missing. */
  readonly because?: string;
};
