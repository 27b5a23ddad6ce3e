/** Parts of a finished audit redone: pending from the request, done once, and always closed. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { readReportFile } from '../../../src/commands/job/writeReportFile.ts';
import type { FollowUp } from '../../../src/commands/plan/followUp.ts';
import { type RequestedRework, requestRework } from '../../../src/commands/rework/requestRework.ts';
import { dropWork } from '../../../src/commands/work/dropWork.ts';
import { reworkStream } from '../../../src/domain/rework/events.ts';
import type { ReworkSubject } from '../../../src/domain/rework/rework.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import { REWORK, reworkKind } from '../../../src/work/kinds/rework.ts';
import { type FinishedJob, finishedAnalysis } from '../../given/finishedAnalysis.ts';
import { followUpWith } from '../../given/followUp.ts';
import { modelUse, withModel } from '../../given/modelUse.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let job: FinishedJob;
let work: Work;
beforeEach(async () => {
  job = await finishedAnalysis();
  work = await openWork(job.made);
});
afterEach(() => work.close());

const rules = followUpWith();
const kindOn = (given: Partial<FollowUp> = {}, store: EventStore = job.made.store) =>
  reworkKind(
    { context: (cause) => job.made.context(cause, store), now: job.made.now, followUp: { ...rules, ...given } },
    { random: () => 0.5 },
  );
const ask = (subject: ReworkSubject): Promise<RequestedRework> =>
  requestRework(job.made.context(), { ...job, subject });
const isDone = () => until(async () => (await work.listed(REWORK)).length === 0, 'the end of all reworks');
async function eventsOf({ reworkId }: RequestedRework) {
  const read = await job.made.store.read(reworkStream(reworkId));
  return read.status === 'found' ? read.events : [];
}
const typesOf = async (asked: RequestedRework) => (await eventsOf(asked)).map(({ type }) => type);

/** An analyst that waits until the test releases it, and ends when its call is aborted. */
function waitingAnalyst() {
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const signals: (AbortSignal | undefined)[] = [];
  const recommend: FollowUp['recommend'] = async (findings, signal) => {
    signals.push(signal);
    await Promise.race([
      gate,
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    ]);
    return rules.recommend(findings);
  };
  return { recommend, signals, goOn: () => goOn() };
}

describe('a rework', () => {
  it.each([
    { subject: { what: 'plan' }, opener: 'PlanRegenerationAsked', left: 'PlanRegenerated' },
    { subject: { what: 'summary' }, opener: 'SummaryAsked', left: 'ReportPartWritten' },
    {
      subject: { what: 'verification', actionId: 'title-missing' },
      opener: 'VerificationAsked',
      left: 'ActionVerified',
    },
  ] as const)('is pending until it is done: $subject.what', async ({ subject, opener, left }) => {
    const asked = await ask(subject);
    expect(await work.item(REWORK, asked.reworkId)).toMatchObject({
      lane: job.userId,
      opener: { type: opener, revision: '0' },
    });
    const before = (await job.made.log()).at(-1)?.position ?? '';
    work.start([kindOn()]);
    await isDone();
    expect(await typesOf(asked)).toEqual([opener, 'ReworkStarted', 'ReworkDone']);
    const [first] = await eventsOf(asked);
    const since = (await job.made.log()).filter(({ position }) => position > before);
    expect(since.map(({ type }) => type)).toContain(left);
    // Everything written leads back to the requester.
    expect(since.filter(({ metadata }) => metadata.correlationId !== first?.id)).toEqual([]);
  });

  it('records the model’s prompt with its end', async () => {
    const followUp = followUpWith({ analyst: withModel(createRulesAnalyst()) });
    const asked = await ask({ what: 'plan' });
    const first = work.start([kindOn(followUp)]);
    await isDone();
    await first.stop();
    expect(await typesOf(asked)).toEqual(['PlanRegenerationAsked', 'ReworkStarted', 'ReworkModelAsked', 'ReworkDone']);
    const use = { ...modelUse({ key: 'seo_actions' }), jobId: job.jobId, reworkId: asked.reworkId };
    expect((await eventsOf(asked))[2]?.data).toMatchObject(use);
    const vain = await ask({ what: 'summary' });
    // Deleted while the model writes: the answer is useless, but cost as much.
    work.start([
      kindOn({
        ...followUp,
        summarise: (...given) => deleteJob(job.made.context(), job).then(() => followUp.summarise(...given)),
      }),
    ]);
    await isDone();
    expect((await typesOf(vain)).slice(-2)).toEqual(['ReworkModelAsked', 'ReworkGivenUp']);
  });

  it('is one work item however often it is requested while pending, and another one afterwards', async () => {
    const [first, again] = [await ask({ what: 'plan' }), await ask({ what: 'plan' })];
    expect([first.ask, again.ask, again.reworkId]).toEqual([1, 1, first.reworkId]);
    work.start([kindOn()]);
    await isDone();
    expect(await ask({ what: 'plan' })).toMatchObject({ ask: 2, reworkId: first.reworkId });
    await isDone();
    expect((await typesOf(first)).filter((type) => type === 'ReworkDone')).toHaveLength(2);
    const other = await ask({ what: 'summary' });
    expect(other.reworkId).not.toBe(first.reworkId);
  });

  it('requires an audit that has ended', async () => {
    const running = await finishedAnalysis({ made: job.made, end: false });
    await expect(requestRework(job.made.context(), { ...running, subject: { what: 'plan' } })).rejects.toMatchObject({
      code: 'JOB_NOT_FINISHED',
    });
    await deleteJob(job.made.context(), job);
    await expect(ask({ what: 'plan' })).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' });
  });

  it('is given up at its first attempt when it cannot be done', async () => {
    const old = await finishedAnalysis({ made: job.made, findings: null });
    const tooOld = await requestRework(job.made.context(), { ...old, subject: { what: 'summary' } });
    const missing = await ask({ what: 'verification', actionId: 'none' });
    work.start([kindOn()]);
    await isDone();
    expect((await eventsOf(tooOld)).at(-1)).toMatchObject({
      type: 'ReworkGivenUp',
      data: { code: 'ANALYSIS_TOO_OLD' },
    });
    expect((await eventsOf(missing)).at(-1)).toMatchObject({
      type: 'ReworkGivenUp',
      data: { code: 'ACTION_NOT_FOUND' },
    });
  });

  it('is closed when its audit is deleted, before and while it is done', async () => {
    const { recommend, signals, goOn } = waitingAnalyst();
    const asked = await ask({ what: 'plan' });
    work.start([kindOn({ recommend })]);
    await until(() => signals.length === 1);
    const waiting = await ask({ what: 'summary' });
    await deleteJob(job.made.context(), job);
    goOn();
    await isDone();
    for (const each of [asked, waiting])
      expect((await eventsOf(each)).at(-1)).toMatchObject({ type: 'ReworkGivenUp', data: { code: 'JOB_NOT_FOUND' } });
    expect((await job.made.log()).filter(({ stream }) => stream === `plan-${job.jobId}`)).toEqual([]);
  });

  it('is given up after three failed attempts, and after an hour', async () => {
    const asked = await ask({ what: 'plan' });
    const failing = work.start([kindOn({ recommend: () => Promise.reject(new Error('no memory')) })]);
    for (let tries = 1; tries < 3; tries += 1) {
      await until(async () => (await work.claim(REWORK, asked.reworkId))?.attempts === tries, `try ${tries}`);
      job.made.pass(1);
    }
    await isDone();
    expect((await eventsOf(asked)).at(-1)).toMatchObject({ type: 'ReworkGivenUp', data: { code: 'GIVEN_UP' } });
    await failing.stop();
    const late = await ask({ what: 'plan' });
    job.made.pass(61);
    work.start([kindOn()]);
    await isDone();
    expect((await eventsOf(late)).at(-1)).toMatchObject({
      type: 'ReworkGivenUp',
      data: { ask: 2, reason: 'This was not begun in time. Please try again.' },
    });
  });
});

describe('a worker on a rework', () => {
  it('ends its call when it stops, and another takes over', async () => {
    const { recommend, signals } = waitingAnalyst();
    const asked = await ask({ what: 'plan' });
    const stopping = work.start([kindOn({ recommend })], { holder: 'one' });
    await until(() => signals.length === 1);
    await stopping.stop();
    expect(signals[0]?.aborted).toBe(true);
    work.start([kindOn()], { holder: 'two' });
    await isDone();
    expect(await typesOf(asked)).toEqual(['PlanRegenerationAsked', 'ReworkStarted', 'ReworkStarted', 'ReworkDone']);
  });

  it('that resumes after another has taken over writes nothing', async () => {
    const { recommend, signals, goOn } = waitingAnalyst();
    let held = true;
    const stopped = work.start([kindOn({ recommend })], { holder: 'one', held: () => held });
    const asked = await ask({ what: 'plan' });
    await until(() => signals.length === 1);
    held = false;
    await work.readModels.claims.vacate('one');
    work.start([kindOn()], { holder: 'two' });
    await isDone();
    const before = await job.made.log();
    goOn();
    await stopped.stop();
    expect(await job.made.log()).toEqual(before);
    expect((await typesOf(asked)).filter((type) => type === 'ReworkDone')).toHaveLength(1);
  });

  it('that vanishes is replaced by another', async () => {
    const { recommend, signals, goOn } = waitingAnalyst();
    const dying = work.startMortal((store) => [kindOn({ recommend }, store)], 'one');
    const asked = await ask({ what: 'plan' });
    await until(() => signals.length === 1);
    const vanished = dying.vanish();
    goOn();
    await vanished;
    work.start([kindOn()], { holder: 'two' });
    await isDone();
    expect((await typesOf(asked)).at(-1)).toBe('ReworkDone');
  });

  it('stops at once when an operator drops it', async () => {
    const { recommend, signals } = waitingAnalyst();
    const runner = work.start([kindOn({ recommend })]);
    const asked = await ask({ what: 'plan' });
    await until(() => signals.length === 1);
    const item = await work.item(REWORK, asked.reworkId);
    if (!item) throw new Error('It is not pending.');
    await dropWork(job.made.context(), item);
    runner.interrupt(REWORK, asked.reworkId, 'ReworkGivenUp');
    await until(() => runner.state()[0]?.running === 0);
    expect(await typesOf(asked)).toEqual(['PlanRegenerationAsked', 'ReworkStarted', 'ReworkGivenUp']);
    expect(await readReportFile(job.made.store, job.jobId, 'action-items.md')).toBe(job.file);
  });
});
