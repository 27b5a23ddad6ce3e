/** Entry point of a process that judges one site, and ends. */
import { assess } from '../../audit/assessment.ts';
import type { Crawl } from '../../audit/crawl/site.ts';
import { lowerPriority } from '../../audit/processes/lowerPriority.ts';
import { rejudge, type ToVerify } from '../../audit/verify.ts';
import { createJsonChannel } from './jsonChannel.ts';

/** A whole site, or the findings to verify. `ms` and `siteBytes` are those of `AssessRun`. */
export type JudgeTask = {
  readonly crawl: Crawl;
  readonly toVerify?: ToVerify;
  readonly ms?: number;
  readonly siteBytes?: number;
};

/** `failed`: by a fault of the program. */
export type Judged = { readonly result: unknown } | { readonly failed: string };

lowerPriority();
const channel = createJsonChannel(process);
await channel.send(await judged().catch((error: Error) => ({ failed: error.stack ?? error.message })));
process.disconnect();

async function judged(): Promise<Judged> {
  const { crawl, toVerify, ...limits } = (await channel.receive()) as JudgeTask;
  // Nothing else waits for this process, so it need not pause.
  const run = { now: Date.now, yieldToEventLoop: async () => undefined, ...limits };
  return { result: toVerify ? await rejudge(toVerify, crawl, run) : await assess(crawl, run) };
}
