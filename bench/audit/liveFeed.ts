/** Crawling a generated site on loopback while its feed is published and watched, against crawling it alone. */
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { crawlSite } from '../../src/audit/crawl/crawlSite.ts';
import { discover } from '../../src/audit/crawl/discover.ts';
import type { CrawledPage } from '../../src/audit/crawl/site.ts';
import { createParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { readAddress } from '../../src/audit/report/readAddress.ts';
import { openSqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { shareFeed } from '../../src/start/liveFeed.ts';
import { startChild } from '../child.ts';
import { compare, type Figure, rateRow, timed } from '../measure.ts';
import { crawlEnv } from './audit.ts';

const PAGES = 400;
const PAGE_BYTES = 41_000;

/** Two processes that share a store, though in this one: one publishes, the other is watched. */
export const liveFeed: Figure = {
  name: 'liveFeed',
  async measure({ rounds, dir }) {
    const site = startChild('audit/siteServer');
    const { port } = await site.ask<{ port: number }>({ pages: PAGES, bytes: PAGE_BYTES });
    const parser = createParserPool({ processes: 2 });
    const { env, close } = crawlEnv(port, parser);
    const readModels = openSqliteReadModels({ file: `${dir}/feed.db` });
    const deps = {
      presence: readModels.presence,
      now: () => new Date().toISOString(),
      pause: (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => undefined),
      log: pino({ level: 'silent' }),
    };
    const [worker, watched] = [shareFeed(deps), shareFeed(deps)];
    async function crawl(onPage?: (page: CrawledPage) => void): Promise<number> {
      const options = { maxPages: PAGES, maxMs: 120_000, maxBytes: 500_000_000, concurrency: 4 };
      const took = await timed(async () => {
        const discovery = await discover(`http://127.0.0.1:${port}/`, env);
        const { pages } = await crawlSite(discovery, { ...options, ...(onPage ? { onPage } : {}) }, env);
        if (pages.length < PAGES) throw new Error(`The crawl saw ${pages.length} of ${PAGES} pages.`);
      });
      return (PAGES * 1_000) / took;
    }
    try {
      const compared = await compare(
        rounds,
        async () => {
          const begunAt = new Date().toISOString();
          worker.begin('job');
          const watching = setInterval(() => void watched.read('job'), 1_000);
          const rate = await crawl((page) => worker.add('job', readAddress(page, begunAt)));
          clearInterval(watching);
          worker.end('job');
          await worker.settled();
          return rate;
        },
        () => crawl(),
      );
      return [rateRow(`crawl of ${PAGES} pages whose feed is watched vs without, pages`, compared, 0.95)];
    } finally {
      await close();
      await parser.close();
      await readModels.close();
      await site.stop();
    }
  },
};
