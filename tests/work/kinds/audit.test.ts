/** Audits as work: real audits of a site on loopback, from submission to end, whatever happens to their workers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelJob } from '../../../src/commands/job/cancelJob.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { GIVEN_UP } from '../../../src/commands/work/giveUpWork.ts';
import { JOB_STEPS, jobStream } from '../../../src/domain/job/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import type { Analyst } from '../../../src/integrations/analyst/analyst.ts';
import { createRulesAnalyst } from '../../../src/integrations/analyst/rules.ts';
import type { WorkKind } from '../../../src/work/kind.ts';
import { AUDIT, auditKind } from '../../../src/work/kinds/audit.ts';
import { auditDeps } from '../../given/audit/auditDeps.ts';
import { type Product, userOf, withAdmin } from '../../given/commands.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';
import { htmlPage, startTestSite, type TestSite } from '../../servers/testSite.ts';

let site: TestSite;
/** Open responses of `/slow`; null when it answers at once. */
let kept: (() => void)[] | null;
let slowOpen: number;
/** From now on `/slow` answers. */
function answerSlow(): void {
  for (const answer of kept ?? []) answer();
  kept = null;
}
beforeAll(async () => {
  site = await startTestSite({
    '/': htmlPage('A home page with a title', '/second'),
    '/second': htmlPage('The second page of the site', '/'),
    '/slow': (_request, response) => {
      slowOpen += 1;
      response.once('close', () => {
        slowOpen -= 1;
      });
      const answer = (): void => void response.end(htmlPage('A page that takes its time', '/', '/second'));
      if (kept) kept.push(answer);
      else answer();
    },
  });
});
afterAll(() => site.close());

let work: Work;
let made: Product;
let ann: string;
beforeEach(async () => {
  kept = [];
  slowOpen = 0;
  made = await withAdmin();
  work = await openWork(made);
  ann = await userOf(made);
});
afterEach(() => work.close());

const kindOn = (store: EventStore = made.store, analyst: Analyst = createRulesAnalyst()): WorkKind =>
  auditKind(auditDeps(made, site.host, { store, analyst }), { parallel: 4, random: () => 0.5 });

async function submitted(path = '/', userId = ann): Promise<string> {
  const input = {
    userId,
    sites: [{ url: `${site.origin}${path}`, host: site.host }],
    bounds: { maxPages: 10, maxMs: 60_000 },
    freeAnalyses: 100,
  };
  return (await submitJobs(made.context(), input)).jobIds[0] ?? '';
}

async function eventsOf(jobId: string) {
  const read = await made.store.read(jobStream(jobId));
  return read.status === 'found' ? read.events : [];
}
const lastOf = async (jobId: string) => (await eventsOf(jobId)).at(-1);
const isDone = () => until(async () => (await work.listed(AUDIT)).length === 0, 'the end of all audits');

/** Stops before its first question, until it is released. */
function waitingAnalyst() {
  const rules = createRulesAnalyst();
  let asked = 0;
  let goOn = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const analyst: Analyst = {
    ...rules,
    async analyse(...input) {
      asked += 1;
      await gate;
      return rules.analyse(...input);
    },
  };
  return { analyst, asked: () => asked, goOn: () => goOn() };
}

describe('an audit', () => {
  it('is pending from its submission to its end', async () => {
    const jobId = await submitted();
    expect(await work.item(AUDIT, jobId)).toMatchObject({
      lane: ann,
      opener: { stream: jobStream(jobId), revision: '0', type: 'JobSubmitted' },
    });
    work.start([kindOn()]);
    await isDone();
    expect(await lastOf(jobId)).toMatchObject({ type: 'JobCompleted', data: { userId: ann } });
    await work.pass(6);
    expect(await work.claim(AUDIT, jobId)).toBeUndefined();
  });

  it('that fails because of its site ends at its first attempt', async () => {
    const jobId = await submitted('/missing');
    work.start([kindOn()]);
    await isDone();
    expect(await lastOf(jobId)).toMatchObject({ type: 'JobFailed', data: { code: 'SITE_HTTP_ERROR', userId: ann } });
    expect((await eventsOf(jobId)).filter(({ type }) => type === 'JobStarted')).toHaveLength(1);
  });

  it('runs beside at most one other of its user, in all processes together, and delays nobody else', async () => {
    const jobIds: string[] = [];
    for (let nth = 0; nth < 4; nth += 1) jobIds.push(await submitted('/slow'));
    const other = await submitted('/slow', await userOf(made, 'ben@example.com'));
    for (const holder of ['one', 'two']) work.start([kindOn()], { holder });
    await until(() => slowOpen === 3);
    await work.settle();
    const started = async () =>
      (await made.log())
        .filter(({ type }) => type === 'JobStarted')
        .map(({ data }) => (data as { jobId: string }).jobId);
    expect((await started()).sort()).toEqual([...jobIds.slice(0, 2), other].sort());
    answerSlow();
    await isDone();
    expect(await started()).toHaveLength(5);
  });

  it('that is cancelled or deleted is no longer pending, and its worker stops at once', async () => {
    const runner = work.start([kindOn()]);
    const running = await submitted('/slow');
    await until(() => slowOpen === 1);
    await cancelJob(made.context(), { jobId: running });
    runner.interrupt(AUDIT, running, 'JobCancelled');
    await until(() => runner.state()[0]?.running === 0 && slowOpen === 0);
    expect((await lastOf(running))?.type).toBe('JobCancelled');
    expect(await work.listed(AUDIT)).toEqual([]);
    await runner.stop();

    const waiting = await submitted();
    await cancelJob(made.context(), { jobId: waiting });
    await deleteJob(made.context(), { jobId: waiting });
    expect(await work.listed(AUDIT)).toEqual([]);
    work.start([kindOn()], { holder: 'two' });
    await work.pass(5);
    expect((await eventsOf(waiting)).map(({ type }) => type)).not.toContain('JobStarted');
  });
});

describe('an audit of a slow site', () => {
  // Each page is asked once, so that one that was lost would be seen.
  const deps = () => ({ ...auditDeps(made, site.host), askAsOthers: false });
  const kind = (): WorkKind => auditKind(deps(), { parallel: 1, random: () => 0.5 });
  const typesOf = async (jobId: string) => (await eventsOf(jobId)).map(({ type, data }) => ({ type, data }));
  const givenUp = async (jobId: string) =>
    (await typesOf(jobId)).filter(({ type, data }) => type === 'JobQueued' && 'slowSite' in data).length;
  const oneSlow = async (): Promise<string> => {
    site.pages['/both'] = htmlPage('A page with two links', '/quick', '/slow');
    site.pages['/quick'] = htmlPage('A page that answers', '/both');
    const jobId = await submitted('/both');
    await until(() => slowOpen === 1 && site.requests.includes('GET /quick'));
    return jobId;
  };
  const another = async (nth = 0): Promise<string> => submitted('/', await userOf(made, `user${nth}@example.com`));
  const isCompleted = async (jobId: string) => (await lastOf(jobId))?.type === 'JobCompleted';

  it('gives its slot to one that waits, and goes on afterwards without losing a page or an attempt', async () => {
    const runner = work.start([kind()]);
    const slow = await oneSlow();
    await work.pass(20);
    expect(await givenUp(slow)).toBe(0);
    const other = await another();
    await until(async () => (await givenUp(slow)) === 1);
    expect(slowOpen).toBe(0);
    await runner.stop();
    // Time without a slot does not count.
    await work.pass(100);
    expect(await work.claim(AUDIT, slow)).toMatchObject({ attempts: 0, vanishings: 0 });
    work.start([kind()], { holder: 'two' });
    await until(() => isCompleted(other));
    await until(() => slowOpen === 1);
    answerSlow();
    await isDone();
    expect(await isCompleted(slow)).toBe(true);
    expect(site.requests.filter((request) => request === 'GET /quick')).toHaveLength(1);
    const starts = (await typesOf(slow)).filter(({ type }) => type === 'JobStarted');
    expect(starts.map(({ data }) => data)).toMatchObject([{ attempt: 1 }, { attempt: 2, afterSlowSite: true }]);
  });

  it('keeps its slot after it has given it up three times, until its time with a slot is over', async () => {
    work.start([kind()]);
    const slow = await oneSlow();
    for (let nth = 1; nth <= 3; nth += 1) {
      const other = await another(nth);
      await work.pass(15);
      await until(async () => (await givenUp(slow)) === nth);
      await work.pass(2);
      await until(() => isCompleted(other));
      await until(() => slowOpen === 1, `the slot after ${nth}`);
    }
    await another(4);
    await work.pass(20);
    answerSlow();
    await isDone();
    expect(await givenUp(slow)).toBe(3);
    expect(await lastOf(slow)).toMatchObject({ type: 'JobPartiallyCompleted' });
  });
});

describe('an audit’s worker', () => {
  it('that vanishes is replaced by another, which continues after the last ended step', async () => {
    const { analyst, asked, goOn } = waitingAnalyst();
    const dying = work.startMortal((store) => [kindOn(store, analyst)], 'one');
    const jobId = await submitted();
    await until(() => asked() === 1);
    const vanished = dying.vanish();
    goOn();
    await vanished;
    const before = await eventsOf(jobId);
    expect(before.at(-1)?.type).toBe('JobStepStarted');
    const requests = site.requests.length;
    work.start([kindOn()], { holder: 'two' });
    await isDone();
    expect(site.requests).toHaveLength(requests);
    const events = await eventsOf(jobId);
    expect(
      events.filter(({ type }) => type === 'JobStarted').map(({ data }) => (data as { attempt: number }).attempt),
    ).toEqual([1, 2]);
    expect(
      events.filter(({ type }) => type === 'JobStepEnded').map(({ data }) => (data as { step: string }).step),
    ).toEqual([...JOB_STEPS]);
    expect(events.at(-1)?.type).toBe('JobCompleted');
  });

  it('that resumes after another has taken the audit writes nothing', async () => {
    const { analyst, asked, goOn } = waitingAnalyst();
    let held = true;
    const stopped = work.start([kindOn(made.store, analyst)], { holder: 'one', held: () => held });
    const jobId = await submitted();
    await until(() => asked() === 1);
    held = false;
    await work.readModels.claims.vacate('one');
    work.start([kindOn()], { holder: 'two' });
    await isDone();
    const events = await eventsOf(jobId);
    expect(events.at(-1)?.type).toBe('JobCompleted');
    goOn();
    await stopped.stop();
    expect(await eventsOf(jobId)).toEqual(events);
    expect((await made.types('plan-')).filter((type) => type === 'PlanGenerated')).toHaveLength(1);
  });

  it('that stops in order hands it on without counting an attempt', async () => {
    const first = work.start([kindOn()], { holder: 'one' });
    const jobId = await submitted('/slow');
    await until(() => slowOpen === 1);
    await first.stop();
    expect(slowOpen).toBe(0);
    expect(await work.claim(AUDIT, jobId)).toMatchObject({ holder: null, attempts: 0, vanishings: 0, vanished: false });
    work.start([kindOn()], { holder: 'two' });
    await until(() => slowOpen === 1);
    answerSlow();
    await isDone();
    expect((await lastOf(jobId))?.type).toBe('JobCompleted');
  });

  it('that fails five times gives it up by an event', async () => {
    let tries = 0;
    const analyst: Analyst = {
      ...createRulesAnalyst(),
      analyse: () => {
        tries += 1;
        return Promise.reject(new Error('the process is short of memory'));
      },
    };
    work.start([kindOn(made.store, analyst)]);
    const jobId = await submitted();
    for (let failed = 1; failed < 5; failed += 1) {
      await until(async () => (await work.claim(AUDIT, jobId))?.attempts === failed, `try ${failed}`);
      await work.settle();
      expect(tries).toBe(failed);
      made.pass(1);
    }
    await isDone();
    expect(tries).toBe(5);
    expect(await lastOf(jobId)).toMatchObject({
      type: 'JobFailed',
      data: { code: 'INTERNAL', reason: GIVEN_UP, userId: ann },
    });
    made.pass(60);
    await work.settle();
    expect(tries).toBe(5);
  });
});
