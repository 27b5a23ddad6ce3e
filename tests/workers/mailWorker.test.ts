import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { askPasswordReset } from '../../src/commands/askPasswordReset.ts';
import { deleteJob } from '../../src/commands/deleteJob.ts';
import { keepLastOnly } from '../../src/commands/keepLastOnly.ts';
import { reconcileReservations } from '../../src/commands/reconcileReservations.ts';
import { setMailChoice, unsubscribe } from '../../src/commands/setMailChoice.ts';
import { submitJobs } from '../../src/commands/submitJobs.ts';
import type { JobEvent } from '../../src/domain/job/events.ts';
import type { EventStore, RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { type Mail, type Mailer, MailRefused } from '../../src/integrations/mailer/mailer.ts';
import { deliverMail } from '../../src/workers/mails/deliverMail.ts';
import { type MailWorker, startMailWorker } from '../../src/workers/mailWorker.ts';
import { actionItem } from '../given/analysis.ts';
import { atEveryCrash, crashingStore, orCrash, type Product, userOf, withAdmin } from '../given/commands.ts';

const started: MailWorker[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.stop();
});

/** Takes every mail, unless it is told to fail. */
function fakeMailer(failures: (Error | 'after')[] = []) {
  const sent: Mail[] = [];
  const forgotten: string[] = [];
  const waiting = new Set<() => void>();
  const mailer: Mailer = {
    send: async (mail) => {
      const failure = failures.shift();
      if (failure instanceof Error) throw failure;
      sent.push(mail);
      for (const wake of waiting) wake();
      if (failure === 'after') throw new Error('the answer was lost');
    },
    forget: async (userId) => {
      forgotten.push(userId);
      for (const wake of waiting) wake();
    },
    close: async () => undefined,
  };
  const until = async (met: () => boolean): Promise<void> => {
    while (!met()) await new Promise<void>((resolve) => waiting.add(resolve));
  };
  return { mailer, sent, forgotten, until };
}

const surroundings = { appUrl: 'https://seo.example.com', supportEmail: 'help@example.com' };
function depsOf(made: Product, mailer: Mailer | null, store: EventStore = made.store) {
  let drawn = 0;
  const newToken = () => {
    drawn += 1;
    return `secret${String(drawn).padStart(37, '0')}`;
  };
  return { ...surroundings, mailer, now: made.now, newToken, context: () => made.context(randomUUID(), store) };
}
function start(made: Product, mailer: Mailer | null, store = made.store): MailWorker {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const worker = startMailWorker({ ...depsOf(made, mailer, store), store, log, backoff: () => 5 });
  started.push(worker);
  return worker;
}

async function append(made: Product, stream: string, ...events: readonly { readonly type: string; readonly data: object }[]): Promise<void> {
  const metadata = { actor: 'worker:test', at: made.now() };
  await made.store.append(
    stream,
    events.map((event) => ({ id: randomUUID(), ...event, metadata })),
    { expected: 'any' },
  );
}

async function finishedJob(made: Product, userId: string, end: JobEvent['type'] = 'JobCompleted'): Promise<string> {
  const jobId = randomUUID();
  const site = { url: 'https://www.example.org/', host: 'www.example.org' };
  const data = { jobId, userId, ...site, access: 'full', submittedAt: made.now(), bounds: BOUNDS };
  await append(made, `job-${jobId}`, { type: 'JobSubmitted', data });
  await endJob(made, { userId, jobId, end });
  return jobId;
}

const BOUNDS = { maxPages: 5, maxMs: 1_000 };

/** A batch as the product takes it in. */
async function batch(made: Product, userId: string, ...hosts: readonly string[]): Promise<readonly string[]> {
  const sites = hosts.map((host) => ({ host, url: `https://${host}/` }));
  return (await submitJobs(made.context(), { userId, sites, bounds: BOUNDS, freeAnalyses: 20 })).jobIds;
}

async function endJob(made: Product, { userId, jobId, end = 'JobCompleted', score = 82 }: Ending): Promise<void> {
  const items = [
    actionItem('low', { impact: 'low' }),
    actionItem('first', { impact: 'high', title: 'Give <b>every</b> page a title', timeEstimate: 45 }),
    actionItem('second', { impact: 'high' }),
    actionItem('middle', { impact: 'medium' }),
  ];
  await append(made, `plan-${jobId}`, { type: 'PlanGenerated', data: { jobId, userId, by: 'rules', count: 4, items, generatedAt: made.now() } });
  await append(
    made,
    `job-${jobId}`,
    { type: 'JobStarted', data: { jobId, attempt: 1, startedAt: made.now() } },
    { type: 'JobReportReady', data: { jobId, score, pagesAudited: 3, findings: 9, highImpact: 2, files: [], readyAt: made.now() } },
    { type: end, data: { jobId, completedAt: made.now(), reason: 'r', code: 'X', failedAt: made.now() } },
  );
}
type Ending = { readonly userId: string; readonly jobId: string; readonly end?: JobEvent['type']; readonly score?: number };

/** The log as it would stand if reservations had been written before they named their batch. */
function withoutBatchIds(store: EventStore): EventStore {
  const old = (event: RecordedEvent): RecordedEvent => {
    const { batchId: _, ...data } = event.data as { readonly batchId?: string };
    return event.type === 'AnalysisReserved' ? { ...event, data } : event;
  };
  return Object.assign(Object.create(store) as EventStore, {
    read: async (...input: Parameters<EventStore['read']>) => {
      const read = await store.read(...input);
      return read.status === 'found' ? { ...read, events: read.events.map(old) } : read;
    },
  });
}

const lastEvent = async (made: Product, type: string) => (await made.log()).findLast((event) => event.type === type)!;
const ledger = async (made: Product) => made.types('mail-');

describe('the mail when a job is done', () => {
  it('says host, score and the three top items, leads to them, and can be turned off with one click', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent, until } = fakeMailer();
    start(made, mailer);
    const jobId = await finishedJob(made, ann);
    await until(() => sent.length === 1);
    const [mail] = sent as [Mail];
    expect([mail.to, mail.subject]).toEqual(['ann@example.com', 'example.org: 82 of 100, your SEO report is ready']);
    const order = ['Give <b>every</b> page a title', 'Fix second', 'Fix middle'].map((title) => mail.text.indexOf(title));
    expect(order.every((place, nth) => place > (order[nth - 1] ?? 0))).toBe(true);
    expect(mail.text).not.toContain('Fix low');
    expect(mail.text).toContain(`https://seo.example.com/dashboard/actions?domain=www.example.org&jobId=${jobId}`);
    expect(mail.html).toContain('Give &lt;b&gt;every&lt;/b&gt; page a title');
    expect(mail.html).not.toContain('<b>every');
    expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const link = /<(.*)>/.exec(mail.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
    expect(mail.text).toContain(link);

    await unsubscribe(made.context(), { token: new URL(link).searchParams.get('token') ?? '' });
    await finishedJob(made, ann);
    const bob = await userOf(made, 'bob@example.com');
    await finishedJob(made, bob);
    await until(() => sent.length === 2);
    expect(sent.map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com']);
  });

  it.each(['JobPartiallyCompleted', 'JobPartiallySucceeded'] as const)('comes after %s too', async (end) => {
    const made = await withAdmin();
    const { mailer, sent } = fakeMailer();
    await finishedJob(made, await userOf(made), end);
    expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, end))).toBe('sent');
    expect(sent).toHaveLength(1);
  });

  it('does not come for a job that was deleted, nor to an account that is gone or wants none, nor a day late', async () => {
    const made = await withAdmin();
    const { mailer, sent } = fakeMailer();
    const deliver = async () => deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobCompleted'));
    const ann = await userOf(made);
    await deleteJob(made.context(), { jobId: await finishedJob(made, ann) });
    expect(await deliver()).toBe('dropped');
    await finishedJob(made, ann);
    await setMailChoice(made.context(), { userId: ann, mail: 'job_done', wanted: false });
    expect(await deliver()).toBe('dropped');
    await setMailChoice(made.context(), { userId: ann, mail: 'job_done', wanted: true });
    expect(await deliver()).toBe('done_before');
    await finishedJob(made, ann);
    await append(made, `account-${ann}`, { type: 'AccountDeleted', data: { userId: ann, deletedAt: made.now() } });
    expect(await deliver()).toBe('dropped');
    const bob = await userOf(made, 'bob@example.com');
    await finishedJob(made, bob);
    made.pass(24 * 60 + 1);
    expect(await deliver()).toBe('no_mail');
    expect(sent).toEqual([]);
  });

  it('is turned off by its own link alone', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    await finishedJob(made, ann);
    await deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobCompleted'));
    const token = new URL(/<(.*)>/.exec(sent[0]?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '').searchParams.get('token') ?? '';
    const [mailId = ''] = token.split('.');
    for (const wrong of ['', 'x', mailId, `${mailId}.${'A'.repeat(43)}`, `${randomUUID()}.${token.split('.')[1]}`])
      await expect(unsubscribe(made.context(), { token: wrong }), wrong).rejects.toMatchObject({ code: 'UNSUBSCRIBE_INVALID' });
    await unsubscribe(made.context(), { token });
    await unsubscribe(made.context(), { token });
    expect(await made.types(`account-${ann}`)).toEqual(['AccountRegistered', 'AccountMailChoiceSet']);
    expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain('secret0');
  });
});

describe('the mail when a batch is done', () => {
  const subjects = (sent: readonly Mail[]) => sent.map(({ subject }) => subject);
  /** The events that end jobs, as the log has them. */
  const ends = async (made: Product) => (await made.log()).filter(({ type }) => /^Job(Completed|Failed|Cancelled)$/.test(type));

  it('is one for all of it: each score with its link, and the first things to do', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent, until } = fakeMailer();
    start(made, mailer);
    const [first, second, third] = (await batch(made, ann, 'www.one.example', 'two.example', 'three.example')) as [string, string, string];
    await endJob(made, { userId: ann, jobId: second, score: 40 });
    await endJob(made, { userId: ann, jobId: third, end: 'JobFailed' });
    await endJob(made, { userId: ann, jobId: first, score: 90 });
    await until(() => sent.length === 1);
    const [mail] = sent as [Mail];
    expect(mail.subject).toBe('3 analyses are done: one.example and 2 more');
    const order = [
      'Your 3 analyses are done',
      '1. one.example: 90 of 100',
      '2. two.example: 40 of 100',
      '3. three.example: failed',
      'The first 3 of 12 things to do',
    ];
    const places = order.map((text) => mail.text.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(mail.text).toContain(`4 things to do\n   https://seo.example.com/dashboard/actions?domain=two.example&jobId=${second}\n`);
    expect(mail.text).toContain('one.example: High impact, about 45 min');
    expect(mail.html).toContain(`jobId=${first}" style`);
    expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
  });

  it.each([
    ['in their order', [0, 1, 2]],
    ['backward', [2, 1, 0]],
    ['mixed', [1, 2, 0]],
  ])('leaves once, whenever which end is told: %s', async (_, told) => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    for (const jobId of await batch(made, ann, 'one.example', 'two.example', 'three.example')) await endJob(made, { userId: ann, jobId });
    const events = await ends(made);
    const deliverAll = () => Promise.all(told.map((nth) => deliverMail(depsOf(made, mailer), events[nth]!)));
    expect((await deliverAll()).filter((outcome) => outcome === 'sent')).toHaveLength(1);
    expect(new Set(await deliverAll())).toEqual(new Set(['no_mail', 'done_before']));
    expect(subjects(sent)).toEqual(['3 analyses are done: one.example and 2 more']);
  });

  it('comes when the last one fails or is cancelled, not when nothing came of any', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    for (const end of ['JobFailed', 'JobCancelled'] as const) {
      const [first, second] = (await batch(made, ann, 'one.example', 'two.example')) as [string, string];
      await endJob(made, { userId: ann, jobId: first });
      // The other one is under way: its end comes later, and will tell.
      expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobCompleted'))).toBe('no_mail');
      await endJob(made, { userId: ann, jobId: second, end });
      expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, end))).toBe('sent');
    }
    for (const jobId of await batch(made, ann, 'one.example', 'two.example')) await endJob(made, { userId: ann, jobId, end: 'JobFailed' });
    expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobFailed'))).toBe('no_mail');
    await finishedJob(made, ann, 'JobFailed');
    expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobFailed'))).toBe('no_mail');
    expect(subjects(sent)).toEqual(Array(2).fill('2 analyses are done: one.example and two.example'));
  });

  it('of two batches and a single one that run at once keeps them apart', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent, until } = fakeMailer();
    start(made, mailer);
    const [one, two] = (await batch(made, ann, 'a.example', 'b.example')) as [string, string];
    const [three, four] = (await batch(made, ann, 'c.example', 'd.example')) as [string, string];
    await endJob(made, { userId: ann, jobId: three });
    await endJob(made, { userId: ann, jobId: one });
    await finishedJob(made, ann);
    await until(() => sent.length === 1);
    await endJob(made, { userId: ann, jobId: two });
    await endJob(made, { userId: ann, jobId: four });
    await until(() => sent.length === 3);
    expect(subjects(sent).sort()).toEqual([
      '2 analyses are done: a.example and b.example',
      '2 analyses are done: c.example and d.example',
      'example.org: 82 of 100, your SEO report is ready',
    ]);
  });

  it('leaves out what was deleted meanwhile', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const [first, second] = (await batch(made, ann, 'one.example', 'two.example')) as [string, string];
    await endJob(made, { userId: ann, jobId: first });
    await endJob(made, { userId: ann, jobId: second });
    await deleteJob(made.context(), { jobId: second });
    expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobCompleted'))).toBe('sent');
    expect(subjects(sent)).toEqual(['one.example: 82 of 100, your SEO report is ready']);
  });

  it('whose submission broke off waits for what may yet come, and leaves when that is given up', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const deaf = Object.assign(Object.create(made.store) as EventStore, { consume: async function* () {} });
    const worker = start(made, mailer, deaf);
    const sites = ['one.example', 'two.example'].map((host) => ({ host, url: `https://${host}/` }));
    // The reservation and the first job are written; then the process dies.
    await orCrash(submitJobs({ ...made.context('broken'), store: crashingStore(made.store, 2, 'after') }, { userId: ann, sites, bounds: BOUNDS }));
    const { jobId } = (await lastEvent(made, 'JobSubmitted')).data as { jobId: string };
    await endJob(made, { userId: ann, jobId });
    made.pass(6);
    expect(await worker.resend()).toBe(0);
    made.pass(6);
    const reserved = (await made.log())
      .filter(({ type }) => type === 'AnalysisReserved')
      .map(({ data }) => ({ data: data as { jobId: string; userId: string } }));
    await reconcileReservations(made.context(), { listOpen: async () => ({ documents: reserved, cursor: null }) });
    expect(await worker.resend()).toBe(1);
    expect(subjects(sent)).toEqual(['one.example: 82 of 100, your SEO report is ready']);
    expect(await worker.resend()).toBe(0);
  });

  it('waits only for what has not been submitted, and not beside one that is under way', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const sites = ['one.example', 'two.example', 'three.example'].map((host) => ({ host, url: `https://${host}/` }));
    const submit = (store: EventStore) => submitJobs({ ...made.context('broken'), store }, { userId: ann, sites, bounds: BOUNDS });
    await orCrash(submit(crashingStore(made.store, 3, 'after')));
    const [first, second] = (await made.log()).filter(({ type }) => type === 'JobSubmitted').map(({ data }) => (data as { jobId: string }).jobId);
    const deliver = async () => deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobCompleted'));
    await endJob(made, { userId: ann, jobId: first ?? '' });
    expect(await deliver()).toBe('no_mail');
    await endJob(made, { userId: ann, jobId: second ?? '' });
    expect(await deliver()).toBe('waits');
    const third = (await submit(made.store)).jobIds[2] ?? '';
    expect(await deliver()).toBe('no_mail');
    await endJob(made, { userId: ann, jobId: third });
    expect(await deliver()).toBe('sent');
    expect(subjects(sent)).toEqual(['3 analyses are done: one.example and 2 more']);
  });

  it('passes over what was erased with its account’s other jobs', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const [first, second] = (await batch(made, ann, 'one.example', 'two.example')) as [string, string];
    for (const jobId of [second, first]) await endJob(made, { userId: ann, jobId });
    await deleteJob(made.context(), { jobId: second });
    await keepLastOnly(made.store, `job-${second}`);
    expect(await deliverMail(depsOf(made, mailer), await lastEvent(made, 'JobCompleted'))).toBe('sent');
    expect(subjects(sent)).toEqual(['one.example: 82 of 100, your SEO report is ready']);
  });

  it('is one for all of a batch of an old log, whose reservations do not name it', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const jobIds = await batch(made, ann, 'one.example', 'two.example');
    await batch(made, ann, 'three.example', 'four.example');
    const old = withoutBatchIds(made.store);
    for (const jobId of jobIds) await endJob(made, { userId: ann, jobId });
    const [first, last] = (await ends(made)) as [RecordedEvent, RecordedEvent];
    expect(await deliverMail(depsOf(made, mailer, old), first)).toBe('no_mail');
    expect(await deliverMail(depsOf(made, mailer, old), last)).toBe('sent');
    expect(subjects(sent)).toEqual(['2 analyses are done: one.example and two.example']);
  });

  it('has the same id when it goes out again after a crash', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const { mailer, sent } = fakeMailer();
      for (const jobId of await batch(made, ann, 'one.example', 'two.example')) await endJob(made, { userId: ann, jobId });
      const event = await lastEvent(made, 'JobCompleted');
      await orCrash(deliverMail(depsOf(made, mailer, breaking(made.store)), event));
      await deliverMail(depsOf(made, mailer), event);
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    });
  });
});

describe('the mail about a webhook', () => {
  const disabled = (userId: string, endpointId: string, reason: string, made: Product) =>
    append(made, `webhooks-${userId}`, { type: 'WebhookDisabled', data: { endpointId, userId, reason, disabledAt: made.now() } });
  const added = (userId: string, endpointId: string, made: Product) => {
    const data = { endpointId, userId, url: 'https://hooks.example.com/secret/path', events: ['job.completed'], addedAt: made.now() };
    return append(made, `webhooks-${userId}`, { type: 'WebhookAdded', data });
  };

  it('comes when it was switched off for failing, not when its owner did it, nor when it is gone', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const deliver = async () => deliverMail(depsOf(made, mailer), await lastEvent(made, 'WebhookDisabled'));
    await added(ann, 'one', made);
    await disabled(ann, 'one', 'owner', made);
    expect(await deliver()).toBe('no_mail');
    await disabled(ann, 'one', 'failing', made);
    expect(await deliver()).toBe('sent');
    expect(await deliver()).toBe('done_before');
    await disabled(ann, 'gone', 'failing', made);
    expect(await deliver()).toBe('dropped');
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([['ann@example.com', 'Your webhook to hooks.example.com was turned off']]);
    expect(sent[0]?.text).toContain('https://seo.example.com/account/api');
    expect(`${sent[0]?.text} ${sent[0]?.html}`).not.toContain('secret/path');
  });
});

describe('each mail', () => {
  it('is sent once, however often its event comes and the worker starts anew', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent, until } = fakeMailer();
    const first = start(made, mailer);
    await finishedJob(made, ann);
    await until(() => sent.length === 1);
    await first.stop();
    const event = await lastEvent(made, 'JobCompleted');
    for (let nth = 0; nth < 3; nth += 1) expect(await deliverMail(depsOf(made, mailer), event)).toBe('done_before');
    made.pass(10);
    expect(await start(made, mailer).resend()).toBe(0);
    expect(sent).toHaveLength(1);
    expect(await ledger(made)).toEqual(['MailPrepared', 'MailSent']);
  });

  it('has the same id when it goes out again after a crash, at whatever moment', async () => {
    const counts: number[] = [];
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      await finishedJob(made, ann);
      const { mailer, sent } = fakeMailer();
      const event = await lastEvent(made, 'JobCompleted');
      await orCrash(deliverMail(depsOf(made, mailer, breaking(made.store)), event));
      await deliverMail(depsOf(made, mailer), event);
      counts.push(sent.length);
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
      // Either of the two may have arrived, and its link must work.
      for (const mail of sent) {
        const link = new URL(/<(.*)>/.exec(mail.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '');
        await expect(unsubscribe(made.context(), { token: link.searchParams.get('token') ?? '' })).resolves.toBeDefined();
      }
    });
    // Twice only when the process died between the server's answer and the record of it.
    expect(counts.filter((count) => count === 2)).toHaveLength(1);
    expect(Math.min(...counts)).toBe(1);
  });

  it('is tried again when the mail server is busy, and given up when it refuses', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const busy = fakeMailer([new Error('421 try later'), new Error('connection lost')]);
    start(made, busy.mailer);
    await finishedJob(made, ann);
    await busy.until(() => busy.sent.length === 1);
    const other = await withAdmin();
    const refusing = fakeMailer([new MailRefused('no such user')]);
    await finishedJob(other, await userOf(other));
    const event = await lastEvent(other, 'JobCompleted');
    expect(await deliverMail(depsOf(other, refusing.mailer), event)).toBe('dropped');
    expect(await deliverMail(depsOf(other, refusing.mailer), event)).toBe('done_before');
    expect(refusing.sent).toEqual([]);
  });

  it('whose delivery was lost is found by the next round, not before its time', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = fakeMailer();
    const deaf = Object.assign(Object.create(made.store) as EventStore, { consume: async function* () {} });
    const worker = start(made, mailer, deaf);
    await finishedJob(made, ann);
    await askPasswordReset(made.context(), { email: 'ann@example.com' });
    made.pass(4);
    expect(await worker.resend()).toBe(0);
    made.pass(2);
    expect(await worker.resend()).toBe(2);
    expect(await worker.resend()).toBe(0);
    expect(sent.map(({ subject }) => subject).sort()).toEqual(['Reset your SEO Workbench password', 'example.org: 82 of 100, your SEO report is ready']);
  });

  it('is dropped where there is no way to send it', async () => {
    const made = await withAdmin();
    await finishedJob(made, await userOf(made));
    expect(await deliverMail(depsOf(made, null), await lastEvent(made, 'JobCompleted'))).toBe('dropped');
    expect((await made.log()).at(-1)?.data).toMatchObject({ reason: 'no_mailer' });
  });

  it('leaves no address and no text in the log', async () => {
    const made = await withAdmin();
    await finishedJob(made, await userOf(made));
    await deliverMail(depsOf(made, fakeMailer().mailer), await lastEvent(made, 'JobCompleted'));
    const kept = JSON.stringify((await made.log()).filter(({ type }) => type.startsWith('Mail')).map(({ data, stream }) => ({ data, stream })));
    for (const part of ['ann', 'example.org', 'title']) expect(kept).not.toContain(part);
  });
});

it('what is kept of a user’s mails goes with the account', async () => {
  const made = await withAdmin();
  const ann = await userOf(made);
  const { mailer, forgotten, until } = fakeMailer();
  start(made, mailer);
  await append(made, `account-${ann}`, { type: 'AccountDeleted', data: { userId: ann, deletedAt: made.now() } });
  await until(() => forgotten.length === 1);
  expect(forgotten).toEqual([ann]);
});
