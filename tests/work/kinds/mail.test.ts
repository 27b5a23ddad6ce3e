/** Emails as work: from the event that causes one, through the list and a runner, to the event that settles it. */

import { afterEach, describe, expect, it } from 'vitest';
import { requestPasswordReset } from '../../../src/commands/account/requestPasswordReset.ts';
import { setMailChoice } from '../../../src/commands/account/setMailChoice.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { keepLastOnly } from '../../../src/commands/keepLastOnly.ts';
import { requestLogInMail } from '../../../src/commands/logIn/logInMail.ts';
import { mailIdOf } from '../../../src/commands/mail/mailOf.ts';
import { resendMail } from '../../../src/commands/mail/resendMail.ts';
import { dropWork } from '../../../src/commands/work/dropWork.ts';
import { jobStream } from '../../../src/domain/job/events.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { type Mailer, MailRefused } from '../../../src/integrations/mailer/mailer.ts';
import type { WorkKind } from '../../../src/work/kind.ts';
import { MAIL, mailKind } from '../../../src/work/kinds/mail.ts';
import { crashingStore, orCrash, userOf, withAdmin } from '../../given/commands.ts';
import {
  addedWebhook,
  append,
  BOUNDS,
  deliveryDeps,
  disabledWebhook,
  endJob,
  finishedJob,
  lastEvent,
  mailEvents,
  receivingMailer,
} from '../../given/work/mailDelivery.ts';
import { until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
afterEach(() => work.close());

const DAY_MINUTES = 24 * 60;

async function open(): Promise<{ readonly ann: string }> {
  work = await openWork(await withAdmin());
  return { ann: await userOf(work.made) };
}

const kindOf = (mailer: Mailer | null, store?: EventStore): WorkKind =>
  mailKind({ ...deliveryDeps(work.made, mailer, store), log: { info: () => undefined } }, { random: () => 0.5 });
const start = (mailer: Mailer | null, holder?: string) =>
  work.start([kindOf(mailer)], holder === undefined ? {} : { holder });
/** How the emails of the events of this type ended, in the order of those events. */
async function endsOf(type: string): Promise<readonly unknown[]> {
  const events = (await work.made.log()).filter((event) => event.type === type);
  const streams = await Promise.all(events.map((event) => mailEvents(work.made, event)));
  return streams.map(
    (stream) => (stream.at(-1)?.data as { reason?: string } | undefined)?.reason ?? stream.at(-1)?.type,
  );
}
const nothingPending = async () => expect(await work.listed(MAIL)).toEqual([]);

describe('an email', () => {
  it('is pending from the event that causes it until it was sent', async () => {
    const { ann } = await open();
    const { mailer, sent } = receivingMailer();
    await finishedJob(work.made, ann);
    const mailId = mailIdOf(await lastEvent(work.made, 'JobCompleted'));
    expect(await work.listed(MAIL)).toEqual([mailId]);
    expect(await work.item(MAIL, mailId ?? '')).toMatchObject({ lane: ann, openedAt: work.made.now() });
    start(mailer);
    await until(() => sent.length === 1);
    await nothingPending();
    await requestPasswordReset(work.made.context(), { email: 'ann@example.com' });
    await addedWebhook(work.made, ann, 'one');
    await disabledWebhook(work.made, ann, 'one', 'failing');
    await until(() => sent.length === 3);
    await nothingPending();
    expect(sent.map(({ subject }) => subject).sort()).toEqual([
      'Reset your SEO Workbench password',
      'Your webhook to hooks.example.com was turned off',
      'example.org: 82 of 100, your SEO report is ready',
    ]);
  });

  it('is not pending for what the owner of a webhook did', async () => {
    const { ann } = await open();
    await addedWebhook(work.made, ann, 'one');
    await disabledWebhook(work.made, ann, 'one', 'owner');
    await nothingPending();
  });

  it('is dropped when it is a day late, not before', async () => {
    const { ann } = await open();
    const { mailer, sent } = receivingMailer();
    await finishedJob(work.made, ann);
    work.made.pass(2);
    await finishedJob(work.made, ann);
    work.made.pass(DAY_MINUTES - 1);
    start(mailer);
    await until(async () => (await work.listed(MAIL)).length === 0);
    expect(sent).toHaveLength(1);
    expect(await endsOf('JobCompleted')).toEqual(['too_old', 'MailSent']);
  });

  it('is dropped where no email is sent, and when it is unwanted or has no recipient', async () => {
    const { ann } = await open();
    await finishedJob(work.made, ann);
    const runner = start(null);
    await until(async () => (await work.listed(MAIL)).length === 0);
    await runner.stop();
    const { mailer, sent } = receivingMailer();
    // Its content is erased; then all of it but the fact; then the recipient is gone.
    await deleteJob(work.made.context(), { jobId: await finishedJob(work.made, ann) });
    const jobId = await finishedJob(work.made, ann);
    await work.settle();
    await deleteJob(work.made.context(), { jobId });
    await keepLastOnly(work.made.store, jobStream(jobId));
    await finishedJob(work.made, ann);
    await append(work.made, `account-${ann}`, {
      type: 'AccountDeleted',
      data: { userId: ann, deletedAt: work.made.now() },
    });
    start(mailer);
    await until(async () => (await work.listed(MAIL)).length === 0);
    expect(sent).toEqual([]);
    const dropped = (await work.made.log()).filter(({ type }) => type === 'MailDropped');
    expect(dropped.map(({ data }) => (data as { reason: string }).reason)).toEqual([
      'no_mailer',
      'gone',
      'gone',
      'gone',
    ]);
    expect(dropped.map(({ data }) => (data as { userId: string }).userId)).toEqual([ann, ann, ann, ann]);
  });

  it('is retried with back-off while its server is busy, under the same id', async () => {
    const { ann } = await open();
    const ids: (string | undefined)[] = [];
    const { mailer, sent } = receivingMailer([new Error('421 try later'), new Error('connection lost')]);
    start({
      ...mailer,
      send: async (mail) => {
        ids.push(mail.messageId);
        await mailer.send(mail);
      },
    });
    await finishedJob(work.made, ann);
    await until(() => ids.length === 1);
    await work.settle();
    const [mailId = ''] = await work.listed(MAIL);
    expect(await work.claim(MAIL, mailId)).toMatchObject({ attempts: 1, failure: 'Error', holder: null });
    await work.pass(1);
    expect(ids).toHaveLength(2);
    await work.pass(1);
    expect(ids).toHaveLength(2);
    await work.pass(1);
    await until(() => sent.length === 1);
    expect(new Set(ids).size).toBe(1);
    await nothingPending();
  });

  it('that keeps failing is dropped when it is a day late', async () => {
    const { ann } = await open();
    const { mailer } = receivingMailer();
    start({ ...mailer, send: () => Promise.reject(new Error('421 try later')) });
    await finishedJob(work.made, ann);
    for (let hour = 0; hour <= 24; hour += 1) {
      await work.settle();
      work.made.pass(60);
    }
    await until(async () => (await work.listed(MAIL)).length === 0);
    expect(await endsOf('JobCompleted')).toEqual(['too_old']);
  });

  it('is dropped when it is given up', async () => {
    const { ann } = await open();
    await finishedJob(work.made, ann);
    const [mailId = ''] = await work.listed(MAIL);
    const item = await work.item(MAIL, mailId);
    if (!item) throw new Error('It is not pending.');
    const position = await kindOf(null).giveUp(item, 'failed', () => true);
    expect(position).toBe((await work.made.log()).at(-1)?.position);
    await nothingPending();
    expect(await endsOf('JobCompleted')).toEqual(['given_up']);
  });

  it('is sent once, however many processes look for it', async () => {
    const { ann } = await open();
    const { mailer, sent } = receivingMailer();
    for (const holder of ['one', 'two', 'three']) start(mailer, holder);
    for (let nth = 0; nth < 10; nth += 1) await finishedJob(work.made, ann);
    await until(() => sent.length === 10);
    await nothingPending();
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(10);
    expect((await work.made.types('mail-')).filter((type) => type === 'MailPrepared')).toHaveLength(10);
  });

  it('of a process that crashes while sending is sent again under the same id', async () => {
    const { ann } = await open();
    const first = receivingMailer();
    let answer = (): void => undefined;
    const dying = work.startMortal(
      (store) => [
        kindOf(
          {
            ...first.mailer,
            send: async (mail) => {
              await first.mailer.send(mail);
              await new Promise<void>((resolve) => {
                answer = resolve;
              });
            },
          },
          store,
        ),
      ],
      'one',
    );
    await finishedJob(work.made, ann);
    await until(() => first.sent.length === 1);
    const vanished = dying.vanish();
    answer();
    await vanished;
    const second = receivingMailer();
    start(second.mailer, 'two');
    await until(() => second.sent.length === 1);
    await nothingPending();
    expect(second.sent[0]?.messageId).toBe(first.sent[0]?.messageId);
    expect((await mailEvents(work.made, await lastEvent(work.made, 'JobCompleted'))).map(({ type }) => type)).toEqual([
      'MailPrepared',
      'MailPrepared',
      'MailSent',
    ]);
  });
});

describe('the email about a batch', () => {
  it('waits for jobs still to be submitted, a minute at a time, and is sent by the last end only', async () => {
    const { ann } = await open();
    const { made } = work;
    const { mailer, sent } = receivingMailer();
    start(mailer);
    const sites = ['one.example', 'two.example'].map((host) => ({ host, url: `https://${host}/` }));
    const submit = (store: EventStore) =>
      submitJobs({ ...made.context('broken'), store }, { userId: ann, sites, bounds: BOUNDS });
    await orCrash(submit(crashingStore(made.store, 2, 'after')));
    await endJob(made, {
      userId: ann,
      jobId: ((await lastEvent(made, 'JobSubmitted')).data as { jobId: string }).jobId,
    });
    const [waiting = ''] = await work.listed(MAIL);
    expect(await work.claim(MAIL, waiting)).toMatchObject({
      attempts: 0,
      failure: null,
      notBefore: new Date(made.clock.now() + 60_000).toISOString(),
    });
    await endJob(made, { userId: ann, jobId: (await submit(made.store)).jobIds[1] ?? '' });
    await until(() => sent.length === 1);
    expect(await work.listed(MAIL)).toEqual([waiting]);
    await work.pass(60);
    await nothingPending();
    expect(await endsOf('JobCompleted')).toEqual(['told_together', 'MailSent']);
    expect(sent.map(({ subject }) => subject)).toEqual(['2 audits are done: one.example and two.example']);
  });
});

describe('a failed email', () => {
  const nothingPendingSoon = () => until(async () => (await work.listed(MAIL)).length === 0, 'the end');
  async function failedJobMail() {
    const { ann } = await open();
    const jobId = await finishedJob(work.made, ann);
    const event = await lastEvent(work.made, 'JobCompleted');
    const { mailer, sent } = receivingMailer([new MailRefused('no such mailbox')]);
    const runner = start(mailer);
    await until(async () => (await endsOf('JobCompleted'))[0] === 'refused', 'the refusal');
    return { runner, ann, jobId, mailId: mailIdOf(event) ?? '', event, sent };
  }
  const resend = (mailId: string) => resendMail(work.made.context(), { mailId });

  it('names its cause, and is sent again under the same Message-ID', async () => {
    const { ann, mailId, event, sent } = await failedJobMail();
    const { id, stream, revision, type } = event;
    expect((await mailEvents(work.made, event)).at(-1)?.data).toMatchObject({
      cause: { id, stream, revision: String(revision), type },
    });
    // Long after: a failed email is not too old for a retry.
    work.made.pass(3 * DAY_MINUTES);
    await resend(mailId);
    await until(() => sent.length === 1, 'the mail');
    expect(sent[0]).toMatchObject({ to: 'ann@example.com', messageId: `${mailId}@seo.example.com` });
    await nothingPending();
    expect((await mailEvents(work.made, event)).map((each) => each.type)).toEqual([
      'MailPrepared',
      'MailDropped',
      'MailRequeued',
      'MailPrepared',
      'MailSent',
    ]);
    await expect(resend(mailId)).rejects.toMatchObject({ code: 'MAIL_NOT_RESENDABLE' });
    expect(await work.item(MAIL, mailId)).toBeNull();
    expect(ann).toBeTruthy();
  });

  it('is not sent when it is no longer wanted, or its subject is gone', async () => {
    const { ann, jobId, mailId, sent } = await failedJobMail();
    await setMailChoice(work.made.context(), { userId: ann, mail: 'job_done', wanted: false });
    await resend(mailId);
    await until(async () => (await endsOf('JobCompleted'))[0] === 'not_wanted', 'the end');
    expect(sent).toEqual([]);
    await deleteJob(work.made.context(), { jobId });
    await nothingPending();
  });

  it('can be dropped again by an operator, and sent again after that', async () => {
    const { runner, mailId, event, sent } = await failedJobMail();
    const { made } = work;
    await runner.stop();
    await resend(mailId);
    const item = await work.item(MAIL, mailId);
    expect(item?.opener.type).toBe('MailRequeued');
    if (item) await dropWork(made.context(), item);
    await nothingPending();
    expect((await mailEvents(made, event)).at(-1)?.data).toMatchObject({
      reason: 'given_up',
      kind: 'job_done',
      cause: { id: event.id },
    });
    await resend(mailId);
    const again = receivingMailer();
    start(again.mailer);
    await until(() => again.sent.length === 1, 'the mail');
    expect(sent).toEqual([]);
  });

  it('whose event was erased is refused, or ends without being sent', async () => {
    const { runner, jobId, mailId, event, sent } = await failedJobMail();
    const { made } = work;
    await runner.stop();
    await resend(mailId);
    await deleteJob(made.context(), { jobId });
    await keepLastOnly(made.store, jobStream(jobId));
    start(receivingMailer().mailer);
    await nothingPendingSoon();
    expect((await mailEvents(made, event)).at(-1)?.data).toMatchObject({ reason: 'gone' });
    expect(sent).toEqual([]);
  });
});

describe('emails to addresses that nobody has proven', () => {
  const askToLogIn = (email: string) =>
    requestLogInMail(work.made.context(), { email, browser: email, knownBrowser: false });
  const askToReset = (email: string) => requestPasswordReset(work.made.context(), { email });
  /** Begins six, of which none is accepted until the returned function is called. */
  async function flood(passwordHash: string | null, ask: (email: string) => Promise<void>) {
    await open();
    const { mailer, sent } = receivingMailer();
    const waiting: (() => void)[] = [];
    let isOpen = false;
    const send: Mailer['send'] = async (mail) => {
      if (!isOpen && mail.to.startsWith('stranger')) await new Promise<void>((resolve) => waiting.push(resolve));
      await mailer.send(mail);
    };
    for (let nth = 0; nth < 6; nth += 1) {
      const email = `stranger-${nth}@example.com`;
      await signUp(work.made.context(), { email, name: '', passwordHash, asksProof: true });
      await ask(email);
    }
    start({ ...mailer, send });
    await until(() => waiting.length > 0);
    return {
      sentTo: () => sent.map(({ to }) => to),
      release: () => {
        isOpen = true;
        for (const resolve of waiting) resolve();
      },
    };
  }

  it.each<[string, string | null, (email: string) => Promise<void>]>([
    ['to sign up with a code', null, askToLogIn],
    ['to confirm an address', 'hash', async () => undefined],
    ['to set a password', 'hash', askToReset],
  ])('%s leave slots for those of people who have', async (_, passwordHash, ask) => {
    const { sentTo, release } = await flood(passwordHash, ask);
    await askToLogIn('ann@example.com');
    await askToReset('ann@example.com');
    await until(() => sentTo().length === 2);
    expect(sentTo()).toEqual(['ann@example.com', 'ann@example.com']);
    release();
    await until(() => new Set(sentTo()).size === 7);
  });
});
