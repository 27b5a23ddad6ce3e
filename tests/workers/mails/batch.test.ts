/** Jobs submitted together: one email covers all of them, whichever ends last. */

import { describe, expect, it } from 'vitest';
import { handle } from '../../../src/commands/handle.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { keepLastOnly } from '../../../src/commands/keepLastOnly.ts';
import { billingDecider } from '../../../src/domain/billing/decide.ts';
import { billingStream } from '../../../src/domain/billing/events.ts';
import { jobStream } from '../../../src/domain/job/events.ts';
import type { EventStore, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import type { Mail } from '../../../src/integrations/mailer/mailer.ts';
import { atEveryCrash, crashingStore, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import {
  BOUNDS,
  batch,
  deliver,
  deliveryDeps,
  endJob,
  finishedJob,
  lastEvent,
  receivingMailer,
} from '../../given/work/mailDelivery.ts';

const subjects = (sent: readonly Mail[]) => sent.map(({ subject }) => subject);
/** The events that end jobs, as in the log. */
const ends = async (made: Product) =>
  (await made.log()).filter(({ type }) => /^Job(Completed|Failed|Cancelled)$/.test(type));

/** The log as it would be if reservations had been written before they named their batch. */
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

describe('the email about a finished batch', () => {
  it('is one for all of it: each score with its link, and the most important action items', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const [first, second, third] = (await batch(
      made,
      ann,
      'www.xn--bcher-kva.example',
      'two.example',
      'three.example',
    )) as [string, string, string];
    await endJob(made, { userId: ann, jobId: second, score: 40 });
    await endJob(made, { userId: ann, jobId: third, end: 'JobFailed' });
    await endJob(made, { userId: ann, jobId: first, score: 90 });
    for (const end of await ends(made)) await deliver(made, deliveryDeps(made, mailer), end);
    expect(sent).toHaveLength(1);
    const [mail] = sent as [Mail];
    expect(mail.subject).toBe('3 audits are done: bücher.example and 2 more');
    const order = [
      'Your 3 audits are done',
      '1. bücher.example: 90 of 100',
      '2. two.example: 40 of 100',
      '3. three.example: failed',
      'Top 3 of 12 tasks',
    ];
    const places = order.map((text) => mail.text.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(mail.text).toContain(
      `4 tasks\n   https://seo.example.com/dashboard/actions?domain=two.example&jobId=${second}\n`,
    );
    expect(mail.text).toContain('bücher.example: High impact, about 45 min');
    expect(mail.html).toContain(`jobId=${first}" style`);
    expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(mail.text).toContain('This didn’t count against your allowance.');
  });

  it('says what a failed audit gave back, by what had paid for it', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const pay = async (command: Parameters<typeof billingDecider.decide>[0]) =>
      handle(made.context(), billingDecider, billingStream(ann), command);
    await pay({ type: 'GrantCredits', userId: ann, grantId: 'gift', credits: 1, noteId: 'note-1', at: made.now() });
    await pay({
      type: 'AddFunds',
      userId: ann,
      paymentIntentId: 'pi_1',
      quantity: 2,
      amount: 10_000,
      funds: 10_000,
      currency: 'usd',
      at: made.now(),
    });
    const sites = ['one.example', 'two.example', 'three.example'].map((host) => ({ host, url: `https://${host}/` }));
    const price = { amount: 5_000, currency: 'usd' };
    const { jobIds } = await submitJobs(made.context(), { userId: ann, sites, bounds: BOUNDS, price });
    const [byCredit, byFunds, done] = jobIds as [string, string, string];
    await endJob(made, { userId: ann, jobId: byCredit, end: 'JobFailed' });
    await endJob(made, { userId: ann, jobId: byFunds, end: 'JobFailed' });
    await endJob(made, { userId: ann, jobId: done });
    await deliver(made, deliveryDeps(made, mailer), await lastEvent(made, 'JobCompleted'));
    expect(sent[0]?.text).toContain('one.example: failed\n   One credit was returned.');
    expect(sent[0]?.text).toContain('two.example: failed\n   $50.00 was returned to your funds.');
    expect(sent[0]?.text).not.toContain('allowance');
  });

  it('does not say that an audit was given back which was used up', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const [first = '', second = ''] = await batch(made, ann, 'one.example', 'two.example');
    await endJob(made, { userId: ann, jobId: first, end: 'JobCancelled' });
    await handle(made.context(), billingDecider, billingStream(ann), {
      type: 'ConsumeAnalysis',
      userId: ann,
      jobId: first,
      at: made.now(),
    });
    await endJob(made, { userId: ann, jobId: second });
    await deliver(made, deliveryDeps(made, mailer), await lastEvent(made, 'JobCompleted'));
    expect(sent[0]?.text).toContain('one.example: cancelled\n   There is no report.');
  });

  it('mentions no allowance where there is none', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const [first = '', second = ''] = await batch(made, ann, 'one.example', 'two.example');
    await endJob(made, { userId: ann, jobId: first });
    await endJob(made, { userId: ann, jobId: second, end: 'JobFailed' });
    const [end] = (await ends(made)).slice(-1);
    await deliver(made, { ...deliveryDeps(made, mailer), unlimited: true }, end!);
    expect(sent[0]?.text).toContain('There is no report.');
    expect(sent[0]?.text).not.toContain('allowance');
  });

  it.each([
    ['in their order', [0, 1, 2]],
    ['backward', [2, 1, 0]],
    ['mixed', [1, 2, 0]],
  ])('is sent once, whenever which end is processed: %s', async (_, delivered) => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    for (const jobId of await batch(made, ann, 'one.example', 'two.example', 'three.example'))
      await endJob(made, { userId: ann, jobId });
    const events = await ends(made);
    const deliverAll = async () => {
      const outcomes = await Promise.all(
        delivered.map((nth) => deliver(made, deliveryDeps(made, mailer), events[nth]!)),
      );
      return outcomes.sort();
    };
    for (let round = 0; round < 2; round += 1)
      expect(await deliverAll()).toEqual(['sent', 'told_together', 'told_together']);
    expect(subjects(sent)).toEqual(['3 audits are done: one.example and 2 more']);
  });

  it('is sent when the last one fails or is cancelled, not when none has a result', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const delivered = async (end: string) => deliver(made, deliveryDeps(made, mailer), await lastEvent(made, end));
    for (const end of ['JobFailed', 'JobCancelled'] as const) {
      const [first, second] = (await batch(made, ann, 'one.example', 'two.example')) as [string, string];
      await endJob(made, { userId: ann, jobId: first });
      // The other one is running: its end comes later, and sends the email.
      expect(await delivered('JobCompleted')).toBe('told_together');
      await endJob(made, { userId: ann, jobId: second, end });
      expect(await delivered(end)).toBe('sent');
    }
    for (const jobId of await batch(made, ann, 'one.example', 'two.example'))
      await endJob(made, { userId: ann, jobId, end: 'JobFailed' });
    expect(await delivered('JobFailed')).toBe('nothing_to_tell');
    await finishedJob(made, ann, 'JobFailed');
    expect(await delivered('JobFailed')).toBe('nothing_to_tell');
    expect(subjects(sent)).toEqual(Array(2).fill('2 audits are done: one.example and two.example'));
  });

  it('keeps two batches and a single job apart that run at once', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const deliverEach = async () => {
      for (const end of await ends(made)) await deliver(made, deliveryDeps(made, mailer), end);
    };
    const [one, two] = (await batch(made, ann, 'a.example', 'b.example')) as [string, string];
    const [three, four] = (await batch(made, ann, 'c.example', 'd.example')) as [string, string];
    await endJob(made, { userId: ann, jobId: three });
    await endJob(made, { userId: ann, jobId: one });
    await finishedJob(made, ann);
    await deliverEach();
    expect(subjects(sent)).toEqual(['example.org: 82 of 100, your SEO report is ready']);
    await endJob(made, { userId: ann, jobId: two });
    await endJob(made, { userId: ann, jobId: four });
    await deliverEach();
    expect(subjects(sent).slice(1)).toEqual([
      '2 audits are done: a.example and b.example',
      '2 audits are done: c.example and d.example',
    ]);
  });

  it('omits jobs deleted meanwhile', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const [first, second] = (await batch(made, ann, 'one.example', 'two.example')) as [string, string];
    await endJob(made, { userId: ann, jobId: first });
    await endJob(made, { userId: ann, jobId: second });
    await deleteJob(made.context(), { jobId: second });
    const outcomes: string[] = [];
    for (const end of await ends(made)) outcomes.push(await deliver(made, deliveryDeps(made, mailer), end));
    expect(outcomes).toEqual(['told_together', 'sent']);
    expect(subjects(sent)).toEqual(['one.example: 82 of 100, your SEO report is ready']);
  });

  it('whose submission broke off waits for further jobs, and is sent when the submission is given up', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const sites = ['one.example', 'two.example'].map((host) => ({ host, url: `https://${host}/` }));
    // The reservation and the first job are written; then the process crashes.
    await orCrash(
      submitJobs(
        { ...made.context('broken'), store: crashingStore(made.store, 2, 'after') },
        { userId: ann, sites, bounds: BOUNDS },
      ),
    );
    const { jobId } = (await lastEvent(made, 'JobSubmitted')).data as { jobId: string };
    await endJob(made, { userId: ann, jobId });
    const delivered = async () => deliver(made, deliveryDeps(made, mailer), await lastEvent(made, 'JobCompleted'));
    expect(await delivered()).toBe('waits');
    const reserved = (await made.log())
      .filter(({ type }) => type === 'AnalysisReserved')
      .map(({ data }) => (data as { jobId: string }).jobId);
    const missing = reserved.find((each) => each !== jobId) ?? '';
    const release = {
      type: 'ReleaseAnalysis',
      userId: ann,
      jobId: missing,
      reason: 'job_missing',
      at: made.now(),
    } as const;
    await handle(made.context(), billingDecider, billingStream(ann), release);
    expect([await delivered(), await delivered()]).toEqual(['sent', 'sent']);
    expect(subjects(sent)).toEqual(['one.example: 82 of 100, your SEO report is ready']);
  });

  it('waits only for jobs not yet submitted, and not if one is running', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const sites = ['one.example', 'two.example', 'three.example'].map((host) => ({ host, url: `https://${host}/` }));
    const submit = (store: EventStore) =>
      submitJobs({ ...made.context('broken'), store }, { userId: ann, sites, bounds: BOUNDS });
    await orCrash(submit(crashingStore(made.store, 3, 'after')));
    const [first, second] = (await made.log())
      .filter(({ type }) => type === 'JobSubmitted')
      .map(({ data }) => (data as { jobId: string }).jobId);
    const delivered = async () => deliver(made, deliveryDeps(made, mailer), await lastEvent(made, 'JobCompleted'));
    await endJob(made, { userId: ann, jobId: first ?? '' });
    expect(await delivered()).toBe('told_together');
    await endJob(made, { userId: ann, jobId: second ?? '' });
    expect(await delivered()).toBe('waits');
    const third = (await submit(made.store)).jobIds[2] ?? '';
    expect(await delivered()).toBe('told_together');
    await endJob(made, { userId: ann, jobId: third });
    expect(await delivered()).toBe('sent');
    expect(subjects(sent)).toEqual(['3 audits are done: one.example and 2 more']);
  });

  it('skips jobs that were erased with their account', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const [first, second] = (await batch(made, ann, 'one.example', 'two.example')) as [string, string];
    for (const jobId of [second, first]) await endJob(made, { userId: ann, jobId });
    await deleteJob(made.context(), { jobId: second });
    await keepLastOnly(made.store, jobStream(second));
    expect(await deliver(made, deliveryDeps(made, mailer), await lastEvent(made, 'JobCompleted'))).toBe('sent');
    expect(subjects(sent)).toEqual(['one.example: 82 of 100, your SEO report is ready']);
  });

  it('is one for a batch of an old log, whose reservations do not name it', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const jobIds = await batch(made, ann, 'one.example', 'two.example');
    await batch(made, ann, 'three.example', 'four.example');
    const deps = deliveryDeps(made, mailer, withoutBatchIds(made.store));
    for (const jobId of jobIds) await endJob(made, { userId: ann, jobId });
    const [first, last] = (await ends(made)) as [RecordedEvent, RecordedEvent];
    expect([await deliver(made, deps, first), await deliver(made, deps, last)]).toEqual(['told_together', 'sent']);
    expect(subjects(sent)).toEqual(['2 audits are done: one.example and two.example']);
  });

  it('has the same id when it is sent again after a crash', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      const ann = await userOf(made);
      const { mailer, sent } = receivingMailer();
      for (const jobId of await batch(made, ann, 'one.example', 'two.example'))
        await endJob(made, { userId: ann, jobId });
      const event = await lastEvent(made, 'JobCompleted');
      await orCrash(deliver(made, deliveryDeps(made, mailer, breaking(made.store)), event));
      expect(await deliver(made, deliveryDeps(made, mailer), event)).toBe('sent');
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    });
  });
});
