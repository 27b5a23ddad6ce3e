/**
 * Audits the addresses given as arguments one after another, as the product does, and reports the result and the memory
 * left after each.
 */
import { audit } from '../../../src/audit/audit.ts';
import { createParserPool } from '../../../src/audit/facts/parse/parserPool.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';

export type HostileOutcome = {
  readonly url: string;
  readonly ms: number;
  readonly stop: string;
  readonly hasFacts: boolean;
  readonly status: number | null;
  readonly failure: string | null;
  readonly message: string | null;
  readonly errors: readonly string[];
  readonly factsBytes: number;
  /** The heap, MB; after a harmless page (`/good`, `/ok`) without garbage. */
  readonly heldMb: number;
  /** The process, MB. */
  readonly rssMb: number;
};

const urls = JSON.parse(process.argv[2] ?? '[]') as readonly string[];
const requestMs = Number(process.argv[3]);
const fetcher = createFetcher({
  allowHosts: urls.map((url) => new URL(url).host),
  userAgent: 'HostileTest/1.0',
  headersMs: requestMs,
});
const pool = createParserPool({ processes: 1, timeoutMs: 10_000, entry: new URL(process.argv[4] ?? '') });

for (const url of urls) {
  const from = performance.now();
  const { crawl, outcomes } = await audit(
    url,
    { maxPages: 3, maxMs: 30_000, maxBytes: 50_000_000, concurrency: 2, maxLinkChecks: 10, requestMs },
    {
      fetch: fetcher,
      parse: pool.parse,
      now: Date.now,
      sleep: () => Promise.resolve(),
      userAgent: 'HostileTest/1.0',
    },
  );
  const ms = Math.round(performance.now() - from);
  const [start] = crawl.pages;
  // What is held is compared between the harmless pages; collecting all garbage after each page would take as long as
  // many of them.
  if (/\/(?:good|ok)$/.test(url)) globalThis.gc?.();
  const memory = process.memoryUsage();
  const outcome: HostileOutcome = {
    url,
    ms,
    stop: crawl.coverage.stop,
    hasFacts: start?.facts !== null && start !== undefined,
    status: start?.outcome.status ?? null,
    failure: start?.outcome.failure ?? null,
    message: start?.outcome.message ?? null,
    errors: outcomes.flatMap(({ checkId, state }) => (state === 'error' ? [checkId] : [])),
    factsBytes: JSON.stringify(start?.facts ?? null).length,
    heldMb: Math.round((memory.heapUsed + memory.external) / 1e6),
    rssMb: Math.round(memory.rss / 1e6),
  };
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
await pool.close();
await fetcher.close();
