/** Requests pages and reads their answers, which wait to be processed. Fetching runs ahead of parsing, within limits. */
import type { FetchAnswer, FetchResult } from '../../model/fetching.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import { PAGE_BYTES as PAGE_KEPT, weightOf } from '../memory.ts';
import { readContent } from './content.ts';
import type { CrawlEnv, CrawlOptions, KnownAnswer } from './crawlEnv.ts';
import type { FrontierItem } from './frontier/frontier.ts';
import { outcomeOf } from './outcome.ts';
import { asksToWait, type Pace } from './pace.ts';
import { delivered, type Rendering } from './rendering.ts';
import type { Slot } from './sequence.ts';
import type { Content, FetchOutcome, Rendered } from './site.ts';
import { crawlUrl } from './url.ts';

/** Answers waiting for a parser, and their bytes; more would only fill memory. */
const MAX_BACKLOG = 8;
const MAX_BACKLOG_BYTES = 10 * 1024 * 1024;
const PAGE_BYTES = 5 * 1024 * 1024;
const REQUEST_MS = 10_000;
/** As many as search engines follow. */
const MAX_REDIRECTS = 10;

/**
 * `read` gives the page, if there is one. `bytes` and `kept`: what has come of it, and what that takes in memory; without
 * the page, if it is read late.
 */
export type Answer = {
  readonly outcome: FetchOutcome;
  readonly read: () => Promise<Content>;
  readonly isLate?: true;
  readonly bytes: number;
  readonly kept: number;
};

type Setting = {
  readonly options: CrawlOptions;
  /** Its signal ends requests that nobody waits for any more. */
  readonly env: CrawlEnv;
  /** Crawl clock, ms. */
  readonly endsAt: number;
  readonly pace: Pace;
  readonly render: Rendering;
  /** How many pages are processed before it; negative if that is not known. */
  readonly placeOf: (slot: Slot<Answer>) => number;
  readonly changed: () => void;
};

export class Requests {
  /** Sent so far. */
  count = 0;
  readonly #setting: Setting;
  #fetching = 0;
  #parsing = 0;
  #unparsedBytes = 0;
  /** Pages processed so far that a browser was to show. */
  #shown = 0;
  #bytes = 0;
  #kept = 0;

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  /** Whether the server and the parsers allow one more beside those under way. */
  mayAsk(): boolean {
    const isBehind = this.#parsing >= MAX_BACKLOG || this.#unparsedBytes >= MAX_BACKLOG_BYTES;
    return !isBehind && (this.#fetching === 0 || !this.#setting.pace.isSlow());
  }

  /** What answers take that are not processed, and those under way at most; in bytes. */
  waiting(): { readonly bytes: number; readonly kept: number } {
    return { bytes: this.#bytes, kept: this.#kept + (this.#fetching + this.#parsing) * PAGE_KEPT };
  }

  /** The answer is processed, or nobody wants it. */
  release({ bytes, kept }: Answer): void {
    this.#bytes -= bytes;
    this.#kept -= kept;
  }

  /** The page of an answer whose turn it is. */
  async read(answer: Answer): Promise<Content> {
    const content = await answer.read();
    if (content.page?.note) this.#shown++;
    return content;
  }

  /** Resolves once the next request may be made. `isRetry`: what is known of the address is not enough. */
  async fetchInto(slot: Slot<Answer>, isRetry: boolean): Promise<void> {
    const { options, pace } = this.#setting;
    const known = isRetry ? undefined : options.known?.of(slot.item.url);
    if (known) {
      this.#give(slot, Promise.resolve(this.#answerKnown(known)));
      return;
    }
    this.#fetching++;
    await pace.acquire();
    this.count++;
    const result = await this.#fetch(slot.item);
    pace.observe(result);
    this.#fetching--;
    this.#give(slot, this.#answerOf(slot, result));
  }

  #give(slot: Slot<Answer>, answer: Promise<Answer>): void {
    const { changed } = this.#setting;
    const ready = (): void => {
      slot.isReady = true;
      changed();
    };
    answer.then(ready, ready);
    slot.answer = answer;
    changed();
  }

  #answerKnown({ outcome, content }: KnownAnswer): Answer {
    return this.#held({
      outcome,
      read: async () => content,
      bytes: outcome.bytes + (content.page?.bytes ?? 0),
      kept: weightOf(outcome) + weightOf(content.page),
    });
  }

  #held(answer: Answer): Answer {
    this.#bytes += answer.bytes;
    this.#kept += answer.kept;
    return answer;
  }

  #fetch(item: FrontierItem): Promise<FetchResult> {
    const { env, options, endsAt } = this.#setting;
    return env.fetch(item.url, {
      maxBytes: options.pageBytes ?? PAGE_BYTES,
      cut: true,
      timeoutMs: Math.min(options.requestMs ?? REQUEST_MS, Math.max(1, endsAt - env.now())),
      maxRedirects: MAX_REDIRECTS,
      ...(env.signal ? { signal: env.signal } : {}),
    });
  }

  /**
   * A redirect is read only once its target is known to be new; of everything else, the body is not kept. A browser
   * shows the first pages that need it: those that are certain to be among them at once, others when it is their turn.
   */
  async #answerOf(slot: Slot<Answer>, result: FetchResult): Promise<Answer> {
    const { item } = slot;
    const { render } = this.#setting;
    const outcome = outcomeOf(result);
    const late = { outcome, bytes: outcome.bytes, kept: weightOf(outcome), isLate: true } as const;
    if (result.ok && result.hops.length > 0 && item.from !== 'start')
      return this.#held({ ...late, read: () => this.#parsed(item, result, (facts) => this.#inTurn(facts)) });
    let waits: PageFacts | null = null;
    const content: Content = result.ok
      ? await this.#parsed(item, result, async (facts) => {
          if (!render.isNeeded(facts)) return delivered(facts);
          const place = this.#setting.placeOf(slot);
          if (place >= 0 && this.#shown + place < render.most) return render.show(facts, true);
          waits = facts;
          return delivered(facts);
        })
      : { page: null, why: null };
    const facts = waits as PageFacts | null;
    if (facts !== null)
      return this.#held({
        ...late,
        read: async () => this.#remembered(item, outcome, { page: await this.#inTurn(facts), why: null }),
      });
    this.#remembered(item, outcome, content);
    return this.#held({
      outcome,
      read: async () => content,
      bytes: outcome.bytes + (content.page?.bytes ?? 0),
      kept: late.kept + weightOf(content.page),
    });
  }

  /** For a crawl that goes on later. */
  #remembered(item: FrontierItem, outcome: FetchOutcome, content: Content): Content {
    const { env, options, endsAt } = this.#setting;
    // An answer that asks to wait, or that we did not wait for, says nothing about the page.
    const isOurs = env.signal?.aborted === true || env.now() >= endsAt;
    if (!isOurs && !asksToWait(outcome)) options.known?.keep(item.url, { outcome, content });
    return content;
  }

  #inTurn(facts: PageFacts): Promise<Rendered> {
    const { render } = this.#setting;
    return render.isNeeded(facts) ? render.show(facts, this.#shown < render.most) : Promise.resolve(delivered(facts));
  }

  async #parsed(
    item: FrontierItem,
    answer: FetchAnswer,
    show: (facts: PageFacts) => Promise<Rendered>,
  ): Promise<Content> {
    // Parsing takes the body away.
    const { length } = answer.body;
    this.#parsing++;
    this.#unparsedBytes += length;
    const content = await readContent(crawlUrl(answer.url) ?? item.url, answer, this.#setting.env.parse, show);
    this.#parsing--;
    this.#unparsedBytes -= length;
    return content;
  }
}
