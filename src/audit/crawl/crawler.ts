/** The crawl loop: what is queued, in progress and done. Fetching runs ahead of parsing, within limits. */
import type { FetchAnswer, FetchResult } from '../../model/fetching.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { createTimeSlices, inSlices, type TimeSlices } from '../timeSlices.ts';
import type { CrawlEnv, CrawlOptions } from './crawlEnv.ts';
import { type Admission, createAdmission } from './frontier/admission.ts';
import { createFrontier, type FrontierEntry, type FrontierItem } from './frontier/frontier.ts';
import { htmlVerdict } from './htmlAnswer.ts';
import { entriesOf, followNamed } from './namedPages.ts';
import { noAnswer, outcomeOf } from './outcome.ts';
import { type CrawlDelay, createPace, type Pace } from './pace.ts';
import { createRendering, type Rendering } from './rendering.ts';
import { crawlDelayFor, isAllowed, productToken, type RobotsRules } from './robots/robots.ts';
import { rulesOf } from './robots/robotsFile.ts';
import type { CrawledPage, Discovery, FetchOutcome } from './site.ts';
import { crawlUrl } from './url.ts';

const MAX_CONCURRENCY = 4;
/** Answers waiting for a parser; more would only fill memory. */
const MAX_BACKLOG = 8;
/** Limit on disallowed addresses that are listed; a site may disallow any number. */
const MAX_BLOCKED_LISTED = 300;
const PAGE_BYTES = 5 * 1024 * 1024;
const REQUEST_MS = 10_000;
/** As many as search engines follow. */
const MAX_REDIRECTS = 10;

export class Crawler {
  readonly pages: CrawledPage[] = [];
  bytes = 0;
  readonly #discovery: Discovery;
  readonly #options: CrawlOptions;
  readonly #env: CrawlEnv;
  readonly #endsAt: number;
  readonly #frontier = createFrontier();
  readonly #admission: Admission;
  readonly #rules: RobotsRules;
  readonly #token: string;
  readonly #pace: Pace;
  readonly #render: Rendering;
  readonly #waiters: (() => void)[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #fetching = 0;
  #parsing = 0;
  #done = 0;
  #spent = 0;
  #requests = 0;
  #abandoned = 0;
  #blocked = 0;
  #outOfTime = false;

  constructor(discovery: Discovery, options: CrawlOptions, env: CrawlEnv, endsAt: number) {
    this.#discovery = discovery;
    this.#options = options;
    this.#env = env;
    this.#endsAt = endsAt;
    this.#rules = rulesOf(discovery.robots);
    this.#token = productToken(env.userAgent);
    this.#pace = createPace(crawlDelayFor(this.#rules, this.#token), env);
    const mayFetch = (url: string): boolean => !this.#admission.isOfSite(url) || isAllowed(this.#rules, this.#token, url).allowed;
    this.#render = createRendering({ env, options, mayFetch, endsAt, isSlow: this.#pace.isSlow() });
    const year = new Date(env.now()).getUTCFullYear();
    this.#admission = createAdmission({ discovery, frontier: this.#frontier, agentToken: this.#token, year });
  }

  /** Between requests, ms. */
  get delayMs(): number {
    return this.#pace.delay.kept * 1000;
  }

  /** Crawl-delay in seconds: requested by robots.txt, and used. */
  get delay(): CrawlDelay {
    return this.#pace.delay;
  }

  /** Addresses known but not fetched when a budget ran out. */
  notFetched(): number {
    return this.#frontier.waiting() + this.#frontier.dropped() + this.#abandoned;
  }

  /** Number of addresses disallowed by robots.txt; null if all of them are listed. */
  forbidden(): number | null {
    return this.#blocked > MAX_BLOCKED_LISTED ? this.#blocked : null;
  }

  isOutOfTime(): boolean {
    return this.#outOfTime;
  }

  /** Addresses skipped on purpose, by pattern. */
  leftOut(): { readonly traps: ReturnType<Admission['traps']>; readonly copies: ReturnType<Admission['copies']> } {
    return { traps: this.#admission.traps(), copies: this.#admission.copies() };
  }

  async run(): Promise<void> {
    const entries = entriesOf(this.#discovery, this.#options.only, this.#admission.isOfSite);
    if (this.#discovery.robots.verdict === 'disallow_all') {
      for (const entry of entries) this.#record(this.#refusal(entry));
      return;
    }
    for (const entry of entries) this.#frontier.add(entry);
    if (this.#options.only === undefined) {
      await this.#lane(1);
      await inSlices(this.#admission.addSitemaps(), this.#env, () => this.#mustStop());
    }
    const lanes = this.#pace.isSlow() ? 1 : Math.max(1, Math.min(MAX_CONCURRENCY, this.#options.concurrency));
    await Promise.all(Array.from({ length: lanes }, () => this.#lane(Number.POSITIVE_INFINITY)));
    await Promise.all(this.#underWay);
  }

  /** Without a readable robots.txt nothing may be fetched; the page gets the reason. */
  #refusal({ url, from }: FrontierEntry): CrawledPage {
    const { failure, message, status } = this.#discovery.robots.outcome;
    const outcome = failure
      ? noAnswer(url, failure, `robots.txt could not be fetched, so nothing else may be: ${message}`)
      : noAnswer(url, null, `robots.txt answers with HTTP ${status}, so nothing may be fetched.`);
    return { url, depth: from === 'start' ? 0 : null, from, outcome, facts: null, robotsBlocked: failure === null };
  }

  async #lane(most: number): Promise<void> {
    for (let count = 0; count < most; count++) {
      const item = await this.#next();
      if (!item) return;
      await this.#pace.acquire();
      const result = await this.#fetch(item);
      this.#pace.observe(result);
      this.#fetching--;
      const received = this.#receive(item, result).finally(() => {
        this.#underWay.delete(received);
        this.#changed();
      });
      this.#underWay.add(received);
      // The first lane fetches the start page alone and waits for it: its links decide what comes next.
      if (most === 1) await received;
    }
  }

  /** The next address to fetch; null if there is none and no more can be found. */
  async #next(): Promise<FrontierItem | null> {
    const slices = createTimeSlices(this.#env);
    for (;;) {
      if (this.#mustStop()) return null;
      const isBudgetSpent = this.#spent >= this.#options.maxPages;
      const item = isBudgetSpent || this.#parsing >= MAX_BACKLOG ? null : this.#takeAllowed(slices);
      if (item === 'pause') {
        await slices.pause();
        continue;
      }
      if (item) {
        this.#fetching++;
        this.#spent++;
        this.#requests++;
        return item;
      }
      // A redirect returns its page to the budget, so a spent budget is final only when nothing is being fetched.
      if (this.#fetching === 0 && (this.#parsing === 0 || isBudgetSpent)) return null;
      await new Promise<void>((resolve) => this.#waiters.push(resolve));
    }
  }

  #changed(): void {
    for (const wake of this.#waiters.splice(0)) wake();
  }

  #mustStop(): boolean {
    if (this.#env.now() >= this.#endsAt) this.#outOfTime = true;
    return this.#outOfTime || this.#env.signal?.aborted === true || this.bytes >= this.#options.maxBytes || this.#requests >= this.#options.maxPages * 2 + 10;
  }

  /** Pauses when due, because a site may disallow or repeat any number of addresses, and each decision takes time. */
  #takeAllowed(slices: TimeSlices): FrontierItem | 'pause' | null {
    for (let item = this.#frontier.take(); item; item = this.#frontier.take()) {
      if (!this.#admission.isCopy(item)) {
        if (isAllowed(this.#rules, this.#token, item.url).allowed) return item;
        this.#recordBlocked(item);
      }
      if (slices.isDue()) return 'pause';
    }
    return null;
  }

  #recordBlocked(item: FrontierItem): void {
    if (this.#blocked++ >= MAX_BLOCKED_LISTED) return;
    this.#record(pageOf(item, noAnswer(item.url, null, 'robots.txt forbids this address to the crawler.'), null, true));
  }

  #fetch(item: FrontierItem): Promise<FetchResult> {
    const left = Math.max(1, this.#endsAt - this.#env.now());
    return this.#env.fetch(item.url, {
      maxBytes: this.#options.pageBytes ?? PAGE_BYTES,
      cut: true,
      timeoutMs: Math.min(this.#options.requestMs ?? REQUEST_MS, left),
      maxRedirects: MAX_REDIRECTS,
      ...(this.#env.signal ? { signal: this.#env.signal } : {}),
    });
  }

  /** Processes an answer; resolves when its page is parsed and recorded. */
  #receive(item: FrontierItem, result: FetchResult): Promise<void> {
    if (!result.ok && this.#isOurDoing(result.failure)) {
      this.#abandoned++;
      if (item.from === 'start') this.#record(pageOf(item, outcomeOf(result), null));
      return Promise.resolve();
    }
    if (result.ok && this.#pace.isThrottled(result) && item.postponed === 0) {
      this.#spent--;
      this.#frontier.postpone(item);
      return Promise.resolve();
    }
    const outcome = outcomeOf(result);
    this.bytes += outcome.bytes;
    if (!result.ok) this.#record(pageOf(item, outcome, null));
    else if (result.hops.length > 0 && item.from !== 'start') return this.#receiveRedirect(item, result, outcome);
    else return this.#receivePage(item, result, outcome);
    return Promise.resolve();
  }

  /** Stopped by the caller or by the time budget, not by the server. */
  #isOurDoing(failure: string): boolean {
    if (failure === 'aborted') return true;
    const isOver = failure === 'timeout' && this.#env.now() >= this.#endsAt;
    if (isOver) this.#outOfTime = true;
    return isOver;
  }

  /** The redirecting address is an entry without a page; its target becomes a page of its own, unless it is already known. */
  #receiveRedirect(item: FrontierItem, result: FetchAnswer, outcome: FetchOutcome): Promise<void> {
    this.#record(pageOf(item, outcome, null));
    const target = crawlUrl(result.url);
    const claimed = target && this.#admission.isOfSite(target) ? this.#frontier.claim(entryLike(item, target)) : null;
    if (!claimed) {
      this.#spent--;
      return Promise.resolve();
    }
    if (isAllowed(this.#rules, this.#token, claimed.url).allowed) {
      return this.#receivePage(claimed, result, { ...outcome, requestedUrl: result.url, hops: [] });
    }
    this.#recordBlocked(claimed);
    return Promise.resolve();
  }

  async #receivePage(item: FrontierItem, result: FetchAnswer, outcome: FetchOutcome): Promise<void> {
    const url = crawlUrl(result.url) ?? item.url;
    if (item.from === 'start') this.#frontier.claim(entryLike(item, url));
    const isSuccess = result.status >= 200 && result.status < 300;
    const verdict = isSuccess ? htmlVerdict(result) : null;
    if (!verdict?.html) {
      this.#record({ ...pageOf(item, verdict ? { ...outcome, message: verdict.why } : outcome, null), url });
      return;
    }
    this.#parsing++;
    const parsed = await this.#parse(url, result);
    const rendered = parsed && (await this.#render(parsed));
    const facts = rendered?.facts ?? null;
    const { only } = this.#options;
    if (facts && only) followNamed(only, item, facts, outcome, this.#frontier, this.#admission.isOfSite);
    else if (facts) await inSlices(this.#admission.follow(item, facts, outcome), this.#env, () => this.#mustStop());
    // Only now, because the crawl must not end while more links may be found.
    this.#parsing--;
    const page = pageOf(item, facts ? outcome : { ...outcome, message: 'The page could not be parsed.' }, facts);
    this.#record({ ...page, url, ...(rendered?.note ? { rendering: rendered.note } : {}) });
    this.bytes += rendered?.bytes ?? 0;
    const next = rendered?.movedTo && !only ? crawlUrl(rendered.movedTo) : null;
    if (next && this.#admission.isOfSite(next)) this.#frontier.add({ url: next, from: 'link', depth: item.depth + 1, parent: item });
  }

  async #parse(url: string, result: FetchAnswer): Promise<PageFacts | null> {
    try {
      return await this.#env.parse({ url, body: result.body, contentType: result.headers['content-type']?.[0] ?? null });
    } catch {
      return null;
    }
  }

  #record(page: CrawledPage): void {
    this.pages.push(page);
    if (page.robotsBlocked || (page.outcome.hops.length > 0 && page.from !== 'start')) return;
    this.#done++;
    try {
      this.#options.onProgress?.({ pagesDone: this.#done, pagesKnown: this.#done + this.#frontier.waiting() + this.#fetching + this.#parsing });
    } catch {
      // A failing progress callback must not stop the crawl.
    }
  }
}

function pageOf(item: FrontierItem, outcome: FetchOutcome, facts: PageFacts | null, robotsBlocked = false): CrawledPage {
  return { url: item.url, depth: Number.isFinite(item.depth) ? item.depth : null, from: item.from, outcome, facts, robotsBlocked };
}

function entryLike(item: FrontierItem, url: string): FrontierEntry {
  return { url, from: item.from, depth: item.depth, parent: item };
}
