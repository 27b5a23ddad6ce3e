/** Prompt trials on finished audits: asked once, answered or given up, and erased with the audit. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { requestPromptTrial } from '../../../src/commands/promptTrial/requestPromptTrial.ts';
import { dropWork } from '../../../src/commands/work/dropWork.ts';
import { promptTrialStream } from '../../../src/domain/promptTrial/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { Analyst, TriedPrompt } from '../../../src/integrations/analyst/analyst.ts';
import { PROMPT_TRIAL, promptTrialKind } from '../../../src/work/kinds/promptTrial.ts';
import { type FinishedJob, finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

const ANSWER: TriedPrompt = {
  model: 'm',
  text: 'Your site has no title.',
  refused: null,
  dropped: 0,
  inputTokens: 9,
  outputTokens: 5,
  costMicros: 3,
  ms: 7,
};

let job: FinishedJob;
let work: Work;
beforeEach(async () => {
  job = await finishedAnalysis();
  work = await openWork(job.made);
});
afterEach(() => work.close());

type TryPrompt = NonNullable<Analyst['tryPrompt']>;
const kindWith = (tryPrompt: TryPrompt | null = async () => ANSWER, store: EventStore = job.made.store) =>
  promptTrialKind(
    { context: (cause) => job.made.context(cause, store), now: job.made.now, analyst: tryPrompt ? { tryPrompt } : {} },
    { random: () => 0.5 },
  );
const ask = (content = 'Be brief.', { jobId } = job) =>
  requestPromptTrial(job.made.context(), { jobId, adminId: 'ada', key: 'seo_actions', content });
const isDone = () => until(async () => (await work.listed(PROMPT_TRIAL)).length === 0, 'the end of all trials');
const typesOf = ({ jobId } = job) => job.made.types(promptTrialStream(jobId));
async function lastOf({ jobId } = job) {
  const read = await job.made.store.read(promptTrialStream(jobId));
  return read.status === 'found' ? read.events.at(-1) : undefined;
}

/** A model that answers when the test lets it, and ends when its call is aborted. */
function waitingModel() {
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const signals: (AbortSignal | undefined)[] = [];
  const tryPrompt: TryPrompt = async (_prompt, _input, _actions, call) => {
    signals.push(call?.signal);
    await Promise.race([
      gate,
      new Promise((_, reject) => call?.signal?.addEventListener('abort', () => reject(call.signal?.reason))),
    ]);
    return ANSWER;
  };
  return { tryPrompt, signals, goOn: () => goOn() };
}

describe('a prompt trial', () => {
  it('sends its text about the findings, and records the answer', async () => {
    const asked: unknown[] = [];
    const { position } = await ask();
    expect(await work.item(PROMPT_TRIAL, job.jobId)).toMatchObject({
      lane: 'ada',
      opening: position,
      opener: { type: 'PromptTrialAsked' },
    });
    work.start([
      kindWith(async (prompt, input, actions) => {
        asked.push([prompt.key, prompt.content, input.host, actions.map(({ id }) => id)]);
        return { ...ANSWER, text: 'x'.repeat(50_000) };
      }),
    ]);
    await isDone();
    expect(asked).toEqual([['seo_actions', 'Be brief.', 'example.com', ['title-missing', 'gone']]]);
    expect(await typesOf()).toEqual(['PromptTrialAsked', 'PromptTrialStarted', 'PromptTrialAnswered']);
    // The stored part is limited.
    expect((await lastOf())?.data).toMatchObject({
      ask: 1,
      attempt: 1,
      answer: { ...ANSWER, text: 'x'.repeat(40_000) },
    });
  });

  it('runs one at a time', async () => {
    const other = await finishedAnalysis({ made: job.made });
    const { tryPrompt, signals, goOn } = waitingModel();
    await ask();
    await ask('Be brief.', other);
    work.start([kindWith(tryPrompt)]);
    await until(() => signals.length === 1);
    await work.settle();
    expect(signals).toHaveLength(1);
    goOn();
    await isDone();
    expect(signals).toHaveLength(2);
  });

  it('is given up at once where it cannot run', async () => {
    const [old, bare] = [
      await finishedAnalysis({ made: job.made, findings: null }),
      await finishedAnalysis({ made: job.made }),
    ];
    await ask('Be brief.', old);
    await ask('For {{reader}}.', bare);
    await ask();
    work.start([kindWith(async () => null)]);
    await isDone();
    expect((await lastOf(old))?.data).toMatchObject({ code: 'ANALYSIS_TOO_OLD' });
    expect((await lastOf(bare))?.data).toMatchObject({ code: 'PROMPT_INVALID' });
    expect((await lastOf())?.data).toMatchObject({ code: 'NOTHING_TO_ASK' });
  });

  it('says so where no model is configured', async () => {
    await ask();
    work.start([kindWith(null)]);
    await isDone();
    expect((await lastOf())?.data).toMatchObject({ code: 'NO_MODEL' });
  });

  it('requires an audit that has ended', async () => {
    const running = await finishedAnalysis({ made: job.made, end: false });
    await expect(ask('Be brief.', running)).rejects.toMatchObject({ code: 'JOB_NOT_FINISHED' });
    await deleteJob(job.made.context(), job);
    await expect(ask()).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('is aborted and erased when its audit is deleted, even after its answer', async () => {
    const answered = await finishedAnalysis({ made: job.made });
    await ask('Be brief.', answered);
    const quick = work.start([kindWith()]);
    await isDone();
    await quick.stop();
    const { tryPrompt, signals } = waitingModel();
    await ask();
    const runner = work.start([kindWith(tryPrompt)]);
    await until(() => signals.length === 1);
    await deleteJob(job.made.context(), job);
    await deleteJob(job.made.context(), answered);
    runner.interrupt(PROMPT_TRIAL, job.jobId, 'PromptTrialForgotten');
    await until(() => signals[0]?.aborted === true, 'the try to be broken off');
    await isDone();
    for (const each of [job, answered]) expect(await typesOf(each)).toEqual(['PromptTrialForgotten']);
    expect(JSON.stringify((await job.made.log()).map(({ data }) => data))).not.toContain(ANSWER.text);
  });

  it('is given up after two failed attempts, after ten minutes, and by an operator', async () => {
    await ask();
    const failing = work.start([kindWith(() => Promise.reject(new Error('no memory')))]);
    await until(async () => (await work.claim(PROMPT_TRIAL, job.jobId))?.attempts === 1, 'the first try');
    job.made.pass(1);
    await isDone();
    expect((await lastOf())?.data).toMatchObject({ code: 'GIVEN_UP' });
    await failing.stop();
    await ask('Again.');
    job.made.pass(11);
    const late = work.start([kindWith()]);
    await isDone();
    expect((await lastOf())?.data).toMatchObject({
      code: 'GIVEN_UP',
      reason: 'This was not begun in time. Please try again.',
    });
    await late.stop();
    await ask('Once more.');
    const { tryPrompt, signals } = waitingModel();
    const runner = work.start([kindWith(tryPrompt)]);
    await until(() => signals.length === 1);
    await dropWork(job.made.context(), {
      kind: PROMPT_TRIAL,
      itemId: job.jobId,
      lane: 'ada',
      opener: { type: 'PromptTrialAsked' },
    });
    runner.interrupt(PROMPT_TRIAL, job.jobId, 'PromptTrialGivenUp');
    await until(() => signals[0]?.aborted === true, 'the try to be broken off');
    expect((await lastOf())?.data).toMatchObject({
      reason: 'This was stopped by an operator. Please try again later.',
    });
  });

  it('is taken over by another worker when its worker vanished', async () => {
    await ask();
    const { tryPrompt, signals, goOn } = waitingModel();
    const lost = work.startMortal((store) => [kindWith(tryPrompt, store)], 'lost');
    await until(() => signals.length === 1);
    const vanished = lost.vanish();
    goOn();
    await vanished;
    work.start([kindWith()], { holder: 'another' });
    await isDone();
    expect((await typesOf()).filter((type) => type === 'PromptTrialAnswered')).toHaveLength(1);
  });
});
