/** What a check is: metadata and one pure function over facts. No guards inside `run`: `appliesTo` says when it may look. */
import type { Category, CHECK_STATES, Difficulty, Evidence, Impact } from '../../model/findings.ts';
import type { Crawl, CrawledPage } from '../crawl/site.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import type { Pausable } from '../timeSlices.ts';

/** What `run` returns for each fault; `[]` is a pass. */
export type Fault = {
  readonly evidence: Evidence;
  /** What is wrong here, concrete, one sentence. Default: the check's title. */
  readonly message?: string;
  /** The fix written with the site's own texts. Default: the check's example. */
  readonly code?: string;
  /** Where this fault weighs otherwise than the check. */
  readonly impact?: Impact;
  /** Where this fault is only a hint although the check is none. */
  readonly hint?: boolean;
  /** Seen in the delivered HTML, whatever scripts have made of it since. */
  readonly delivered?: boolean;
};

/** What `run` gives: the faults, or work that pauses where one page may ask for much of it. */
export type Found = readonly Fault[] | Pausable<readonly Fault[]>;

export type CheckMeta = {
  /** Kebab-case, equals the file's name. */
  readonly id: string;
  readonly title: string;
  readonly category: Category;
  readonly group: string;
  readonly impact: Impact;
  readonly difficulty: Difficulty;
  /** Minutes to fix. */
  readonly minutes: number;
  readonly businessValue: string;
  readonly timeToResult: string;
  readonly why: string;
  readonly fix: string;
  readonly codeExample: string | null;
  readonly tags: readonly string[];
  readonly source: string;
  /** The Lighthouse audit whose verdict it must share; null when there is none. */
  readonly lighthouse: string | null;
  /** Reported, but never lowers the score. */
  readonly hint: boolean;
};

/** A crawled page whose answer was 2xx HTML. */
export type HtmlPage = CrawledPage & { readonly facts: PageFacts };

/** A page check looks at one page at a time; `site` is there for lookups (robots rules, the status of a link's target). */
export type PageCheck = CheckMeta & {
  readonly scope: 'page';
  readonly appliesTo: (page: CrawledPage, site: Crawl) => boolean;
  /** False where it applies but the crawl did not gather what it looks at: 'not checked', never a pass. Default: always gathered. */
  readonly gathered?: (page: CrawledPage, site: Crawl) => boolean;
  /** False where the crawl gathered a part only: faults in it count, but finding none is 'not checked'. Default: all of it was gathered. */
  readonly complete?: (page: CrawledPage, site: Crawl) => boolean;
  readonly run: (page: HtmlPage, site: Crawl) => Found;
};

/** A page check that must also see pages without HTML (errors, redirects). */
export type AnswerCheck = CheckMeta & {
  readonly scope: 'answer';
  readonly appliesTo: (page: CrawledPage, site: Crawl) => boolean;
  /** False where it applies but the crawl did not gather what it looks at: 'not checked', never a pass. Default: always gathered. */
  readonly gathered?: (page: CrawledPage, site: Crawl) => boolean;
  /** False where the crawl gathered a part only: faults in it count, but finding none is 'not checked'. Default: all of it was gathered. */
  readonly complete?: (page: CrawledPage, site: Crawl) => boolean;
  readonly run: (page: CrawledPage, site: Crawl) => Found;
};

export type SiteCheck = CheckMeta & {
  readonly scope: 'site';
  readonly appliesTo: (site: Crawl) => boolean;
  /** False where it applies but the crawl did not gather what it looks at: 'not checked', never a pass. Default: always gathered. */
  readonly gathered?: (site: Crawl) => boolean;
  /** False where the crawl gathered a part only: faults in it count, but finding none is 'not checked'. Default: all of it was gathered. */
  readonly complete?: (site: Crawl) => boolean;
  readonly run: (site: Crawl) => Found;
};

export type Check = PageCheck | AnswerCheck | SiteCheck;

/** What became of one check: how many pages (or the site: 1) it looked at, and on how many it found something. Hints alone do not make it fail. */
export type CheckOutcome = {
  readonly checkId: string;
  readonly state: (typeof CHECK_STATES)[number];
  readonly looked: number;
  readonly failed: number;
  /** Pages (or the site: 1) where it applies but could not look, or saw no fault in the part that it could look at. */
  readonly notChecked: number;
  /** Faults that were found but not listed as findings, because there were too many of the same. */
  readonly omitted: number;
  /** With 'error': what went wrong inside the check. The report goes on without it. */
  readonly error: string | null;
};
