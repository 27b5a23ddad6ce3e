/**
 * The crawl loop: what is queued, in progress and done. Pages are chosen distance by distance, once every nearer page
 * has answered: how long an answer takes decides when a page is asked, never whether.
 */
import type { FetchFailure } from '../../model/fetching.ts';
import { PAGE_BYTES as PAGE_KEPT, SHARES, SITE_BYTES, weightOf } from '../memory.ts';
import { createTimeSlices, inSlices, type Pausable, type TimeSlices } from '../timeSlices.ts';
import type { CrawlEnv, CrawlOptions } from './crawlEnv.ts';
import { blockedPage, pageOf, refusedPage, unreadStart } from './crawledPages.ts';
import { createFates, fateOf } from './fates.ts';
import { type Admission, createAdmission } from './frontier/admission.ts';
import { createFrontier, type Frontier, type FrontierEntry, type FrontierItem } from './frontier/frontier.ts';
import { entriesOf, followNamed } from './namedPages.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { asksToWait, type CrawlDelay, createPace, type Pace } from './pace.ts';
import { askFiles, isPageAnswer } from './probes/fileAnswers.ts';
import { mostInternalChecks } from './probes/linkChecks.ts';
import { createRendering } from './rendering.ts';
import { type Answer, Requests } from './requests.ts';
import { crawlDelayFor, isAllowed, productToken, type RobotsRules } from './robots/robots.ts';
import { rulesOf } from './robots/robotsFile.ts';
import { createSequence, type Sequence, type Slot, slotOf } from './sequence.ts';
import type { Content, CrawledPage, DiscoveredAddresses, Discovery, FetchOutcome } from './site.ts';
import { crawlUrl } from './url.ts';

const MAX_CONCURRENCY = 4;
/** Limit on disallowed addresses that are listed; a site may disallow any number. */
const MAX_BLOCKED_LISTED = 300;
/** How often an address is requested again when the server asks for that. */
const MAX_POSTPONED = 3;

/**
 * While the last pages of a distance are on their way, those beyond may be asked: one for so many requests may turn out
 * not to be wanted, and so many at a time.
 */
const REQUESTS_PER_GUESS = 10;
const MOST_GUESSES = 24;
/** Another try may be answered: such an address is asked once more at the end. */
const MAY_PASS: ReadonlySet<FetchFailure> = new Set<FetchFailure>(['dns', 'refused', 'reset', 'timeout']);

export class Crawler {
  readonly pages: CrawledPage[] = [];
  /** Of the answers processed so far, as is what is kept of them in memory, estimated. */
  bytes = 0;
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
  readonly #requests: Requests;
  readonly #sequence: Sequence<Answer>;
  readonly #changes: Notifier;
  readonly #fileAnswers = new Map<string, FetchOutcome>();
  /** Asked before they were chosen. */
  readonly #guesses = new Map<FrontierItem, Slot<Answer>>();
  /** What gave no answer, to be asked once more; and what was. */
  readonly #givenUp = new Map<FrontierItem, FetchOutcome>();
  readonly #retried = new Map<FrontierItem, FetchOutcome>();
  readonly #fates = createFates();
  /** Ends the requests that nobody waits for any more. */
  readonly #over = new AbortController();
  #done = 0;
  #spent = 0;
  #planned = 0;
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
    const signal = env.signal ? AbortSignal.any([env.signal, this.#over.signal]) : this.#over.signal;
    const { siteBytes = SITE_BYTES } = env;
    this.#frontier = createFrontier({
      // Named pages are all wanted.
      ...(options.only ? {} : { maxPages: options.maxPages }),
      mostBytes: siteBytes * SHARES.addresses,
      ...(options.former ? { former: options.former } : {}),
    });
    this.#mostKept = siteBytes * SHARES.pages;
    this.kept = weightOf(discovery);
    this.#rules = rulesOf(discovery.robots);
    this.#token = productToken(env.userAgent);
    this.#pace = createPace(crawlDelayFor(this.#rules, this.#token), { ...env, signal });
    const mayFetch = (url: string): boolean =>
      !this.#admission.isOfSite(url) || isAllowed(this.#rules, this.#token, url).allowed;
    const render = createRendering({ env, options, mayFetch, endsAt, isSlow: this.#pace.isSlow() });
    this.#changes = createNotifier();
    this.#sequence = createSequence();
    this.#requests = new Requests({
      options,
      env: { ...env, signal },
      endsAt,
      pace: this.#pace,
      render,
      placeOf: this.#sequence.placeOf,
      changed: this.#changes.notify,
    });
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

  /** What became of all addresses. */
  addresses(): DiscoveredAddresses {
    const { discovered, endless, copies, files } = this.#admission.apart();
    const { of } = this.#fates;
    const full = this.#frontier.dropped();
    return {
      discovered: this.#frontier.size() + full + discovered,
      audited: of('audited'),
      refused: { robots: of('refused.robots'), server: of('refused.server'), guard: of('refused.guard') },
      noPages: {
        redirects: of('noPages.redirects'),
        missing: of('noPages.missing'),
        failing: of('noPages.failing'),
        others: of('noPages.others'),
        files,
      },
      notAsked: { limit: this.notFetched() - full, full, endless, copies },
    };
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
      for (const entry of entries) {
        this.#frontier.claim(entry);
        this.#record(refusedPage(entry, this.#discovery.robots));
      }
      return;
    }
    for (const entry of entries) this.#frontier.add(entry);
    const lanes = Math.max(1, Math.min(MAX_CONCURRENCY, this.#options.concurrency));
    await Promise.all([this.#processAll(), ...Array.from({ length: lanes }, () => this.#lane())]);
    const [start] = entries.filter(({ from }) => from === 'start');
    if (start && this.#outOfTime && !this.pages.some(({ from }) => from === 'start')) {
      const outcome = this.#unread(start.url);
      this.#recordUnread({ url: start.url, depth: 0, from: 'start', outcome, facts: null, robotsBlocked: false });
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
    for (const [item, outcome] of [...this.#givenUp, ...this.#retried]) this.#record(pageOf(item, outcome, null));
    this.#isOver = true;
    this.#over.abort();
    this.#changes.notify();
  }

  /** Asks the addresses that look like files, within the limit for links. False if none of them is a page. */
  async #addPagesAmongFiles(): Promise<boolean> {
    const { only, maxPages, concurrency } = this.#options;
    if (only !== undefined || this.#spent >= maxPages || this.#mustStop()) return false;
    const files = this.#admission.files(mostInternalChecks(this.#options) - this.#fileAnswers.size);
    const entries = (await inSlices(this.#allowed(files), this.#env, () => this.#mustStop())) ?? [];
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

  *#allowed(entries: readonly FrontierEntry[]): Pausable<readonly FrontierEntry[]> {
    const allowed: FrontierEntry[] = [];
    for (const entry of entries) {
      yield;
      if (isAllowed(this.#rules, this.#token, entry.url).allowed) allowed.push(entry);
    }
    return allowed;
  }

  /** Chooses pages and processes their answers in the same order; the lanes fetch in between. */
  async #process(most: number): Promise<void> {
    for (let count = 0; count < most; count++) {
      await this.#plan();
      const slot = await this.#nextReady();
      if (slot?.answer) await this.#receive(slot, await slot.answer);
      else if (!this.#askAgain()) return;
    }
  }

  /** Chooses all pages of a distance, and those of the next once every one of them is processed. */
  async #plan(): Promise<void> {
    const slices = createTimeSlices(this.#env);
    const { maxPages } = this.#options;
    while (
      this.#sequence.hasRoom() &&
      this.#spent < maxPages &&
      this.#planned < maxPages * 2 + 10 &&
      !this.#mustStop()
    ) {
      const item = this.#takeAllowed(slices);
      if (item === null && (this.#sequence.size() > 0 || !this.#frontier.open())) break;
      if (item !== null && item !== 'pause') this.#choose(item);
      if (item !== 'pause' && !slices.isDue()) continue;
      this.#changes.notify();
      await slices.pause();
    }
    this.#changes.notify();
  }

  #choose(item: FrontierItem): void {
    this.#spent++;
    this.#planned++;
    const guess = this.#guesses.get(item);
    this.#guesses.delete(item);
    this.#sequence.add(guess ?? slotOf(item), guess !== undefined);
  }

  /** Asks once more what gave no answer; false if there is no such address. */
  #askAgain(): boolean {
    if (this.#givenUp.size === 0 || this.#mustStop()) return false;
    for (const [item, outcome] of this.#givenUp) {
      this.#retried.set(item, outcome);
      this.#sequence.add(slotOf(item));
    }
    this.#givenUp.clear();
    this.#changes.notify();
    return true;
  }

  /** Null if nothing is under way any more. */
  async #nextReady(): Promise<Slot<Answer> | null> {
    for (;;) {
      // What has come beyond the limit of data came by chance.
      if (this.#mustStop()) {
        const dropped = this.#sequence.drop(this.isFull() ? 'all' : 'unasked');
        this.#abandoned += dropped.filter(({ item }) => !this.#retried.has(item)).length;
      }
      const slot = this.#sequence.takeReady();
      if (slot || this.#sequence.size() === 0) return slot;
      await this.#changes.next();
    }
  }

  async #lane(): Promise<void> {
    while (!this.#isOver) {
      const isFree = this.#hasRoom() && !this.#mustStop();
      const slot = isFree ? (this.#sequence.next() ?? this.#guess()) : null;
      if (slot) await this.#requests.fetchInto(slot, this.#retried.has(slot.item));
      else await this.#changes.next();
    }
  }

  /** For one more answer. The page that holds up all others must come, whatever has come beyond it. */
  #hasRoom(): boolean {
    if (!this.#requests.mayAsk()) return false;
    const { bytes, kept } = this.#requests.waiting();
    return (
      this.#sequence.isNextFirst() ||
      (this.kept + kept + PAGE_KEPT <= this.#mostKept && this.bytes + bytes < this.#options.maxBytes)
    );
  }

  /** A page that is likely to be chosen, while others are on their way. */
  #guess(): Slot<Answer> | null {
    const { only, maxPages } = this.#options;
    if (only !== undefined || this.#spent >= maxPages || this.#sequence.size() === 0 || this.#pace.isSlow())
      return null;
    const most = Math.min(
      MOST_GUESSES,
      Math.floor((this.#requests.count + 1) / REQUESTS_PER_GUESS),
      maxPages - this.#spent,
    );
    if (this.#guesses.size >= most) return null;
    // One of them is enough to ask robots.txt about: that may take time.
    const item = this.#frontier.ahead(most).find((each) => this.#isGuess(each));
    if (item === undefined || !isAllowed(this.#rules, this.#token, item.url).allowed) return null;
    const slot = slotOf<Answer>(item);
    this.#guesses.set(item, slot);
    return slot;
  }

  /** An address with a query may turn out to be a copy. */
  #isGuess(item: FrontierItem): boolean {
    return !this.#guesses.has(item) && !item.url.includes('?');
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
    else this.#fates.add('refused.robots');
  }

  async #receive(slot: Slot<Answer>, answer: Answer): Promise<void> {
    const { item } = slot;
    const { outcome } = answer;
    const { failure } = outcome;
    this.#requests.release(answer);
    this.bytes += answer.bytes;
    this.kept += answer.kept;
    if (asksToWait(outcome)) this.#askedToWait = outcome.status;
    const wasGivenUp = this.#retried.has(item);
    if (failure !== null && this.#isOurDoing(failure)) {
      // One that gave no answer before is recorded with that in the end.
      if (wasGivenUp) return;
      this.#abandoned++;
      if (item.from === 'start')
        this.#recordUnread(pageOf(item, this.#outOfTime ? this.#unread(item.url) : outcome, null));
      return;
    }
    if (asksToWait(outcome) && item.postponed < MAX_POSTPONED) {
      if (item.from === 'start') this.#startWaits = outcome;
      item.postponed++;
      this.#sequence.again(slot);
      return;
    }
    this.#retried.delete(item);
    if (failure !== null && MAY_PASS.has(failure) && !wasGivenUp) this.#givenUp.set(item, outcome);
    else if (failure !== null) this.#record(pageOf(item, outcome, null));
    else if (outcome.hops.length > 0 && item.from !== 'start') await this.#receiveRedirect(item, answer);
    else await this.#receivePage(item, outcome, await this.#read(answer));
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
  async #receiveRedirect(item: FrontierItem, answer: Answer): Promise<void> {
    const { outcome } = answer;
    this.#record(pageOf(item, outcome, null));
    const target = crawlUrl(outcome.url);
    const claimed = target && this.#admission.isOfPart(target) ? this.#frontier.claim(entryLike(item, target)) : null;
    if (!claimed) this.#spent--;
    else if (!isAllowed(this.#rules, this.#token, claimed.url).allowed) this.#recordBlocked(claimed);
    else
      await this.#receivePage(claimed, { ...outcome, requestedUrl: outcome.url, hops: [] }, await this.#read(answer));
  }

  async #read(answer: Answer): Promise<Content> {
    const content = await this.#requests.read(answer);
    if (!answer.isLate) return content;
    this.bytes += content.page?.bytes ?? 0;
    this.kept += weightOf(content.page);
    return content;
  }

  async #receivePage(item: FrontierItem, outcome: FetchOutcome, { page, why }: Content): Promise<void> {
    const url = crawlUrl(outcome.url) ?? item.url;
    // The submitted address, if it redirects.
    if (item.from === 'start' && this.#frontier.claim(entryLike(item, url))) this.#fates.add('noPages.redirects');
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
    this.#fates.add(fateOf(page));
    this.#recordUnread(page);
  }

  /** A page that was not asked in the end is among those, too. */
  #recordUnread(page: CrawledPage): void {
    this.pages.push(page);
    tell(() => this.#options.onPage?.(page));
    if (page.robotsBlocked || (page.outcome.hops.length > 0 && page.from !== 'start')) return;
    this.#done++;
    tell(() =>
      this.#options.onProgress?.({
        pagesDone: this.#done,
        pagesKnown: this.#done + this.#frontier.waiting() + this.#sequence.size() + this.#givenUp.size,
      }),
    );
  }
}

function entryLike(item: FrontierItem, url: string): FrontierEntry {
  return { url, from: item.from, depth: item.depth, parent: item };
}

/** A failing callback must not stop the crawl. */
function tell(callback: () => void): void {
  try {
    callback();
  } catch {
    // Whoever watches may miss something.
  }
}
