/** Process of its own, with a small heap: audits of one site at once, from the crawl to the plan. */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { createParserPool } from '../../src/audit/facts/parse/parserPool.ts';
import { signUp } from '../../src/commands/account/signUp.ts';
import { contextOf } from '../../src/commands/context.ts';
import { loadState } from '../../src/commands/handle.ts';
import { submitJobs } from '../../src/commands/job/submitJobs.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { openSqliteEventStore } from '../../src/eventStore/sqlite/sqlite.ts';
import { createRulesAnalyst } from '../../src/integrations/analyst/rules.ts';
import { createFetcher } from '../../src/integrations/fetcher/httpFetcher.ts';
import { siteBytesOf } from '../../src/start/siteBytes.ts';
import { runAuditJob } from '../../src/workers/auditJob.ts';
import { pendingJob } from '../../tests/given/work/pendingJob.ts';

export type HeavyOrder = {
  readonly file: string;
  readonly port: number;
  readonly audits: number;
  readonly maxPages: number;
};
/** `heldMs`: how long the event loop was held at most. */
export type HeavyMeasured = { readonly rssBytes: number; readonly heldMs: number };

const USER_AGENT = 'SeoWorkbenchBench/1.0';
const now = (): string => new Date().toISOString();

process.on('message', async ({ file, port, audits, maxPages }: HeavyOrder) => {
  const store = openSqliteEventStore({ file });
  const parser = createParserPool({ processes: 2 });
  const host = `127.0.0.1:${port}`;
  const deps = {
    store,
    now,
    clock: Date.now,
    newId: randomUUID,
    sleep: (ms: number) => wait(ms).then(() => undefined),
    openFetcher: () => createFetcher({ allowHosts: [host], userAgent: USER_AGENT }),
    parse: parser.parse,
    analyst: createRulesAnalyst(),
    userAgent: USER_AGENT,
    siteBytes: siteBytesOf(audits),
  };
  const actor = { kind: 'system', id: 'bench' } as const;
  const context = () => contextOf({ store, now, commandId: randomUUID(), actor }, null);
  const account = { email: 'bench@example.com', name: 'Bench', passwordHash: 'x' };
  const { userId } = await signUp(context(), account);
  const { jobIds } = await submitJobs(context(), {
    userId,
    sites: Array.from({ length: audits }, (_, nth) => ({ url: `http://${host}/?audit=${nth}`, host })),
    bounds: { maxPages, maxMs: 600_000 },
  });
  let rssBytes = 0;
  const watching = setInterval(() => {
    rssBytes = Math.max(rssBytes, process.memoryUsage.rss());
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const still = new AbortController().signal;
  setMaxListeners(0, still);
  await Promise.all(jobIds.map((jobId) => runAuditJob(deps, pendingJob(jobId), () => true, still)));
  for (const jobId of jobIds) {
    const { state } = await loadState(store, jobDecider, jobStream(jobId));
    if (state.status !== 'finished' || state.outcome === 'failed') throw new Error('An audit has no result.');
  }
  delay.disable();
  clearInterval(watching);
  await parser.close();
  await store.close();
  process.send?.({ rssBytes, heldMs: delay.max / 1e6 } satisfies HeavyMeasured);
});
