/** How long a request waits for a worker's result. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { reworkAnswer } from '../../src/http/jobs/awaitRework.ts';
import { givenAnalysis } from '../given/analysis.ts';
import { startTestApp, type TestApp } from '../given/product/http.ts';

let app: TestApp;
afterEach(() => app.close());

it('ends when the request is aborted, while the work stays pending', async () => {
  app = await startTestApp({ followUp: null, config: { reworkWaitMs: 600_000 } });
  const { userId } = await app.signUp();
  const { jobId } = await givenAnalysis(app, userId);
  const by = { actor: { kind: 'user', id: userId }, correlationId: randomUUID() } as const;
  const command = { store: app.store, now: app.deps.now, commandId: randomUUID(), ...by };
  const ending = new AbortController();
  const asked = { jobId, userId, subject: { what: 'plan' } } as const;
  const answer = reworkAnswer({ deps: app.deps, command, signal: ending.signal }, asked);
  ending.abort();
  expect(await answer).toMatchObject({ pending: { status: 'pending', ask: 1 } });
  expect(await reworkAnswer({ deps: app.deps, command, signal: AbortSignal.abort() }, asked)).toMatchObject({
    pending: { ask: 1 },
  });
});
