/**
 * Crawls a site within its budgets: start page first, then by distance from it, with few parallel requests, and
 * always obeying robots.txt.
 */

import { SITE_BYTES } from '../memory.ts';
import { inSlices } from '../timeSlices.ts';
import type { CrawlEnv, CrawlOptions } from './crawlEnv.ts';
import { Crawler } from './crawler.ts';
import { inOrder, withDepths } from './linkGraph.ts';
import { askAsAiBot } from './probes/aiBotAnswer.ts';
import { checkFiles } from './probes/fileChecks.ts';
import { checkLinks, LINK_KINDS, type LinkChecks } from './probes/linkChecks.ts';
import { askAsOthers } from './probes/otherAgents.ts';
import { productToken, unreadRules } from './robots/robots.ts';
import { rulesOf } from './robots/robotsFile.ts';
import type { Crawl, CrawlStop, Discovery } from './site.ts';

/** Share of the time for pages; the rest is for checking what they link to. */
const PAGES_SHARE = 0.85;

const NO_LINKS: LinkChecks = { checks: [], untried: LINK_KINDS };

/** Never rejects: `pages[0]` is the start page, and its outcome says why there is nothing more. */
export async function crawlSite(discovery: Discovery, options: CrawlOptions, env: CrawlEnv): Promise<Crawl> {
  const startedAt = env.now();
  const crawler = new Crawler(discovery, options, env, startedAt + options.maxMs * PAGES_SHARE);
  await crawler.run();
  const endsAt = startedAt + options.maxMs;
  const isOver = (): boolean => env.signal?.aborted === true || env.now() >= endsAt;
  const pages = (await inSlices(withDepths(crawler.pages), env, isOver)) ?? inOrder(crawler.pages);
  const stop = stopOf(crawler, env);
  const { traps, copies } = crawler.leftOut();
  const forbidden = crawler.forbidden();
  const unread = unreadRules(rulesOf(discovery.robots), productToken(env.userAgent));
  const crawlDelayMs = crawler.delayMs;
  // One half for the answers of links, the other for those of files.
  const roomLeft = Math.max(0, (env.siteBytes ?? SITE_BYTES) - crawler.kept) / 2;
  const asked = crawler.fileAnswers();
  const { checks: linkChecks, untried } =
    stop === 'cancelled'
      ? NO_LINKS
      : await checkLinks({ pages, discovery, options, endsAt, crawlDelayMs, roomLeft, asked }, env);
  const bytes = linkChecks.reduce((sum, check) => sum + check.outcome.bytes, crawler.bytes);
  const after = {
    pages,
    discovery,
    options,
    endsAt,
    crawlDelayMs,
    roomLeft,
    bytesLeft: options.maxBytes - bytes,
  };
  const fileChecks = stop === 'cancelled' ? [] : await checkFiles(after, env);
  const aiBotAnswer = stop === 'cancelled' ? null : await askAsAiBot(after, env);
  const agentAnswers = stop === 'cancelled' ? [] : await askAsOthers(after, env);
  return {
    discovery,
    pages,
    linkChecks,
    fileChecks,
    ...(aiBotAnswer ? { aiBotAnswer } : {}),
    ...(agentAnswers.length > 0 ? { agentAnswers } : {}),
    coverage: {
      stop: env.signal?.aborted ? 'cancelled' : stop,
      ...(options.settings ? { settings: options.settings } : {}),
      notFetched: crawler.notFetched(),
      traps,
      untried,
      ...(options.only ? {} : { addresses: crawler.addresses() }),
      ...(copies.length > 0 ? { copies } : {}),
      ...(forbidden === null ? {} : { forbidden }),
      ...(crawler.delay.asked > 0 ? { crawlDelay: crawler.delay } : {}),
      ...(crawler.askedToWait() === null ? {} : { askedToWait: crawler.askedToWait() ?? 0 }),
      ...(unread === null ? {} : { unreadRules: unread }),
      startedAt: new Date(startedAt).toISOString(),
      durationMs: Math.round(env.now() - startedAt),
      bytes: [...fileChecks, ...(aiBotAnswer ? [aiBotAnswer] : []), ...agentAnswers].reduce(
        (sum, { outcome }) => sum + outcome.bytes,
        bytes,
      ),
    },
  };
}

function stopOf(crawler: Crawler, env: CrawlEnv): CrawlStop {
  if (env.signal?.aborted) return 'cancelled';
  if (crawler.notFetched() === 0) return 'complete';
  if (crawler.isFull()) return 'byte_budget';
  return crawler.isOutOfTime() ? 'time_budget' : 'page_budget';
}
