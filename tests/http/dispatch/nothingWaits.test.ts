/** Every route answers while the language model and the audited sites do not, also for a user with many audits. */
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import type { FollowUp } from '../../../src/commands/plan/followUp.ts';
import { ROUTES } from '../../../src/http/routes/all.ts';
import type { AnyRoute } from '../../../src/http/routing/route.ts';
import { READ_MODELS } from '../../../src/work/rules.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { key, routeCalls } from '../../given/product/routeCalls.ts';
import { metadataAt } from '../../given/stores/metadata.ts';

const JOBS = 500;
/** Need the model or a site for their result. */
const NEED_AN_ANSWER = [
  'POST /actions/{actionId}/verify',
  'POST /admin/prompts/{key}/trial',
  'POST /jobs/{jobId}/generate-executive-summary',
  'POST /jobs/{jobId}/regenerate-actions',
];

/** The workers' model and sites: they answer nothing until the test is over. */
function silence() {
  let end = (): void => undefined;
  const over = new Promise<never>((_, reject) => {
    end = () => reject(new Error('The test is over.'));
  });
  over.catch(() => undefined);
  const asked = new Set<string>();
  const ask = (what: string) => (): Promise<never> => {
    asked.add(what);
    return over;
  };
  const followUp: FollowUp = {
    recommend: ask('items'),
    summarise: ask('summary'),
    verify: ask('site'),
    itemsFile: () => '',
  };
  return { followUp, tryPrompt: ask('prompt'), asked, end };
}

/** Submissions and ends alone, which is enough for every list. */
async function givenManyJobs(app: TestApp, userId: string): Promise<void> {
  const at = app.deps.now();
  const metadata = metadataAt(at);
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data, metadata });
  for (let nth = 0; nth < JOBS; nth += 1) {
    const jobId = randomUUID();
    const host = `site-${nth}.example`;
    const submitted = {
      jobId,
      userId,
      url: `https://${host}/`,
      host,
      bounds: { maxPages: 50, maxMs: 180_000 },
      access: 'full',
      submittedAt: at,
    };
    const events = [event('JobSubmitted', submitted), event('JobCompleted', { jobId, userId, completedAt: at })];
    await app.store.append(`job-${jobId}`, events, { expected: 'no_stream' });
  }
  const models = READ_MODELS.map(({ name }) => name);
  expect(await app.readModels.reached(models, await app.store.head(), 30_000)).toBe(true);
}

async function admin(app: TestApp): Promise<TestUser> {
  const user = await app.signUp();
  await app.given(`account-${user.userId}`, {
    type: 'AccountAdminGranted',
    data: { userId: user.userId, reason: 'configured' },
  });
  return user;
}

/** Routes that may end the session or remove the jobs; and only so many reworks of one user are in progress at once. */
const isForAnother = ({ method, path }: AnyRoute): boolean =>
  method !== 'GET' && /^\/(auth|account|jobs$)|regenerate/.test(path);

it('answers every route while the model and the sites are silent', async () => {
  const { followUp, tryPrompt, asked, end } = silence();
  const app = await startTestApp({
    followUp,
    tryPrompt,
    config: { reworkWaitMs: 20, freeAnalysesPerMonth: 1_000_000 },
  });
  try {
    const { prepare, callAs } = routeCalls(app);
    Object.assign(app.deps.system.llm, { provider: 'openai_compatible', model: 'model-x' });
    const owner = await admin(app);
    await givenManyJobs(app, owner.userId);
    const pending: string[] = [];
    for (const route of ROUTES) {
      const caller = isForAnother(route) ? await admin(app) : owner;
      const { jobId } = await givenAnalysis(app, caller.userId);
      // A handler that waits is answered with 503 at its time limit.
      const { status, body } = await callAs(caller, route, jobId, await prepare(caller, route));
      const isNotSetUp = ['PAYMENTS_UNAVAILABLE', 'SSO_PROVIDER_NOT_FOUND'].includes(body?.code);
      const isExpected = isNotSetUp || (route.access === 'public' ? status < 500 : status < 400 || status === 409);
      expect({ route: key(route), status, isExpected }).toEqual({ route: key(route), status, isExpected: true });
      if (body?.rework?.status === 'pending' || body?.trial?.status === 'pending') pending.push(key(route));
    }
    expect(pending).toEqual(NEED_AN_ANSWER);
    await vi.waitFor(() => expect([...asked].sort()).toEqual(['items', 'prompt', 'site', 'summary']), 10_000);
  } finally {
    end();
    await app.close();
  }
}, 180_000);
