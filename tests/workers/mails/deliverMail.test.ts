/** One email for one event: its content, whether it is wanted, and that it is sent once. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changeEmail } from '../../../src/commands/account/changeEmail.ts';
import { changePassword } from '../../../src/commands/account/changePassword.ts';
import { confirmEmail } from '../../../src/commands/account/confirmEmail.ts';
import { deleteAccount } from '../../../src/commands/account/deleteAccount.ts';
import { requestEmailConfirmation } from '../../../src/commands/account/requestEmailConfirmation.ts';
import { requestPasswordReset } from '../../../src/commands/account/requestPasswordReset.ts';
import { setMailChoice, unsubscribe } from '../../../src/commands/account/setMailChoice.ts';
import { signUp } from '../../../src/commands/account/signUp.ts';
import { handle } from '../../../src/commands/handle.ts';
import { deleteJob } from '../../../src/commands/job/deleteJob.ts';
import { submitJobs } from '../../../src/commands/job/submitJobs.ts';
import { linkIdentity, unlinkIdentity } from '../../../src/commands/logIn/identities.ts';
import { addPasskey, removePasskey } from '../../../src/commands/logIn/passkeys.ts';
import { mailIdOf } from '../../../src/commands/mail/mailOf.ts';
import { mailStream } from '../../../src/domain/mail/events.ts';
import { mailDecider } from '../../../src/domain/mail/mail.ts';
import type { EventStore, RecordedEvent } from '../../../src/eventStore/eventStore.ts';
import { type Mail, type Mailer, MailRefused } from '../../../src/integrations/mailer/mailer.ts';
import { FORMULA_CHANGED, NOT_JUDGED_REASONS, NOT_JUDGED_TEXTS, SHUT_TEXT } from '../../../src/model/scores.ts';
import { deliverMail, dropMail } from '../../../src/workers/mails/deliverMail.ts';
import type { ComposeDeps } from '../../../src/workers/mails/draft.ts';
import { atEveryCrash, orCrash, type Product, userOf, withAdmin } from '../../given/commands.ts';
import { turnSecondFactor } from '../../given/secondFactor.ts';
import {
  addedWebhook,
  append,
  BOUNDS,
  batch,
  deliver,
  deliveryDeps,
  disabledWebhook,
  endJob,
  finishedJob,
  lastEvent,
  mailEvents,
  PARTIAL,
  receivingMailer,
  tokenOf,
} from '../../given/work/mailDelivery.ts';

const held = (): boolean => true;

/** The email about an audit that the free allowance paid for. */
async function mailAbout(
  ending: Omit<Parameters<typeof endJob>[1], 'userId' | 'jobId'>,
  before?: Product,
  formerFormula?: ComposeDeps['formerFormula'],
): Promise<{ readonly made: Product; readonly mail: Mail }> {
  const made = before ?? (await withAdmin());
  const userId = before
    ? String(((await lastEvent(made, 'JobSubmitted')).data as { userId: string }).userId)
    : await userOf(made);
  const [jobId] = (await batch(made, userId, 'one.example')) as [string];
  await endJob(made, { userId, jobId, ...ending });
  const { mailer, sent } = receivingMailer();
  const deps = { ...deliveryDeps(made, mailer), ...(formerFormula ? { formerFormula } : {}) };
  expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('sent');
  return { made, mail: sent[0] as Mail };
}

describe('the email about two-factor authentication', () => {
  it('says when it was turned on and off, but not that it was removed with the account', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    await turnSecondFactor(made.context(), { userId, on: true });
    expect(await deliver(made, deps, await lastEvent(made, 'SecondFactorEnabled'))).toBe('sent');
    await turnSecondFactor(made.context(), { userId, on: false });
    const off = await lastEvent(made, 'SecondFactorRemoved');
    expect(await deliver(made, deps, off)).toBe('sent');
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual(
      ['on', 'off'].map((how) => [
        'ann@example.com',
        `Two-factor authentication was turned ${how} for your SEO Workbench account`,
      ]),
    );
    expect(sent[1]?.text).toContain('no longer asks for a code');
    expect(mailIdOf({ ...off, data: { ...off.data, reason: 'account_deleted' } })).toBeNull();
  });
});

describe('the email about a way to log in', () => {
  const IDENTITY = { provider: 'example', issuer: 'https://id.example.com', subject: '42', email: null };

  it('says what was added and removed, to an address that is proven', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const passkey = { userId, credentialId: 'c', publicKey: 'k', counter: 0, isSynced: true, name: 'Phone' };
    const { passkeyId } = await addPasskey(made.context(), passkey);
    expect(await deliver(made, deps, await lastEvent(made, 'PasskeyAdded'))).toBe('sent');
    const { identityId } = await linkIdentity(made.context(), { userId, ...IDENTITY });
    expect(await deliver(made, deps, await lastEvent(made, 'IdentityLinked'))).toBe('sent');
    const removal = { userId, reason: 'owner', hasOtherWay: true } as const;
    await removePasskey(made.context(), { ...removal, passkeyId });
    expect(await deliver(made, deps, await lastEvent(made, 'PasskeyRemoved'))).toBe('sent');
    await unlinkIdentity(made.context(), { ...removal, identityId });
    expect(await deliver(made, deps, await lastEvent(made, 'IdentityUnlinked'))).toBe('sent');
    expect(sent.map(({ subject }) => subject)).toEqual([
      'A passkey was added to your SEO Workbench account',
      'A way to log in was added to your SEO Workbench account',
      'A passkey was removed from your SEO Workbench account',
      'A way to log in was removed from your SEO Workbench account',
    ]);
  });

  it('is not sent about the identity that an account was made with', async () => {
    const made = await withAdmin();
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const { userId } = await signUp(made.context(), { email: 'ann@example.com', name: 'Ann', passwordHash: null });
    await linkIdentity(made.context(), { userId, ...IDENTITY });
    expect(await deliver(made, deps, await lastEvent(made, 'IdentityLinked'))).toBe('nothing_to_tell');
    await linkIdentity(made.context(), { userId, ...IDENTITY, subject: '43' });
    expect(await deliver(made, deps, await lastEvent(made, 'IdentityLinked'))).toBe('sent');
    expect(sent).toHaveLength(1);
  });
});

describe('the email about a finished job', () => {
  it('has host, score and the three top items, links to them, and can be turned off with one click', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const jobId = await finishedJob(made, ann);
    expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('sent');
    const [mail] = sent as [Mail];
    expect([mail.to, mail.subject]).toEqual(['ann@example.com', 'example.org: 82 of 100, your SEO report is ready']);
    const order = ['Give <b>every</b> page a title', 'Fix second', 'Fix middle'].map((title) =>
      mail.text.indexOf(title),
    );
    expect(order.every((place, nth) => place > (order[nth - 1] ?? 0))).toBe(true);
    expect(mail.text).not.toContain('Fix low');
    expect(mail.text).toContain(`https://seo.example.com/dashboard/actions?domain=www.example.org&jobId=${jobId}`);
    expect(mail.html).toContain('Give &lt;b&gt;every&lt;/b&gt; page a title');
    expect(mail.html).not.toContain('<b>every');
    expect(mail.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(mail.text).toContain(/<(.*)>/.exec(mail.headers?.['List-Unsubscribe'] ?? '')?.[1]);

    await unsubscribe(made.context(), { token: tokenOf(mail) });
    await finishedJob(made, ann);
    expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('not_wanted');
    await finishedJob(made, await userOf(made, 'bob@example.com'));
    expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('sent');
    expect(sent.map(({ to }) => to)).toEqual(['ann@example.com', 'bob@example.com']);
  });

  it.each([
    [99.6, 99],
    [100, 100],
    [82.5, 83],
  ])('shows a score of %d as %d', async (score, shown) => {
    const { mail } = await mailAbout({ score });
    expect(mail.subject).toBe(`one.example: ${shown} of 100, your SEO report is ready`);
    expect(mail.text).toContain(`Health score: ${shown} of 100`);
  });

  it('names the part of the site that was audited, not one that only its pages limit', async () => {
    const made = await withAdmin();
    const userId = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    for (const settings of [{ folder: '/blog/', maxPages: 40 }, { maxPages: 40 }]) {
      const sites = [{ host: 'one.example', url: 'https://one.example/' }];
      const { jobIds } = await submitJobs(made.context(), { userId, sites, bounds: BOUNDS, settings });
      await endJob(made, { userId, jobId: jobIds[0] ?? '', score: 82 });
      expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('sent');
    }
    expect(sent.map(({ subject }) => subject)).toEqual([
      'one.example (/blog/ only, 40 pages): 82 of 100, your SEO report is ready',
      'one.example: 82 of 100, your SEO report is ready',
    ]);
    expect(sent[0]?.text).toContain('Your audit of one.example (/blog/ only, 40 pages) is done');
  });

  it.each(NOT_JUDGED_REASONS)(
    'about a site that was not scored (%s) says so, never a number, and what came back',
    async (notJudged) => {
      const { mail } = await mailAbout({ score: null, items: 0, report: { notJudged } });
      expect(mail.subject).toBe('one.example: not scored, your SEO report is ready');
      expect(mail.text).toContain('Health score: Not scored');
      expect(mail.text).toContain(`${NOT_JUDGED_TEXTS[notJudged]} This didn’t count against your allowance.`);
      expect(mail.text).not.toMatch(/of 100|Nothing to fix/);
    },
  );

  it('about a site that shuts out every crawler says so, and from the fourth in a day on that it counts', async () => {
    const about = { score: 0, report: { shut: true } } as const;
    const { made, mail } = await mailAbout(about);
    expect(mail.text).toContain(`${SHUT_TEXT} This didn’t count against your allowance.`);
    for (let nth = 0; nth < 2; nth += 1) await mailAbout(about, made);
    const fourth = await mailAbout(about, made);
    expect(fourth.mail.text).toContain(
      `${SHUT_TEXT} It counts: only the first three like it per site and day are free.`,
    );
  });

  it('says where the formula of the score changed since the last audit of the site', async () => {
    const asked: object[] = [];
    const former = (formula: number | null) => async (job: object) => {
      asked.push(job);
      return formula;
    };
    const text = async (formula: number | null, own: { formula?: number }) =>
      (await mailAbout({ score: 60, report: own }, undefined, former(formula))).mail.text;
    expect(await text(1, { formula: 2 })).toContain(FORMULA_CHANGED);
    for (const [formula, own] of [
      [2, { formula: 2 }],
      [1, {}],
      [null, { formula: 2 }],
    ] as const)
      expect(await text(formula, own)).not.toContain(FORMULA_CHANGED);
    expect(asked[0]).toMatchObject({ host: 'one.example', before: expect.any(String) });
  });

  it.each(['JobPartiallyCompleted', 'JobPartiallySucceeded'] as const)(
    'is sent after %s too, with each cause',
    async (end) => {
      const made = await withAdmin();
      const { mailer, sent } = receivingMailer();
      await finishedJob(made, await userOf(made), end);
      expect(await deliver(made, deliveryDeps(made, mailer), await lastEvent(made, end))).toBe('sent');
      expect(sent).toHaveLength(1);
      expect(sent[0]?.text).toContain(`This result is partial: ${PARTIAL}`);
    },
  );

  it('is not sent for a deleted job, nor to an account that is deleted or has turned it off', async () => {
    const made = await withAdmin();
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const delivered = async () => deliver(made, deps, await lastEvent(made, 'JobCompleted'));
    const ann = await userOf(made);
    await deleteJob(made.context(), { jobId: await finishedJob(made, ann) });
    expect(await delivered()).toBe('gone');
    await finishedJob(made, ann);
    await setMailChoice(made.context(), { userId: ann, mail: 'job_done', wanted: false });
    expect(await delivered()).toBe('not_wanted');
    // The settled end does not change.
    await setMailChoice(made.context(), { userId: ann, mail: 'job_done', wanted: true });
    expect(await delivered()).toBe('not_wanted');
    await finishedJob(made, ann);
    await append(made, `account-${ann}`, { type: 'AccountDeleted', data: { userId: ann, deletedAt: made.now() } });
    expect(await delivered()).toBe('gone');
    expect(sent).toEqual([]);
  });

  it('is turned off only by its own link', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    await finishedJob(made, ann);
    await deliver(made, deliveryDeps(made, mailer), await lastEvent(made, 'JobCompleted'));
    const token = tokenOf(sent[0]);
    const [mailId = ''] = token.split('.');
    for (const wrong of ['', 'x', mailId, `${mailId}.${'A'.repeat(43)}`, `${randomUUID()}.${token.split('.')[1]}`])
      await expect(unsubscribe(made.context(), { token: wrong }), wrong).rejects.toMatchObject({
        code: 'UNSUBSCRIBE_INVALID',
      });
    await unsubscribe(made.context(), { token });
    await unsubscribe(made.context(), { token });
    expect(await made.types(`account-${ann}`)).toEqual(['AccountRegistered', 'AccountMailChoiceSet']);
    expect(JSON.stringify((await made.log()).map(({ data }) => data))).not.toContain('secret0');
  });
});

describe('the email about a webhook', () => {
  it('is sent when it was disabled for failing, not after its removal; the owner’s own changes send none', async () => {
    const made = await withAdmin();
    const ann = await userOf(made);
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const delivered = async () => deliver(made, deps, await lastEvent(made, 'WebhookDisabled'));
    await addedWebhook(made, ann, 'one');
    await disabledWebhook(made, ann, 'one', 'owner');
    expect(mailIdOf(await lastEvent(made, 'WebhookDisabled'))).toBeNull();
    await expect(delivered()).rejects.toThrow('No mail is known for WebhookDisabled.');
    await disabledWebhook(made, ann, 'one', 'failing');
    expect([await delivered(), await delivered()]).toEqual(['sent', 'sent']);
    await disabledWebhook(made, ann, 'gone', 'failing');
    expect(await delivered()).toBe('gone');
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['ann@example.com', 'Your webhook to hooks.example.com was turned off'],
    ]);
    expect(sent[0]?.text).toContain('https://seo.example.com/account/api');
    expect(`${sent[0]?.text} ${sent[0]?.html}`).not.toContain('secret/path');
  });
});

describe('an unconfirmed address', () => {
  const asksProof = true;
  const join = async (made: Product, email = 'ann@example.com') =>
    (await signUp(made.context(), { email, name: 'Ann', passwordHash: 'hash', asksProof })).userId;

  it('gets the confirmation link and password resets, and nothing else', async () => {
    const made = await withAdmin();
    const ann = await join(made);
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    expect(await deliver(made, deps, await lastEvent(made, 'AccountEmailConfirmationAsked'))).toBe('sent');
    await finishedJob(made, ann);
    expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('not_confirmed');
    await changePassword(made.context(), { userId: ann, passwordHash: 'other', keptSessionId: '' });
    expect(await deliver(made, deps, await lastEvent(made, 'AccountPasswordChanged'))).toBe('not_confirmed');
    await addedWebhook(made, ann, 'hook');
    await disabledWebhook(made, ann, 'hook', 'failing');
    expect(await deliver(made, deps, await lastEvent(made, 'WebhookDisabled'))).toBe('not_confirmed');
    await requestPasswordReset(made.context(), { email: 'ann@example.com' });
    expect(await deliver(made, deps, await lastEvent(made, 'PasswordResetAsked'))).toBe('sent');
    expect(sent.map(({ subject }) => subject)).toEqual([
      'Confirm your email address for SEO Workbench',
      'Reset your SEO Workbench password',
    ]);

    const [, token = ''] = /https:\/\/seo\.example\.com\/confirm-email#token=(\S+)/.exec(sent[0]?.text ?? '') ?? [];
    await confirmEmail(made.context(), { token: decodeURIComponent(token), by: 'password' });
    await finishedJob(made, ann);
    expect(await deliver(made, deps, await lastEvent(made, 'JobCompleted'))).toBe('sent');
  });

  it('is not notified of a change to another one, a confirmed one is', async () => {
    const made = await withAdmin();
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const ann = await join(made);
    await changeEmail(made.context(), { userId: ann, email: 'second@example.com' });
    expect(await deliver(made, deps, await lastEvent(made, 'AccountEmailChanged'))).toBe('not_confirmed');
    await changeEmail(made.context(), { userId: ann, email: 'third@example.com' });
    expect(await deliver(made, deps, await lastEvent(made, 'AccountEmailChanged'))).toBe('sent');
    expect(sent.map(({ to }) => to)).toEqual(['second@example.com']);
  });

  it('gets no useless link: another request came, or the account is gone', async () => {
    const made = await withAdmin();
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const ann = await userOf(made);
    await requestEmailConfirmation(made.context(), { userId: ann, email: 'first@example.com' });
    const first = await lastEvent(made, 'AccountEmailConfirmationAsked');
    await requestEmailConfirmation(made.context(), { userId: ann, email: 'second@example.com' });
    expect(await deliver(made, deps, first)).toBe('gone');
    expect(await deliver(made, deps, await lastEvent(made, 'AccountEmailConfirmationAsked'))).toBe('sent');
    expect(sent.map(({ to }) => to)).toEqual(['second@example.com']);
    await deleteAccount(made.context(), { userId: ann });
    expect(await deliver(made, deps, first)).toBe('gone');
  });
});

describe('every email', () => {
  const finished = async (): Promise<{ readonly made: Product; readonly event: RecordedEvent }> => {
    const made = await withAdmin();
    await finishedJob(made, await userOf(made));
    return { made, event: await lastEvent(made, 'JobCompleted') };
  };
  const typesOf = async (made: Product, event: RecordedEvent) =>
    (await mailEvents(made, event)).map(({ type }) => type);

  it('is sent once, however often its event comes', async () => {
    const { made, event } = await finished();
    const { mailer, sent } = receivingMailer();
    for (let nth = 0; nth < 4; nth += 1) expect(await deliver(made, deliveryDeps(made, mailer), event)).toBe('sent');
    expect(sent).toHaveLength(1);
    expect(await typesOf(made, event)).toEqual(['MailPrepared', 'MailSent']);
  });

  it('has the same id when it is sent again after a crash, at any moment', async () => {
    const counts: number[] = [];
    await atEveryCrash(async (breaking) => {
      const { made, event } = await finished();
      const { mailer, sent } = receivingMailer();
      await orCrash(deliver(made, deliveryDeps(made, mailer, breaking(made.store)), event));
      expect(await deliver(made, deliveryDeps(made, mailer), event)).toBe('sent');
      counts.push(sent.length);
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
      // Either of the two may have arrived, and its link must work.
      for (const mail of sent)
        await expect(unsubscribe(made.context(), { token: tokenOf(mail) })).resolves.toBeDefined();
    });
    // Twice only when the process crashed between the server's answer and the record of it.
    expect(counts.filter((count) => count === 2)).toHaveLength(1);
    expect(Math.min(...counts)).toBe(1);
  });

  it('about a password is complete after a crash, at any moment', async () => {
    await atEveryCrash(async (breaking) => {
      const made = await withAdmin();
      await userOf(made);
      await requestPasswordReset(made.context(), { email: 'ann@example.com' });
      const event = await lastEvent(made, 'PasswordResetAsked');
      const { mailer, sent } = receivingMailer();
      await orCrash(deliver(made, deliveryDeps(made, mailer, breaking(made.store)), event));
      expect(await deliver(made, deliveryDeps(made, mailer), event)).toBe('sent');
      expect(sent.at(-1)?.text).toMatch(/\/reset-password#access_token=\S+&refresh_token=\S+/);
      expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
    });
  });

  it('fails with its server, and is dropped when the server refuses it', async () => {
    const { made, event } = await finished();
    const busy = receivingMailer([new Error('421 try later')]);
    await expect(deliver(made, deliveryDeps(made, busy.mailer), event)).rejects.toThrow('421 try later');
    expect(await deliver(made, deliveryDeps(made, busy.mailer), event)).toBe('sent');
    expect(
      (await mailEvents(made, event)).map(({ type, data }) => [type, (data as { attempt?: number }).attempt]),
    ).toEqual([
      ['MailPrepared', 1],
      ['MailPrepared', 2],
      ['MailSent', 2],
    ]);
    const other = await finished();
    const refusing = receivingMailer([new MailRefused('no such user')]);
    expect(await deliver(other.made, deliveryDeps(other.made, refusing.mailer), other.event)).toBe('refused');
    expect(await deliver(other.made, deliveryDeps(other.made, refusing.mailer), other.event)).toBe('refused');
    expect(refusing.sent).toEqual([]);
  });

  it('is dropped where no email is sent', async () => {
    const { made, event } = await finished();
    expect(await deliver(made, deliveryDeps(made, null), event)).toBe('no_mailer');
  });

  it('leaves no address and no text in the log', async () => {
    const { made, event } = await finished();
    await deliver(made, deliveryDeps(made, receivingMailer().mailer), event);
    const kept = JSON.stringify((await mailEvents(made, event)).map(({ data, stream }) => ({ data, stream })));
    for (const part of ['ann', 'example.org', 'title']) expect(kept).not.toContain(part);
  });

  it('is not started by a worker that may have lost it', async () => {
    const { made, event } = await finished();
    const { mailer, sent } = receivingMailer();
    await expect(deliverMail(deliveryDeps(made, mailer), event, () => false)).rejects.toThrow(
      'Another worker may have the mail by now.',
    );
    expect([sent, await typesOf(made, event)]).toEqual([[], []]);
  });

  it('is not started beside a concurrent write', async () => {
    const { made, event } = await finished();
    const { mailer, sent } = receivingMailer();
    const outrun: EventStore = Object.create(made.store);
    outrun.append = async (stream, ...rest) => {
      const data = {
        mailId: mailIdOf(event),
        userId: 'ann',
        kind: 'job_done',
        attempt: 1,
        unsubscribeHash: null,
        preparedAt: made.now(),
      };
      if (stream.startsWith('mail-')) await append(made, stream, { type: 'MailPrepared', data });
      return made.store.append(stream, ...rest);
    };
    expect(await deliverMail(deliveryDeps(made, mailer, outrun), event, held)).toEqual({ outcome: 'waits' });
    expect([sent, await typesOf(made, event)]).toEqual([[], ['MailPrepared']]);
  });

  it('begun by two workers at once is sent once', async () => {
    const { made, event } = await finished();
    const { mailer, sent } = receivingMailer();
    const deps = deliveryDeps(made, mailer);
    const outcomes = await Promise.all([deliverMail(deps, event, held), deliverMail(deps, event, held)]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['settled', 'waits']);
    expect(sent).toHaveLength(1);
  });

  it.each(['sent', 'refused'] as const)('records nothing from a replaced attempt, when it was %s', async (late) => {
    const { made, event } = await finished();
    const { mailer, sent } = receivingMailer();
    const busy = deliveryDeps(made, { ...mailer, send: () => Promise.reject(new Error('busy')) });
    const slow: Mailer = {
      ...mailer,
      async send(mail) {
        // While it was being sent, another worker took over.
        await expect(deliver(made, busy, event)).rejects.toThrow('busy');
        if (late === 'refused') throw new MailRefused('no such user');
        await mailer.send(mail);
      },
    };
    expect(await deliverMail(deliveryDeps(made, slow), event, held)).toEqual({ outcome: 'waits' });
    expect(await typesOf(made, event)).toEqual(['MailPrepared', 'MailPrepared']);
    expect(await deliver(made, deliveryDeps(made, mailer), event)).toBe('sent');
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('is dropped by the current attempt, not by one that was replaced', async () => {
    const { made, event } = await finished();
    const facts = { mailId: mailIdOf(event) ?? '', userId: 'ann', kind: 'job_done' } as const;
    const prepare = { type: 'PrepareMail', ...facts, unsubscribeHash: null, at: made.now() } as const;
    for (let attempt = 1; attempt <= 2; attempt += 1)
      await handle(made.context(), mailDecider, mailStream(facts.mailId), prepare);
    const deps = deliveryDeps(made, null);
    expect(await dropMail(deps, facts, { cause: event, reason: 'gone', attempt: 1 })).toEqual({ outcome: 'waits' });
    expect(await dropMail(deps, facts, { cause: event, reason: 'gone', attempt: 2 })).toMatchObject({
      outcome: 'settled',
    });
    expect(await typesOf(made, event)).toEqual(['MailPrepared', 'MailPrepared', 'MailDropped']);
  });
});
