/** Prompt trials by admins: a worker asks the model, and only the admin who started it sees the answer. */
import { afterEach, describe, expect, it } from 'vitest';
import type { Analyst, TriedPrompt } from '../../../src/integrations/analyst/analyst.ts';
import { givenAnalysis } from '../../given/analysis.ts';
import { FINDINGS } from '../../given/finishedAnalysis.ts';
import { startTestApp, type TestApp, type TestAppOptions, type TestUser } from '../../given/product/http.ts';

const PROMPTS = '/api/v1/admin/prompts';
const TEXT = 'Put up to {{max_merged}} causes together.';
const ANSWER: TriedPrompt = {
  model: 'model-x',
  text: '{"items":[]}',
  refused: 'Nothing in the answer could be used.',
  dropped: 0,
  inputTokens: 900,
  outputTokens: 120,
  costMicros: 4_500,
  ms: 2_100,
};
const shown = {
  model: 'model-x',
  text: '{"items":[]}',
  refused: 'Nothing in the answer could be used.',
  dropped: 0,
  input_tokens: 900,
  output_tokens: 120,
  cost_micros: 4_500,
  ms: 2_100,
};

let app: TestApp;
let admin: TestUser;
afterEach(() => app.close());

/** The answering process knows a model; the worker beside it has the given one. */
async function given(tryPrompt?: Analyst['tryPrompt'], options: TestAppOptions = {}): Promise<void> {
  app = await startTestApp({ ...options, ...(tryPrompt ? { tryPrompt } : {}) });
  const { llm } = app.deps.system;
  Object.assign(llm, { provider: 'openai_compatible', model: 'model-x' });
  admin = await app.signUp({ email: 'admin@example.com' });
}
const analysis = (userId = admin.userId) => givenAnalysis(app, userId, { findings: FINDINGS });
const attempt = (jobId: string, content = TEXT, by = admin) =>
  by.call('POST', `${PROMPTS}/seo_actions/trial`, { jobId, content });
const state = async (jobId: string, by = admin) => (await by.call('GET', `${PROMPTS}/trials/${jobId}`)).body;

describe('a prompt trial', () => {
  it('returns the model’s answer, its cost and whether a report would use it', async () => {
    await given(async (prompt) => ({ ...ANSWER, text: prompt.content }));
    const { jobId } = await analysis();
    await app.newEvents();
    const { status, body } = await attempt(jobId);
    expect([status, body.trial]).toEqual([
      200,
      {
        job_id: jobId,
        key: 'seo_actions',
        ask: 1,
        status: 'answered',
        asked_at: app.deps.now(),
        failure: null,
        answer: { ...shown, text: TEXT },
      },
    ]);
    expect((await app.newEvents()).map(({ type }) => type)).toEqual([
      'PromptTrialAsked',
      'PromptTrialStarted',
      'PromptTrialAnswered',
    ]);
    expect(await state(jobId)).toEqual({ success: true, trial: body.trial });
    // The prompt and the answer may quote a report.
    expect(app.logLines.join('\n')).not.toMatch(/causes together/);
    expect(app.logLines.join('\n')).toContain('prompt_tried');
  });

  it('is pending while the model works, and hidden from others', async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await given(
      async () => {
        await gate;
        return ANSWER;
      },
      { config: { reworkWaitMs: 1 } },
    );
    const { jobId } = await analysis();
    expect((await attempt(jobId)).body.trial).toMatchObject({ status: 'pending', ask: 1, answer: null });
    expect((await attempt(jobId)).body.trial).toMatchObject({ status: 'pending', ask: 1 });
    expect((await attempt(jobId, 'Other.')).body).toMatchObject({ code: 'PROMPT_TRIAL_PENDING' });
    const other = await app.signUp();
    await app.given(`account-${other.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: other.userId, reason: 'configured' },
    });
    expect(await state(jobId, other)).toEqual({ success: true, trial: null });
    goOn();
    await expect.poll(async () => (await state(jobId)).trial.status).toBe('answered');
    expect((await state(jobId)).trial.answer).toEqual(shown);
    expect(await state(jobId, other)).toEqual({ success: true, trial: null });
  });

  it('says why it was not run', async () => {
    await given(async () => null);
    const { jobId } = await analysis();
    expect((await attempt(jobId)).body.trial).toMatchObject({
      status: 'failed',
      failure: { code: 'NOTHING_TO_ASK' },
      answer: null,
    });
  });

  it('on another user’s job is recorded, and removed with the job', async () => {
    await given(async () => ANSWER);
    const ann = await app.signUp();
    const { jobId } = await analysis(ann.userId);
    await app.newEvents();
    await attempt(jobId);
    expect((await app.newEvents())[0]).toMatchObject({
      type: 'AdminLooked',
      data: { adminId: admin.userId, thing: 'report', thingId: jobId },
    });
    expect((await ann.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    await expect.poll(async () => (await state(jobId)).trial).toBeNull();
    expect((await attempt(jobId)).body.code).toBe('JOB_NOT_FOUND');
  });

  it('is refused without a model, with an invalid prompt, too often, and to others than admins', async () => {
    await given(async () => ANSWER, { rateLimits: { generate: { points: 3, seconds: 600 } } });
    const { jobId } = await analysis();
    const ann = await app.signUp();
    expect((await attempt(jobId, TEXT, ann)).status).toBe(403);
    expect((await attempt(jobId, 'For {{reader}}.')).body.code).toBe('PROMPT_INVALID');
    expect((await attempt('nothing')).body.code).toBe('JOB_NOT_FOUND');
    Object.assign(app.deps.system.llm, { provider: 'built_in', model: null });
    expect((await attempt(jobId)).body).toMatchObject({
      code: 'NO_MODEL',
      error: 'No language model is configured: the built-in analyst writes all texts.',
    });
    expect((await attempt(jobId)).status).toBe(429);
  });
});
