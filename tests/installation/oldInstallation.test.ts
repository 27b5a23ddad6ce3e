/** The committed log of an earlier version: it opens, its read models build, and its contents match `contents.json`. */

import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emailStreamOf } from '../../src/commands/account/emailStreamOf.ts';
import { derivedId } from '../../src/commands/derivedId.ts';
import { loadHistory, loadState } from '../../src/commands/handle.ts';
import { accountDecider } from '../../src/domain/account/decide.ts';
import { emailDecider } from '../../src/domain/account/email.ts';
import { accountStream, sessionStream } from '../../src/domain/account/events.ts';
import { sessionDecider } from '../../src/domain/account/session.ts';
import { apiKeysDecider } from '../../src/domain/apiKeys/apiKeys.ts';
import { apiKeysStream } from '../../src/domain/apiKeys/events.ts';
import { jobDecider } from '../../src/domain/job/decide.ts';
import { jobStream } from '../../src/domain/job/events.ts';
import { mailStream } from '../../src/domain/mail/events.ts';
import { mailDecider } from '../../src/domain/mail/mail.ts';
import { planStream } from '../../src/domain/plan/events.ts';
import { crawlStream, reportStream } from '../../src/domain/report/events.ts';
import { deliveryDecider } from '../../src/domain/webhooks/delivery.ts';
import { deliveryStream, webhookSecretStream, webhooksStream } from '../../src/domain/webhooks/events.ts';
import { webhooksDecider } from '../../src/domain/webhooks/webhooks.ts';
import type { RecordedEvent } from '../../src/eventStore/eventStore.ts';
import { PROJECTIONS } from '../../src/projections/all.ts';
import { allDocuments, readModelsOf } from '../given/product/livedIn.ts';
import { OLD_LOG, type OldInstallation, oldContents, oldInstallation } from '../given/product/oldInstallation.ts';
import { verified } from '../given/stores/logFiles.ts';
import { projecting } from '../given/stores/projections.ts';
import { memoryReadModels } from '../given/stores/readModels.ts';
import { documentsOf } from '../given/stores/replay.ts';

const contents = oldContents();
const { accounts, jobs, mails, endpoints, deliveries, sessions, requests } = contents;

let old: OldInstallation;
let log: readonly RecordedEvent[];

beforeAll(async () => {
  old = oldInstallation();
  log = (await old.store.readAll({ limit: 5_000 })).events;
});
afterAll(() => old.close());

const eventsOf = (stream: string): readonly RecordedEvent[] => log.filter((event) => event.stream === stream);
const statusOf = async (stream: string): Promise<string> => (await old.store.read(stream)).status;
const ofType = (type: string): readonly RecordedEvent[] => log.filter((event) => event.type === type);
const jobIds = (events: readonly RecordedEvent[]): readonly string[] =>
  events.map(({ data }) => (data as { readonly jobId: string }).jobId);

describe('the file', () => {
  it('has schema version 1, and the queue as that version left it', () => {
    const file = new Database(OLD_LOG, { readonly: true, fileMustExist: true });
    try {
      expect(file.pragma('user_version', { simple: true })).toBe(1);
      expect(file.pragma('journal_mode', { simple: true })).toBe('delete');
      expect(file.prepare('SELECT name FROM consumer_groups ORDER BY name').pluck().all()).toEqual([
        'audits',
        'mails',
        'webhook-tries',
        'webhooks',
      ]);
      const left = 'SELECT consumer_group, count(*) FROM deliveries GROUP BY consumer_group ORDER BY consumer_group';
      expect(file.prepare(left).raw().all()).toEqual([
        ['audits', 5],
        ['mails', 2],
        ['webhooks', 1],
      ]);
      expect(file.prepare('SELECT consumer_group FROM deliveries WHERE lease IS NOT NULL').pluck().all()).toEqual([
        'audits',
      ]);
      expect(file.prepare('SELECT consumer_group FROM deliveries WHERE parked_at IS NOT NULL').pluck().all()).toEqual([
        'mails',
        'webhooks',
      ]);
    } finally {
      file.close();
    }
  });

  it('is read in time order, to the last event', async () => {
    expect(log.length).toBe(845);
    const times = log.map(({ metadata }) => metadata.at);
    expect(times).toEqual([...times].sort());
    expect(times.at(-1)).toBe(contents.lastEventAt);
    expect(contents.lastEventAt < contents.now).toBe(true);
    expect(await old.store.head()).toBe(log.at(-1)?.position);
  });

  it('has every event in its version 1 shape', async () => {
    expect(await verified(old.raw)).toMatchObject({ events: 845, chained: 0, found: [] });
  });

  it('builds the same documents from upcast events as from the stored ones', async () => {
    const [asWritten, today] = await Promise.all([readModelsOf(old.raw), readModelsOf(old.store)]);
    // Whose a keyed request was, what led to an event and who did it stand in metadata alone, which version 1 had in
    // another form.
    const { keptAnswers: unknown, causes: _ledTo, activity: _done, ...others } = await allDocuments(asWritten);
    const { keptAnswers: known, causes, activity, ...same } = await allDocuments(today);
    expect(same).toEqual(others);
    for (const documents of [causes, activity]) expect(Object.keys(documents ?? {}).length).toBeGreaterThan(0);
    expect(unknown).toEqual({});
    expect(Object.values(known ?? {})).toContainEqual(
      expect.objectContaining({ userId: requests.freshAnswered.userId }),
    );
    await Promise.all([asWritten.close(), today.close()]);
  });

  it('builds every read model without parking an event', async () => {
    const readModels = memoryReadModels();
    const running = projecting(old.store, readModels, PROJECTIONS);
    await running.ready;
    await running.stop();
    expect(await readModels.parked()).toEqual([]);
    expect(Object.keys(await documentsOf(readModels, 'jobs')).sort()).toEqual(
      Object.values(jobs)
        .filter(({ state }) => state !== 'deleted' && state !== 'erased')
        .map(({ jobId }) => jobId)
        .sort(),
    );
    expect(Object.keys(await documentsOf(readModels, 'webhooks')).sort()).toEqual(
      Object.values(endpoints)
        .filter(({ state }) => state === 'active')
        .map(({ endpointId }) => endpointId)
        .sort(),
    );
    await readModels.close();
  });
});

describe('its accounts', () => {
  it.each(Object.entries(accounts))('%s', async (_name, { userId, email, state }) => {
    const { state: account, events } = await loadHistory(old.store, accountDecider, accountStream(userId));
    const { state: claim } = await loadState(old.store, emailDecider, emailStreamOf(email));
    expect(account.status).toBe(state === 'erased' ? 'deleted' : state === 'unfinished' ? 'active' : state);
    expect(claim.userId).toBe(state === 'erased' || state === 'unfinished' ? null : userId);
    if (account.status === 'active') expect(account.email).toBe(email);
    // An erased account has only its last event left.
    expect(events[0]?.type).toBe(state === 'erased' ? 'AccountDeleted' : 'AccountRegistered');
    expect(JSON.stringify(log.map(({ data }) => data)).includes(email)).toBe(state !== 'erased');
  });

  it('Dana asked for another address but never confirmed it', async () => {
    const { state } = await loadState(old.store, accountDecider, accountStream(accounts.dana.userId));
    expect(state).toMatchObject({ nextEmail: 'dana@moved.example' });
    expect((await loadState(old.store, emailDecider, emailStreamOf('dana@moved.example'))).state.userId).toBeNull();
  });

  it('only the first is an admin', async () => {
    const admins = ofType('AccountAdminGranted').map(({ data }) => (data as { readonly userId: string }).userId);
    expect(admins).toEqual([accounts.admin.userId]);
  });

  it.each(Object.entries(sessions))('the session %s', async (_name, { sessionId, userId, state, owed }) => {
    const { state: session, events } = await loadHistory(old.store, sessionDecider, sessionStream(sessionId));
    expect(session).toMatchObject({ status: state, userId });
    const order = log.findLast(
      (event) => event.type === 'AccountSessionsEnded' && event.stream === accountStream(userId),
    );
    if (owed === 'end') expect((events[0]?.position ?? '') < (order?.position ?? '')).toBe(true);
    if (owed === 'nothing' && state === 'active')
      expect((events[0]?.position ?? '') > (order?.position ?? '')).toBe(true);
  });

  it('Emil has an API key', async () => {
    const { keyId, userId } = contents.apiKeys.ofEmil;
    expect((await loadState(old.store, apiKeysDecider, apiKeysStream(userId))).state.keys).toHaveProperty(keyId);
  });

  it.each(Object.entries(requests))('the request %s', async (_name, { commandId, state, owed }) => {
    const stream = `request-${commandId}`;
    const last = eventsOf(stream).at(-1);
    expect(await statusOf(stream)).toBe(state === 'deleted' ? 'deleted' : 'found');
    expect(last?.type).toBe({ accepted: 'RequestAccepted', answered: 'RequestAnswered', deleted: undefined }[state]);
    const tooOld =
      last !== undefined && Date.parse(contents.now) - Date.parse(last.metadata.at) > 30 * 24 * 60 * 60 * 1_000;
    expect(tooOld).toBe(owed === 'delete');
  });
});

describe('its jobs', () => {
  it.each(Object.entries(jobs))('%s', async (_name, { jobId, userId, state }) => {
    const { state: job } = await loadState(old.store, jobDecider, jobStream(jobId));
    expect(job).toMatchObject({ userId });
    const isDeleted = state === 'deleted' || state === 'erased';
    const hasEnded = state === 'completed' || state === 'failed' || state === 'cancelled';
    expect(job.status).toBe(isDeleted ? 'deleted' : hasEnded ? 'finished' : state);
    if (hasEnded) expect(job).toMatchObject({ outcome: state });
    const content = state === 'erased' ? 'deleted' : state === 'completed' || state === 'deleted' ? 'found' : 'missing';
    expect([await statusOf(planStream(jobId)), await statusOf(reportStream(jobId))]).toEqual([content, content]);
  });

  it('there are no others', () => {
    expect([...new Set(jobIds(ofType('JobSubmitted')))].sort()).toEqual(
      Object.values(jobs)
        // The stream of a job that was deleted with its account has lost its beginning.
        .filter(({ jobId }) => jobId !== jobs.ofFred.jobId)
        .map(({ jobId }) => jobId)
        .sort(),
    );
  });

  it('one is on its second attempt, with two steps finished', async () => {
    const { state } = await loadState(old.store, jobDecider, jobStream(jobs.running.jobId));
    expect(state).toMatchObject({ status: 'running', attempt: 2, stepsEnded: 2, currentStep: 'checks' });
  });

  it('working data is left from that one, and from two finished ones', () => {
    const left = [...new Set(ofType('CrawlPartRecorded').map(({ stream }) => stream))];
    expect(left.sort()).toEqual(
      [jobs.running, jobs.crawlLeft, jobs.unsettled].map(({ jobId }) => crawlStream(jobId)).sort(),
    );
  });

  it('reservations are open for unfinished jobs, for one finished job, and for one that was never submitted', () => {
    const ended = new Set(jobIds([...ofType('AnalysisConsumed'), ...ofType('AnalysisReleased')]));
    const open = jobIds(ofType('AnalysisReserved')).filter((jobId) => !ended.has(jobId));
    const owing = Object.values(jobs).filter(({ owed }) => owed === 'audit' || owed === 'settle');
    const missing = contents.reservationWithoutJob.jobId;
    expect([...open].sort()).toEqual([...owing.map(({ jobId }) => jobId), missing].sort());
    expect(eventsOf(jobStream(missing))).toEqual([]);
  });

  it('batches are as described', () => {
    const batchOf = (jobId: string) =>
      (eventsOf(jobStream(jobId))[0]?.data as { readonly batchId?: string } | undefined)?.batchId;
    const { batchFirst, batchSecond, batchThird, openBatchEnded, openBatchQueued } = jobs;
    expect(new Set([batchFirst, batchSecond, batchThird].map(({ jobId }) => batchOf(jobId))).size).toBe(1);
    expect(batchOf(openBatchEnded.jobId)).toBe(batchOf(openBatchQueued.jobId));
    expect(ofType('JobSubmitted').filter(({ data }) => 'batchId' in data).length).toBe(5);
  });

  it('the regenerated plan keeps its former file', () => {
    const regenerated = ofType('PlanRegenerated');
    expect(jobIds(regenerated)).toEqual([jobs.sent.jobId]);
    const files = eventsOf(reportStream(jobs.sent.jobId)).filter(
      ({ data }) => (data as { readonly file: string }).file === 'action-items.md',
    );
    expect(files.length).toBe(1);
    expect((files[0]?.position ?? '') < (regenerated[0]?.position ?? '')).toBe(true);
  });
});

/** The event that a mail or a delivery is about. */
const ENDS = ['JobCompleted', 'JobFailed', 'JobCancelled'];
const endOf = (jobId: string): RecordedEvent | undefined =>
  eventsOf(jobStream(jobId)).find(({ type }) => ENDS.includes(type));
const causeOf = (mail: (typeof mails)[keyof typeof mails]): RecordedEvent | undefined => {
  if (mail.kind === 'job_done') return endOf(mail.jobId);
  const type = mail.kind === 'password_reset' ? 'PasswordResetAsked' : 'AccountPasswordChanged';
  return eventsOf(accountStream(mail.userId)).find((event) => event.type === type);
};
const MAIL_STATES: Readonly<Record<string, string>> = {
  MailPrepared: 'prepared',
  MailSent: 'sent',
  MailDropped: 'dropped',
};
const isFresh = (event: RecordedEvent | undefined): boolean =>
  Date.parse(contents.now) - Date.parse(event?.metadata.at ?? '') < 24 * 60 * 60 * 1_000;

describe('its mails', () => {
  it.each(Object.entries(mails))('%s', async (name, mail) => {
    const cause = causeOf(mail);
    expect(mail.mailId).toBe(derivedId(cause?.id ?? '', 'mail', mail.kind));
    const { events } = await loadHistory(old.store, mailDecider, mailStream(mail.mailId));
    expect(MAIL_STATES[events.at(-1)?.type ?? ''] ?? 'none').toBe(mail.state);
    expect(isFresh(cause)).toBe(name !== 'tooOld' && name !== 'passwordChanged');
  });

  it('were prepared once, or twelve times before they were given up', () => {
    expect(eventsOf(mailStream(mails.prepared.mailId)).length).toBe(1);
    expect(eventsOf(mailStream(mails.givenUp.mailId)).length).toBe(12);
  });

  it('were dropped for the recorded reasons', () => {
    const reasonOf = (mailId: string) =>
      (eventsOf(mailStream(mailId)).at(-1)?.data as { readonly reason?: string } | undefined)?.reason;
    expect([reasonOf(mails.refused.mailId), reasonOf(mails.notWanted.mailId)]).toEqual(['refused', 'not_wanted']);
  });

  it('the batch mail follows from the last job to finish', () => {
    const ends = [jobs.batchFirst, jobs.batchSecond, jobs.batchThird].map(({ jobId }) => endOf(jobId)?.position ?? '');
    expect(ends).toEqual([...ends].sort());
  });
});

describe('its webhooks', () => {
  it.each(Object.entries(endpoints))('the endpoint %s', async (_name, { endpointId, userId, state }) => {
    const { state: webhooks } = await loadState(old.store, webhooksDecider, webhooksStream(userId));
    expect(webhooks.known).toContain(endpointId);
    expect(webhooks.endpoints[endpointId]?.active).toBe(state === 'active' ? true : undefined);
    expect(await statusOf(webhookSecretStream(endpointId))).toBe(state === 'erased' ? 'deleted' : 'found');
  });

  it.each(Object.entries(deliveries))(
    'the delivery %s',
    async (name, { deliveryId, endpointId, userId, jobId, state }) => {
      const cause =
        name === 'actionTooOld'
          ? eventsOf(planStream(jobId)).find(({ type }) => type === 'ActionCompleted')
          : endOf(jobId);
      expect(deliveryId).toBe(derivedId(cause?.id ?? '', endpointId, 'delivery'));
      const { state: delivery } = await loadState(old.store, deliveryDecider, deliveryStream(deliveryId));
      expect(delivery.status).toBe(state);
      if ('userId' in delivery) expect(delivery).toMatchObject({ userId, endpointId });
      // Its text was deleted with it.
      if (state === 'forgotten')
        expect(eventsOf(deliveryStream(deliveryId)).map(({ type }) => type)).toEqual(['WebhookForgotten']);
    },
  );

  it('the pending one is due', async () => {
    const { state } = await loadState(old.store, deliveryDecider, deliveryStream(deliveries.waiting.deliveryId));
    expect(state).toMatchObject({ status: 'waiting', attempt: 2, trying: false });
    expect('dueAt' in state && state.dueAt < contents.now).toBe(true);
  });

  it('the failed one has had six attempts', () => {
    expect(
      eventsOf(deliveryStream(deliveries.failed.deliveryId)).filter(({ type }) => type === 'WebhookTried').length,
    ).toBe(6);
  });

  it('one endpoint was disabled while an audit finished', () => {
    const { endpointId, userId } = endpoints.enabledAgain;
    const own = eventsOf(webhooksStream(userId)).filter(
      ({ data }) => (data as { readonly endpointId: string }).endpointId === endpointId,
    );
    expect(own.map(({ type }) => type)).toEqual(['WebhookAdded', 'WebhookDisabled', 'WebhookEnabled']);
    const happened = endOf(jobs.whileDisabled.jobId);
    const places = [own[1]?.position, happened?.position, own[2]?.position];
    expect(places).toEqual([...places].sort());
    expect(isFresh(happened)).toBe(true);
  });

  it('all but one of the unannounced events are recent', () => {
    expect(isFresh(endOf(jobs.unannounced.jobId))).toBe(true);
    expect(isFresh(ofType('ActionCompleted')[0])).toBe(false);
  });

  it('the rotated secret keeps the previous one', () => {
    expect(eventsOf(webhookSecretStream(endpoints.steady.endpointId)).map(({ type }) => type)).toEqual([
      'WebhookSecretSet',
      'WebhookSecretRotated',
    ]);
  });
});
