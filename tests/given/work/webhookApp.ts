/**
 * The webhooks of a running app: queued by the followers, sent by a runner, over a network in which these hosts are
 * allowed.
 */
import { randomUUID } from 'node:crypto';
import { actionItemsMarkdown } from '../../../src/audit/report/actionItemsMarkdown.ts';
import { type ContextOf, contextOf } from '../../../src/commands/context.ts';
import { createFetcher } from '../../../src/integrations/fetcher/httpFetcher.ts';
import { createWebhookUrlCheck } from '../../../src/integrations/webhookUrl.ts';
import { sleep } from '../../../src/start/sleep.ts';
import { createFollowers } from '../../../src/work/followers/all.ts';
import { setFollowUpAside } from '../../../src/work/kinds/followUp.ts';
import { webhookKind } from '../../../src/work/kinds/webhook.ts';
import { runFollowers } from '../../../src/work/runFollowers.ts';
import { createSweeps } from '../../../src/work/sweeps/all.ts';
import type { PostAnswer } from '../../../src/workers/webhookSender.ts';
import type { TestApp } from '../product/http.ts';
import { nothingToVerify } from './verifying.ts';
import { startRunner } from './work.ts';

export type RunningWebhooks = {
  /** Runs due work after the app's clock was moved. */
  wake(): void;
  stop(): Promise<void>;
};

const FOLLOWERS: readonly string[] = ['announcements', 'failingWebhooks', 'removedWebhooks'];
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES = 64 * 1024;

const contextIn =
  (app: TestApp, id: string): ContextOf =>
  (cause) =>
    contextOf({ store: app.store, now: app.deps.now, commandId: randomUUID(), actor: { kind: 'worker', id } }, cause);

export function startWebhooks(
  app: TestApp,
  { allowHosts, appUrl }: { readonly allowHosts: readonly string[]; readonly appUrl: string },
): RunningWebhooks {
  const { store, readModels } = app;
  const { now, log } = app.deps;
  const fetcher = createFetcher({ allowHosts, userAgent: 'SEOWorkbench/test' });
  const kind = webhookKind(
    {
      store,
      now,
      context: contextIn(app, 'webhooks'),
      clock: () => performance.now(),
      vetUrl: createWebhookUrlCheck(allowHosts),
      isAllowed: async () => true,
      userAgent: 'SEOWorkbench/test',
      post: async (url, request): Promise<PostAnswer> => {
        const answer = await fetcher.post(url, {
          ...request,
          timeoutMs: TIMEOUT_MS,
          maxBytes: ANSWER_BYTES,
          cut: true,
        });
        return answer.ok ? { ok: true, status: answer.status } : { ok: false, message: answer.message };
      },
    },
    { random: Math.random },
  );
  const runner = startRunner({ readModels, now }, [kind]);
  const context = contextIn(app, 'followers');
  const all = createFollowers({
    store,
    readModels,
    snapshots: readModels.snapshots,
    context,
    mailer: null,
    payments: null,
    adminEmail: undefined,
    appUrl,
    itemsFile: actionItemsMarkdown,
    recordsRuns: 5,
  });
  const ending = new AbortController();
  const following = runFollowers({
    store,
    now,
    sleep,
    log,
    marks: readModels.marks,
    signal: ending.signal,
    followers: all.filter(({ name }) => FOLLOWERS.includes(name)),
    setAside: (follower, event, error) => setFollowUpAside(context(event), follower.name, event, String(error)),
  });
  return {
    wake: runner.notifyAll,
    async stop() {
      ending.abort();
      await Promise.all([runner.stop(), following.done]);
      await fetcher.close();
    },
  };
}

/** Erases deliveries past their retention; returns how many. */
export async function forgetOldDeliveries(app: TestApp): Promise<number> {
  const sweeps = createSweeps({
    reportKinds: [],
    keptDays: 90,
    readModels: app.readModels,
    claims: app.readModels.claims,
    marks: app.readModels.marks,
    snapshots: app.readModels.snapshots,
    kinds: [],
    mailer: null,
    payments: null,
    verifyStep: nothingToVerify,
    problems: async () => [],
    adminEmail: undefined,
    appUrl: app.url,
    context: contextIn(app, 'followers'),
  });
  const old = sweeps.find(({ name }) => name === 'oldDeliveries');
  if (!old) throw new Error('There is no such sweep.');
  return (await old.run(null, new AbortController().signal)).done;
}
