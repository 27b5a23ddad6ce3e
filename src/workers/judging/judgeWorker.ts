/** Entry point of a thread that judges one site, and ends. */
import { parentPort } from 'node:worker_threads';
import { assess } from '../../audit/assessment.ts';
import type { Crawl } from '../../audit/crawl/site.ts';
import { lowerPriority } from '../../audit/facts/parse/lowerPriority.ts';
import { rejudge, type ToVerify } from '../../audit/verify.ts';
import { createJsonChannel } from './jsonChannel.ts';

/** A whole site, or the findings to verify. `ms` and `siteBytes` are those of `AssessRun`. */
export type JudgeTask = {
  readonly crawl: Crawl;
  readonly toVerify?: ToVerify;
  readonly ms?: number;
  readonly siteBytes?: number;
};

if (parentPort !== null) {
  lowerPriority();
  const channel = createJsonChannel(parentPort);
  const { crawl, toVerify, ...limits } = (await channel.receive()) as JudgeTask;
  // Nothing else waits for this thread, so it need not pause.
  const run = { now: Date.now, yieldToEventLoop: async () => undefined, ...limits };
  await channel.send(toVerify ? await rejudge(toVerify, crawl, run) : await assess(crawl, run));
  parentPort.close();
}
