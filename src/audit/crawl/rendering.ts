/** Renders pages filled in by scripts in a browser, within the crawl's limits, and parses the result. */
import { filledFacts, isFilledByScript } from '../facts/appShell.ts';
import type { PageFacts } from '../facts/pageFacts.ts';
import type { CrawlEnv, CrawlOptions } from './crawlEnv.ts';
import type { Rendered } from './site.ts';

export type Rendering = {
  /** The page is filled by scripts, and there is a browser. */
  readonly isNeeded: (facts: PageFacts) => boolean;
  /** `isOneOf`: the page is one of the `most` that may be shown; otherwise the page says that it is not. */
  readonly show: (facts: PageFacts, isOneOf: boolean) => Promise<Rendered>;
  readonly most: number;
};

/** The page as it was delivered. */
export const delivered = (facts: PageFacts): Rendered => ({ facts, note: null, movedTo: null, bytes: 0 });

export type RenderingScope = {
  readonly env: CrawlEnv;
  readonly options: CrawlOptions;
  readonly mayFetch: (url: string) => boolean;
  /** Crawl clock, ms. */
  readonly endsAt: number;
  /** robots.txt asks for delays between requests, but a browser makes many at once for one page. */
  readonly isSlow: boolean;
};

const MAX_RENDERED = 20;
const RENDER_MS = 10_000;

export function createRendering({ env, options, mayFetch, endsAt, isSlow }: RenderingScope): Rendering {
  const most = options.maxRendered ?? MAX_RENDERED;
  const show: Rendering['show'] = async (facts, isOneOf) => {
    const without = (why: string, more: Partial<Rendered> = {}): Rendered => ({
      ...delivered(facts),
      note: { done: false, why },
      ...more,
    });
    if (!env.render) return delivered(facts);
    if (isSlow) return without('robots.txt asks for pauses between requests, which a page in a browser does not keep.');
    if (!isOneOf) return without(`No more than ${most} pages of a site are shown in a browser.`);
    const timeoutMs = Math.min(RENDER_MS, endsAt - env.now());
    if (timeoutMs <= 0) return without('The time was over.');
    const result = await env.render(facts.url, { timeoutMs, mayFetch, ...(env.signal ? { signal: env.signal } : {}) });
    const { bytes } = result;
    if (!result.ok) return without(result.reason, { bytes, movedTo: result.movedTo });
    try {
      const filled = await env.parse({
        url: facts.url,
        body: new TextEncoder().encode(result.html),
        contentType: 'text/html; charset=utf-8',
      });
      if (isFilledByScript(filled)) return without('The page stayed empty in a browser, too.', { bytes });
      return { facts: filledFacts(facts, filled), note: { done: true, why: null }, movedTo: null, bytes };
    } catch {
      return without('What the browser showed could not be parsed.', { bytes });
    }
  };
  return { isNeeded: (facts) => env.render !== undefined && isFilledByScript(facts), show, most };
}
