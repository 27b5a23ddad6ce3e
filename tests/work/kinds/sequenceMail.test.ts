/** Sequence emails as work: from an enrollment, through the list and a runner, to the event that settles each. */
import { afterEach, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { setMailChoice, unsubscribe } from '../../../src/commands/account/setMailChoice.ts';
import {
  changeTemplate,
  deleteSequence,
  editSequence,
  removeTemplate,
  requestTestMail,
} from '../../../src/commands/sequence/sequences.ts';
import { type Mailer, MailRefused } from '../../../src/integrations/mailer/mailer.ts';
import { mailKind } from '../../../src/work/kinds/mail.ts';
import { SEQUENCE_MAIL } from '../../../src/work/kinds/sequenceMail.ts';
import { crashingStore, withAdmin } from '../../given/commands.ts';
import { append, deliveryDeps, finishedJob, receivingMailer, tokenOf } from '../../given/work/mailDelivery.ts';
import {
  activeSequence,
  provenUser,
  type SequenceWorld,
  sequenceWorld,
  unprovenUser,
} from '../../given/work/sequences.ts';
import { rest, until } from '../../given/work/toyWork.ts';
import { openWork, type Work } from '../../given/work/work.ts';

let work: Work;
let world: SequenceWorld;
afterEach(() => work.close());

const HOUR_MS = 60 * 60 * 1_000;

async function open() {
  work = await openWork(await withAdmin());
  world = sequenceWorld(work);
  return work.made;
}

/** Hours go by; followers run, and due items are processed. */
async function pass(hours: number, step = 1): Promise<void> {
  for (let gone = 0; gone < hours; gone += step) {
    work.made.clock.advance(step * HOUR_MS);
    await turn();
  }
}
async function turn(): Promise<void> {
  await world.follow();
  await work.settle();
  await world.follow();
  await work.settle();
}
const start = (mailer: Mailer | null) => work.start([world.kindOf(mailer)]);
/** Records when each was sent, up to that many heartbeats. */
const noting = (mailer: Mailer, times: string[], signs: number): Mailer => ({
  ...mailer,
  send: async (mail) => {
    times.push(work.made.now().slice(0, signs));
    await mailer.send(mail);
  },
});
const types = () => work.made.types('delivery-');
const lastOf = async (type: string) => (await work.made.log()).findLast((event) => event.type === type)?.data;

describe('the emails of a sequence', () => {
  it('come one after the other, each a set time after the previous one was due, and then it ends', async () => {
    const made = await open();
    await activeSequence(made, [0, 2, 1]);
    const { mailer, sent } = receivingMailer();
    const times: string[] = [];
    start(noting(mailer, times, 13));
    await provenUser(made, 'ann@example.com');
    await turn();
    await pass(24 * 5);
    expect(sent.map(({ subject, to }) => [subject, to])).toEqual(
      [1, 2, 3].map((nth) => [`sign_up ${nth} for Ann`, 'ann@example.com']),
    );
    expect(times).toEqual(['2026-03-10T12', '2026-03-12T12', '2026-03-13T12']);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
    expect(await types()).toEqual([
      'SequenceEnrolled',
      'SequenceMailScheduled',
      'SequenceMailStarted',
      'SequenceMailSent',
      'SequenceMailScheduled',
      'SequenceMailStarted',
      'SequenceMailSent',
      'SequenceMailScheduled',
      'SequenceMailStarted',
      'SequenceMailSent',
      'SequenceFinished',
    ]);
    expect(await world.waiting()).toEqual([]);
  });

  it('can be turned off with one click: none follows, and the user is not enrolled again', async () => {
    const made = await open();
    await activeSequence(made, [0, 1]);
    const { mailer, sent } = receivingMailer();
    start(mailer);
    await provenUser(made, 'ann@example.com');
    await turn();
    expect(sent[0]?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });
    expect(sent[0]?.text).toContain('Unsubscribe: https://seo.example.com/unsubscribe?token=');
    expect(await unsubscribe(made.context(), { token: tokenOf(sent[0]) })).toMatchObject({ mail: 'sequence' });
    await turn();
    expect(await world.waiting()).toEqual([]);
    expect(await lastOf('SequenceStopped')).toMatchObject({ reason: 'turned_off', stepNumber: 1 });
    await pass(48, 6);
    expect(sent).toHaveLength(1);
  });

  it('are not sent to users who, a moment before, turned them off, were disabled, or lost the address or the account', async () => {
    const made = await open();
    await activeSequence(made, [1]);
    const { mailer, sent } = receivingMailer();
    const users = [];
    for (const name of ['ann', 'ben', 'cat', 'dan']) users.push(await provenUser(made, `${name}@example.com`));
    const [ann = '', ben = '', cat = '', dan = ''] = users;
    await turn();
    made.clock.advance(24 * HOUR_MS);
    // No follower has processed any of it yet.
    await setMailChoice(made.context(), { userId: ann, mail: 'sequence', wanted: false });
    await append(made, `account-${ben}`, {
      type: 'AccountEmailLost',
      data: { userId: ben, email: 'ben@example.com', lostAt: made.now() },
    });
    await deleteAccount(made.context(), { userId: cat });
    await append(made, `account-${dan}`, { type: 'AccountDisabled', data: { userId: dan, disabledAt: made.now() } });
    start(mailer);
    await until(async () => (await world.waiting()).length === 0);
    expect(sent).toEqual([]);
    const reasons = (await made.log())
      .filter(({ type }) => type === 'SequenceStopped')
      .map(({ data }) => (data as { reason: string }).reason);
    expect(reasons.sort()).toEqual(['account_deleted', 'disabled', 'not_confirmed', 'turned_off']);
  });

  it('do not begin before the address is confirmed, nor for accounts from before the sequence was enabled', async () => {
    const made = await open();
    const { mailer, sent } = receivingMailer();
    start(mailer);
    const old = await unprovenUser(made, 'old@example.com');
    const { sequenceId } = await activeSequence(made, [0]);
    const { prove } = await unprovenUser(made, 'ann@example.com');
    await old.prove();
    await turn();
    expect(sent).toEqual([]);
    await pass(30, 10);
    await prove();
    await turn();
    expect(sent.map(({ to }) => to)).toEqual(['ann@example.com']);
    // Off and on again: users who came in between do not count either.
    await editSequence(made.context(), { sequenceId, isActive: false });
    const between = await unprovenUser(made, 'between@example.com');
    await editSequence(made.context(), { sequenceId, isActive: true });
    await between.prove();
    await turn();
    expect(sent).toHaveLength(1);
  });

  it('are at most one a day per user, over all sequences, at their own time of day', async () => {
    const made = await open();
    await activeSequence(made, [0, 0, 0]);
    await activeSequence(made, [0], 'first_analysis');
    const { mailer, sent } = receivingMailer();
    const days: string[] = [];
    start(noting(mailer, days, 13));
    const ann = await provenUser(made, 'ann@example.com');
    await finishedJob(made, ann);
    await turn();
    await pass(24 * 5);
    expect(days).toEqual(['2026-03-10T12', '2026-03-11T12', '2026-03-12T12', '2026-03-13T12']);
    const subjects = sent.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.startsWith('sign_up'))).toEqual(
      [1, 2, 3].map((nth) => `sign_up ${nth} for Ann`),
    );
    expect(subjects).toContain('first_analysis 1 for Ann');
  });

  it('are skipped where their template is disabled or deleted, and end where the sequence is', async () => {
    const made = await open();
    const { sequenceId, templateIds } = await activeSequence(made, [1, 1, 1, 1]);
    const [first = '', second = '', third = ''] = templateIds;
    const { mailer, sent } = receivingMailer();
    start(mailer);
    await provenUser(made, 'ann@example.com');
    await turn();
    await changeTemplate(made.context(), { sequenceId, templateId: first, isActive: false });
    await removeTemplate(made.context(), { sequenceId, templateId: second });
    await pass(24 * 2, 2);
    // The first one's delay counts, the second's was deleted with it.
    expect(sent.map(({ subject }) => subject)).toEqual(['sign_up 3 for Ann']);
    await changeTemplate(made.context(), { sequenceId, templateId: third, subject: 'Changed' });
    await editSequence(made.context(), { sequenceId, isActive: false });
    await pass(24 * 2, 6);
    expect(sent).toHaveLength(1);
    expect(await lastOf('SequenceStopped')).toMatchObject({ reason: 'sequence_off' });
    await deleteSequence(made.context(), { sequenceId });
    expect(await world.waiting()).toEqual([]);
  });

  it('refused by the server end all sequences of that address, and no other', async () => {
    const made = await open();
    await activeSequence(made, [0, 1]);
    await activeSequence(made, [0], 'first_analysis');
    const { mailer, sent } = receivingMailer([new MailRefused('550 no such user')]);
    start(mailer);
    const ann = await provenUser(made, 'ann@example.com');
    await turn();
    expect(await lastOf('SequenceMailFailed')).toMatchObject({ reason: 'refused' });
    expect(await lastOf('SequenceStopped')).toMatchObject({ reason: 'bounced' });
    await finishedJob(made, ann);
    await pass(48, 6);
    expect(sent).toEqual([]);
    await append(made, `account-${ann}`, {
      type: 'AccountEmailChanged',
      data: { userId: ann, formerEmail: 'ann@example.com', email: 'ann@example.org', changedAt: made.now() },
    });
    await finishedJob(made, ann);
    await turn();
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([['ann@example.org', 'first_analysis 1 for Ann']]);
  });

  it('are retried while the server is busy, and dropped after three days; the next one is sent all the same', async () => {
    const made = await open();
    await activeSequence(made, [0, 5]);
    const { mailer, sent } = receivingMailer();
    let busy = true;
    const ids: string[] = [];
    start({
      ...mailer,
      send: async (mail) => {
        ids.push(mail.messageId);
        if (busy) throw new Error('421 try later');
        await mailer.send(mail);
      },
    });
    await provenUser(made, 'ann@example.com');
    await turn();
    await pass(24 * 3 + 2, 2);
    expect(ids.length).toBeGreaterThan(5);
    expect(new Set(ids).size).toBe(1);
    expect(await lastOf('SequenceMailFailed')).toMatchObject({ reason: 'too_old', stepNumber: 1 });
    busy = false;
    await pass(24 * 2, 2);
    expect(sent.map(({ subject }) => subject)).toEqual(['sign_up 2 for Ann']);
  });

  it('fail where no email is sent', async () => {
    const made = await open();
    await activeSequence(made, [0]);
    start(null);
    await provenUser(made, 'ann@example.com');
    await turn();
    expect(await lastOf('SequenceMailFailed')).toMatchObject({ reason: 'no_mailer' });
  });

  it('of a process that crashes once they are sent are recorded as sent, even if nobody works on them for days', async () => {
    const made = await open();
    await activeSequence(made, [0]);
    const { mailer, sent } = receivingMailer();
    await provenUser(made, 'ann@example.com');
    await world.follow();
    // The fourth write is the one that records it in the user's own stream.
    const dying = work.startMortal((store) => [world.kindOf(mailer, crashingStore(store, 4, 'before'))], 'one');
    await work.settle();
    await until(() => sent.length === 1);
    await rest();
    await dying.vanish();
    expect(await types()).not.toContain('SequenceMailSent');
    made.clock.advance(4 * 24 * HOUR_MS);
    work.start([world.kindOf(mailer)], { holder: 'two' });
    await pass(1);
    expect(await types()).toContain('SequenceMailSent');
    expect(await types()).not.toContain('SequenceMailFailed');
    expect(sent).toHaveLength(1);
  });

  it('of a process that crashes on the way are sent again with the same id, and recorded once', async () => {
    const made = await open();
    await activeSequence(made, [0]);
    const first = receivingMailer();
    let answer = (): void => undefined;
    const dying = work.startMortal(
      (store) => [
        world.kindOf(
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
    await provenUser(made, 'ann@example.com');
    await world.follow();
    await until(() => first.sent.length === 1);
    const vanished = dying.vanish();
    answer();
    await vanished;
    const second = receivingMailer();
    work.start([world.kindOf(second.mailer)], { holder: 'two' });
    await until(() => second.sent.length === 1);
    await until(async () => (await world.waiting()).length === 0);
    expect(second.sent[0]?.messageId).toBe(first.sent[0]?.messageId);
    expect((await types()).filter((type) => type === 'SequenceMailSent')).toHaveLength(1);
  });
});

describe('an inactive user', () => {
  const signIn = (made: Awaited<ReturnType<typeof open>>, userId: string) =>
    append(made, `session-${made.now()}`, {
      type: 'SessionStarted',
      data: {
        sessionId: `session ${made.now()}`,
        userId,
        accessTokenHash: 'a',
        refreshTokenHash: 'b',
        startedAt: made.now(),
        accessExpiresAt: made.now(),
        refreshExpiresAt: made.now(),
      },
    });
  const sweepFor = async (days: number): Promise<void> => {
    let kept: string | null = null;
    for (let hour = 0; hour < days * 24; hour += 6) {
      work.made.clock.advance(6 * HOUR_MS);
      await work.settle();
      kept = (await world.sweep().run(kept, new AbortController().signal)).kept;
      await turn();
    }
  };

  it('gets one email after two weeks, and any activity resets the time', async () => {
    const made = await open();
    await activeSequence(made, [1, 1], 'inactive_14_days');
    const { mailer, sent } = receivingMailer();
    const days: string[] = [];
    start(noting(mailer, days, 10));
    const ann = await provenUser(made, 'ann@example.com');
    await sweepFor(10);
    await signIn(made, ann);
    await sweepFor(13);
    expect(sent).toEqual([]);
    // On the fourteenth day she is enrolled, and comes back before the first email is due.
    await sweepFor(1);
    expect(await types()).toEqual(['SequenceEnrolled', 'SequenceMailScheduled']);
    await signIn(made, ann);
    await sweepFor(14);
    expect(sent).toEqual([]);
    await sweepFor(1);
    expect(days).toEqual([new Date(made.clock.now()).toISOString().slice(0, 10)]);
    // After coming back she gets none of the following emails.
    await signIn(made, ann);
    await sweepFor(20);
    expect(sent).toHaveLength(1);
    expect(await lastOf('SequenceStopped')).toMatchObject({ reason: 'came_back' });
  });
});

it('a test of a template goes to the admin who requests it, with no unsubscribe link', async () => {
  const made = await open();
  const { sequenceId, templateIds } = await activeSequence(made, [0]);
  const { mailer, sent } = receivingMailer();
  work.start([
    mailKind({ ...deliveryDeps(made, mailer), log: { info: () => undefined } }, { random: () => 0.5 }),
    world.kindOf(mailer),
  ]);
  const admin = (await made.log()).find(({ type }) => type === 'AccountRegistered')?.data as {
    readonly userId: string;
  };
  await requestTestMail(made.context(), { sequenceId, templateId: templateIds[0] ?? '', userId: admin.userId });
  await until(() => sent.length === 1);
  expect(sent[0]).toMatchObject({ to: 'admin@example.com', subject: 'sign_up 1 for Admin', headers: {} });
  expect(sent[0]?.text).toContain('This is a test. Nobody else received it.');
  expect(await work.listed(SEQUENCE_MAIL)).toEqual([]);
});
