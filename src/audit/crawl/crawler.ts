/** The crawl loop: what is queued, in progress and done. Fetching runs ahead of parsing, within limits. */
import type { FetchAnswer, FetchResult } from '../../model/fetching.ts';
import { PAGE_BYTES as PAGE_KEPT, SHARES, SITE_BYTES, weightOf } from '../memory.ts';
import { createTimeSlices, inSlices, type TimeSlices } from '../timeSlices.ts';
import { readContent } from './content.ts';
import type { CrawlEnv, CrawlOptions, KnownAnswer } from './crawlEnv.ts';
import { blockedPage, pageOf, refusedPage, unreadStart } from './crawledPages.ts';
import { type Admission, createAdmission } from './frontier/admission.ts';
import { createFrontier, type Frontier, type FrontierEntry, type FrontierItem } from './frontier/frontier.ts';
import { entriesOf, followNamed } from './namedPages.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { outcomeOf } from './outcome.ts';
import { asksToWait, type CrawlDelay, createPace, type Pace } from './pace.ts';
import { askFiles, isPageAnswer } from './probes/fileAnswers.ts';
import { mostInternalChecks } from './probes/linkChecks.ts';
import { createRendering, type Rendering } from './rendering.ts';
import { crawlDelayFor, isAllowed, productToken, type RobotsRules } from './robots/robots.ts';
import { rulesOf } from './robots/robotsFile.ts';
import { createSequence, type Sequence, type Slot } from './sequence.ts';
import type { Content, CrawledPage, Discovery, FetchOutcome } from './site.ts';
import { crawlUrl } from './url.ts';

const MAX_CONCURRENCY = 4;
/** Answers waiting for a parser, and their bytes; more would only fill memory. */
const MAX_BACKLOG = 8;
const MAX_BACKLOG_BYTES = 10 * 1024 * 1024;
/** Limit on disallowed addresses that are listed; a site may disallow any number. */
const MAX_BLOCKED_LISTED = 300;
const PAGE_BYTES = 5 * 1024 * 1024;
const REQUEST_MS = 10_000;
/** As many as search engines follow. */
const MAX_REDIRECTS = 10;
/** How often an address is requested again when the server asks for that. */
const MAX_POSTPONED = 3;

/** `read` gives the page, if there is one. */
type Answer = { readonly outcome: FetchOutcome; readonly read: () => Promise<Content> };

export class Crawler {
  readonly pages: CrawledPage[] = [];
  bytes = 0;
  /** What is kept of the site in memory so far, estimated. */
  kept: number;
  readonly #discovery: Discovery;
  readonly #options: CrawlOptions;
  readonly #env: CrawlEnv;
  readonly #endsAt: number;
  readonly #frontier: Frontier;
  readonly #mostKept: number;
  readonly #admission: Admission;
  readonly #rules: RobotsRules;
  readonly #token: string;
  readonly #pace: Pace;
  readonly #render: Rendering;
  readonly #sequence: Sequence<Answer>;
  readonly #changes: Notifier;
  readonly #fileAnswers = new Map<string, FetchOutcome>();
  #fetching = 0;
  #parsing = 0;
  #parsingBytes = 0;
  #done = 0;
  #spent = 0;
  #requests = 0;
  #abandoned = 0;
  #blocked = 0;
  #outOfTime = false;
  #isOver = false;
  /** The last answer that asked to wait: of the start page, and of any. */
  #startWaits: FetchOutcome | null = null;
  #askedToWait: number | null = null;

  constructor(discovery: Discovery, options: CrawlOptions, env: CrawlEnv, endsAt: number) {
    this.#discovery = discovery;
    this.#options = options;
    this.#env = env;
    this.#endsAt = endsAt;
    const { siteBytes = SITE_BYTES } = env;
    this.#frontier = createFrontier(siteBytes * SHARES.addresses);
    this.#mostKept = siteBytes * SHARES.pages;
    this.kept = weightOf(discovery);
    this.#rules = rulesOf(discovery.robots);
    this.#token = productToken(env.userAgent);
    this.#pace = createPace(crawlDelayFor(this.#rules, this.#token), env);
    const mayFetch = (url: string): boolean =>
      !this.#admission.isOfSite(url) || isAllowed(this.#rules, this.#token, url).allowed;
    this.#render = createRendering({ env, options, mayFetch, endsAt, isSlow: this.#pace.isSlow() });
    this.#changes = createNotifier(env);
    // For named pages the order does not matter.
    this.#sequence = createSequence(options.only ? 0 : (options.holdMs ?? Number.POSITIVE_INFINITY));
    const year = new Date(env.now()).getUTCFullYear();
    this.#admission = createAdmission({
      discovery,
      frontier: this.#frontier,
      agentToken: this.#token,
      year,
      settings: options.settings,
    });
  }

  /** Between requests, ms. */
  get delayMs(): number {
    return this.#pace.gapMs();
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

  /** The status with which the server last asked to wait; null if it never did. */
  askedToWait(): number | null {
    return this.#askedToWait;
  }

  /** The budget of bytes, or of memory, is used up. */
  isFull(): boolean {
    return this.bytes >= this.#options.maxBytes || this.kept >= this.#mostKept;
  }

  isOutOfTime(): boolean {
    return this.#outOfTime;
  }

  /** Addresses skipped on purpose, by pattern. */
  leftOut(): { readonly traps: ReturnType<Admission['traps']>; readonly copies: ReturnType<Admission['copies']> } {
    return { traps: this.#admission.traps(), copies: this.#admission.copies() };
  }

  /** What addresses that look like files answered. */
  fileAnswers(): ReadonlyMap<string, FetchOutcome> {
    return this.#fileAnswers;
  }

  async run(): Promise<void> {
    const entries = entriesOf(this.#discovery, this.#options.only, this.#admission.isOfSite);
    if (this.#discovery.robots.verdict === 'disallow_all') {
      for (const entry of entries) this.#record(refusedPage(entry, this.#discovery.robots));
      return;
    }
    for (const entry of entries) this.#frontier.add(entry);
    const lanes = Math.max(1, Math.min(MAX_CONCURRENCY, this.#options.concurrency));
    await Promise.all([this.#processAll(), ...Array.from({ length: lanes }, () => this.#lane())]);
    const [start] = entries.filter(({ from }) => from === 'start');
    if (start && this.#outOfTime && !this.pages.some(({ from }) => from === 'start')) {
      this.#record({
        url: start.url,
        depth: 0,
        from: 'start',
        outcome: this.#unread(start.url),
        facts: null,
        robotsBlocked: false,
      });
    }
  }

  /** Why the start page was not read before the time was over: its server may have asked to wait all along. */
  #unread(startUrl: string): FetchOutcome {
    return this.#startWaits ?? unreadStart(startUrl, this.#discovery);
  }

  async #processAll(): Promise<void> {
    if (this.#options.only === undefined) {
      // The start page alone: its links decide what comes next.
      await this.#process(1);
      await inSlices(this.#admission.addSitemaps(), this.#env, () => this.#mustStop());
    }
    await this.#process(Number.POSITIVE_INFINITY);
    // Only after all others, so that a site without such pages is crawled as if these were not asked.
    while (await this.#addPagesAmongFiles()) await this.#process(Number.POSITIVE_INFINITY);
    this.#isOver = true;
    this.#changes.notify();
  }

  /** Asks the addresses that look like files, within the limit for links. False if none of them is a page. */
  async #addPagesAmongFiles(): Promise<boolean> {
    const { only, maxPages, concurrency } = this.#options;
    if (only !== undefined || this.#spent >= maxPages || this.#mustStop()) return false;
    const entries = this.#admission
      .files(mostInternalChecks(this.#options) - this.#fileAnswers.size)
      .filter(({ url }) => isAllowed(this.#rules, this.#token, url).allowed);
    const answers = await askFiles(new Set(entries.map(({ url }) => url)), {
      env: this.#env,
      pace: this.#pace,
      concurrency,
      endsAt: this.#endsAt,
      mustStop: () => this.#mustStop(),
    });
    let isAny = false;
    for (const entry of entries) {
      const outcome = answers.get(entry.url);
      if (outcome === undefined) continue;
      this.#fileAnswers.set(entry.url, outcome);
      this.kept += weightOf(outcome);
      if (!isPageAnswer(outcome) || !this.#admission.isOfSite(outcome.url)) continue;
      this.#admission.addFile(entry);
      isAny = true;
    }
    return isAny;
  }

  /** Chooses pages and processes their answers in the same order; the lanes fetch in between. */
  async #process(most: number): Promise<void> {
    for (let count = 0; count < most; count++) {
      await this.#plan();
      const slot = await this.#nextReady();
      if (!slot?.answer) return;
      await this.#receive(slot.item, await slot.answer);
    }
  }

  async #plan(): Promise<void> {
    const slices = createTimeSlices(this.#env);
    const { maxPages } = this.#options;
    while (
      this.#sequence.hasRoom() &&
      this.#spent < maxPages &&
      this.#requests < maxPages * 2 + 10 &&
      !this.#mustStop()
    ) {
      const item = this.#takeAllowed(slices);
      if (item === null) break;
      if (item === 'pause') {
        await slices.pause();
        continue;
      }
      this.#spent++;
      this.#requests++;
      this.#sequence.add(item);
      if (slices.isDue()) await slices.pause();
    }
    this.#changes.notify();
  }

  /** Null if nothing is under way any more. */
  async #nextReady(): Promise<Slot<Answer> | null> {
    for (;;) {
      if (this.#mustStop()) this.#abandoned += this.#sequence.drop();
      const slot = this.#sequence.takeReady(this.#env.now());
      if (slot || this.#sequence.size() === 0) return slot;
      if (!(await this.#changes.next(this.#sequence.heldFor(this.#env.now())))) this.#sequence.letPass();
    }
  }

  async #lane(): Promise<void> {
    while (!this.#isOver) {
      const isBehind = this.#parsing >= MAX_BACKLOG || this.#parsingBytes >= MAX_BACKLOG_BYTES;
      const isFree = !isBehind && this.#mayFetchBeside() && !this.#mustStop();
      const slot = isFree ? this.#sequence.next() : null;
      if (slot) await this.#fetchInto(slot);
      else await this.#changes.next(null);
    }
  }

  /** Requests run in parallel while the server allows it, and while all their pages can be kept. */
  #mayFetchBeside(): boolean {
    const underWay = this.#fetching + this.#parsing;
    if (underWay === 0) return true;
    const hasRoom = this.kept + (underWay + 1) * PAGE_KEPT <= this.#mostKept;
    return hasRoom && (this.#fetching === 0 || !this.#pace.isSlow());
  }

  async #fetchInto(slot: Slot<Answer>): Promise<void> {
    const known = this.#options.known?.of(slot.item.url);
    if (known) return this.#answerKnown(slot, known);
    this.#fetching++;
    await this.#pace.acquire();
    slot.askedAt = this.#env.now();
    const result = await this.#fetch(slot.item);
    this.#pace.observe(result);
    this.#fetching--;
    const answer = this.#answerOf(slot.item, result);
    const ready = (): void => {
      slot.isReady = true;
      this.#changes.notify();
    };
    answer.then(ready, ready);
    slot.answer = answer;
    this.#changes.notify();
  }

  #answerKnown(slot: Slot<Answer>, { outcome, content }: KnownAnswer): void {
    this.bytes += outcome.bytes + (content.page?.bytes ?? 0);
    this.kept += weightOf(outcome) + weightOf(content.page);
    slot.answer = Promise.resolve({ outcome, read: async () => content });
    slot.isReady = true;
    this.#changes.notify();
  }

  #mustStop(): boolean {
    if (this.#env.now() >= this.#endsAt) this.#outOfTime = true;
    return this.#outOfTime || this.#env.signal?.aborted === true || this.isFull();
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
    if (this.#blocked++ < MAX_BLOCKED_LISTED) this.#record(blockedPage(item));
  }

  #fetch(item: FrontierItem): Promise<FetchResult> {
    return this.#env.fetch(item.url, {
      maxBytes: this.#options.pageBytes ?? PAGE_BYTES,
      cut: true,
      timeoutMs: Math.min(this.#options.requestMs ?? REQUEST_MS, Math.max(1, this.#endsAt - this.#env.now())),
      maxRedirects: MAX_REDIRECTS,
      ...(this.#env.signal ? { signal: this.#env.signal } : {}),
    });
  }

  /** A redirect is read only once its target is known to be new; of everything else, the body is not kept. */
  async #answerOf(item: FrontierItem, result: FetchResult): Promise<Answer> {
    const outcome = outcomeOf(result);
    this.bytes += outcome.bytes;
    this.kept += weightOf(outcome);
    if (result.ok && result.hops.length > 0 && item.from !== 'start')
      return { outcome, read: () => this.#read(item, result) };
    const content = result.ok ? await this.#read(item, result) : { page: null, why: null };
    // An answer that asks to wait, or that we did not wait for, says nothing about the page.
    const isOurs = this.#env.signal?.aborted === true || this.#env.now() >= this.#endsAt;
    if (!isOurs && !asksToWait(outcome)) this.#options.known?.keep(item.url, { outcome, content });
    return { outcome, read: async () => content };
  }

  async #read(item: FrontierItem, answer: FetchAnswer): Promise<Content> {
    // Parsing takes the body away.
    const { length } = answer.body;
    this.#parsing++;
    this.#parsingBytes += length;
    const content = await readContent(crawlUrl(answer.url) ?? item.url, answer, this.#env.parse, this.#render);
    this.#parsing--;
    this.#parsingBytes -= length;
    this.bytes += content.page?.bytes ?? 0;
    this.kept += weightOf(content.page);
    return content;
  }

  async #receive(item: FrontierItem, { outcome, read }: Answer): Promise<void> {
    const { failure } = outcome;
    if (asksToWait(outcome)) this.#askedToWait = outcome.status;
    if (failure !== null && this.#isOurDoing(failure)) {
      this.#abandoned++;
      if (item.from === 'start') this.#record(pageOf(item, this.#outOfTime ? this.#unread(item.url) : outcome, null));
    } else if (asksToWait(outcome) && item.postponed < MAX_POSTPONED) {
      if (item.from === 'start') this.#startWaits = outcome;
      this.#spent--;
      this.#frontier.postpone(item);
    } else if (failure !== null) this.#record(pageOf(item, outcome, null));
    else if (outcome.hops.length > 0 && item.from !== 'start') await this.#receiveRedirect(item, outcome, read);
    else await this.#receivePage(item, outcome, await read());
  }

  /** Stopped by the caller or by the time budget, not by the server. */
  #isOurDoing(failure: string): boolean {
    if (failure === 'aborted') return true;
    const isOver = failure === 'timeout' && this.#env.now() >= this.#endsAt;
    if (isOver) this.#outOfTime = true;
    return isOver;
  }

  /**
   * The redirecting address is an entry without a page; its target becomes a page of its own, unless it is already
   * known.
   */
  async #receiveRedirect(item: FrontierItem, outcome: FetchOutcome, read: Answer['read']): Promise<void> {
    this.#record(pageOf(item, outcome, null));
    const target = crawlUrl(outcome.url);
    const claimed = target && this.#admission.isOfPart(target) ? this.#frontier.claim(entryLike(item, target)) : null;
    if (!claimed) this.#spent--;
    else if (!isAllowed(this.#rules, this.#token, claimed.url).allowed) this.#recordBlocked(claimed);
    else await this.#receivePage(claimed, { ...outcome, requestedUrl: outcome.url, hops: [] }, await read());
  }

  async #receivePage(item: FrontierItem, outcome: FetchOutcome, { page, why }: Content): Promise<void> {
    const url = crawlUrl(outcome.url) ?? item.url;
    if (item.from === 'start') this.#frontier.claim(entryLike(item, url));
    if (page === null) {
      this.#record({ ...pageOf(item, why === null ? outcome : { ...outcome, message: why }, null), url });
      return;
    }
    const { facts, note, movedTo } = page;
    const { only } = this.#options;
    if (only) followNamed(only, item, facts, outcome, this.#frontier, this.#admission.isOfSite);
    else await inSlices(this.#admission.follow(item, facts, outcome), this.#env, () => this.#mustStop());
    this.#record({ ...pageOf(item, outcome, facts), url, ...(note ? { rendering: note } : {}) });
    const next = movedTo && !only ? crawlUrl(movedTo) : null;
    if (next && this.#admission.isOfPart(next))
      this.#frontier.add({ url: next, from: 'link', depth: item.depth + 1, parent: item });
  }

  #record(page: CrawledPage): void {
    this.pages.push(page);
    if (page.robotsBlocked || (page.outcome.hops.length > 0 && page.from !== 'start')) return;
    this.#done++;
    try {
      this.#options.onProgress?.({
        pagesDone: this.#done,
        pagesKnown: this.#done + this.#frontier.waiting() + this.#sequence.size(),
      });
    } catch {
      // A failing progress callback must not stop the crawl.
    }
  }
}

function entryLike(item: FrontierItem, url: string): FrontierEntry {
  return { url, from: item.from, depth: item.depth, parent: item };
}
