/** Retrying and dropping each kind of work: the event that each writes, and its effect on the list. */

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropWork } from '../../src/commands/work/dropWork.ts';
import { retryGivenUp } from '../../src/commands/work/givenUp.ts';
import { exportsStream } from '../../src/domain/accountExport/events.ts';
import { promptTrialStream } from '../../src/domain/promptTrial/events.ts';
import { providerEventStream } from '../../src/domain/providerEvent/events.ts';
import { reworkStream } from '../../src/domain/rework/events.ts';
import { deliveryStream } from '../../src/domain/webhooks/events.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { WORK_KIND_NAMES } from '../../src/model/workKinds.ts';
import { openSqliteReadModels, type SqliteReadModels } from '../../src/readModels/sqlite/sqlite.ts';
import { WORK_ITEMS } from '../../src/work/items.ts';
import { setFollowUpAside } from '../../src/work/kinds/followUp.ts';
import { operateWork, operatorContext, WorkRequest } from '../../src/work/operate.ts';
import { READ_MODELS, WORK_RULES } from '../../src/work/rules.ts';
import { refusal } from '../contract/eventStoreHarness.ts';
import { memoryEventStore } from '../given/stores/eventStore.ts';
import { metadataAt } from '../given/stores/metadata.ts';
import { type Projecting, projecting } from '../given/stores/projections.ts';

const AT = '2026-03-10T12:00:00.000Z';
const bounds = { maxPages: 50, maxMs: 180_000 };

let store: EventStore;
let readModels: SqliteReadModels;
let loop: Projecting;
beforeEach(() => {
  store = memoryEventStore();
  readModels = openSqliteReadModels({ file: ':memory:' });
  loop = projecting(store, readModels, READ_MODELS);
});
afterEach(async () => {
  await loop.stop();
  await readModels.close();
  await store.close();
});

async function append(
  stream: string,
  ...events: readonly { readonly type: string; readonly data: object }[]
): Promise<void> {
  const envelopes = events.map((event) => ({ id: randomUUID(), ...event, metadata: metadataAt(AT) }));
  await store.append(stream, envelopes, { expected: 'any' });
}
const caughtUp = async () => expect(await readModels.reached([WORK_ITEMS], await store.head(), 5_000)).toBe(true);
const operate = (request: WorkRequest) =>
  operateWork({ readModels, claims: readModels.claims, context: () => operatorContext(store) }, request);
const list = async (kind?: string) =>
  (await operate({ action: 'list', limit: 100, ...(kind === undefined ? {} : { kind }) })).rows;
const newest = async () => (await store.readAll({ direction: 'backward', limit: 1 })).events[0];

const PROVIDER_EVENT = {
  eventId: 'evt_1',
  eventType: 'payment_intent.succeeded',
  createdAt: AT,
  isLive: false,
  account: null,
  objectId: 'pi_1',
  amount: 5_000,
  currency: 'usd',
  subject: { kind: 'payment', paymentIntentId: 'pi_1' },
};

const ENROLMENT = { userId: 'ann', sequenceId: 's', enrolmentId: 'e' };

/** One item of each kind is pending. */
async function enqueueAll(): Promise<void> {
  await append(
    'job-j',
    {
      type: 'JobSubmitted',
      data: {
        jobId: 'j',
        userId: 'ann',
        url: 'https://example.com/',
        host: 'example.com',
        bounds,
        access: 'full',
        submittedAt: AT,
      },
    },
    { type: 'JobQueued', data: { jobId: 'j', queuedAt: AT } },
  );
  await append('account-ann', {
    type: 'AccountPasswordChanged',
    data: { userId: 'ann', passwordHash: 'x', changedAt: AT },
  });
  await append(deliveryStream('d'), {
    type: 'WebhookQueued',
    data: { deliveryId: 'd', endpointId: 'e', userId: 'ann', event: 'test', body: '{}', queuedAt: AT },
  });
  await append(reworkStream('r'), {
    type: 'SummaryAsked',
    data: { reworkId: 'r', ask: 1, jobId: 'j', userId: 'ann', askedAt: AT },
  });
  await append(promptTrialStream('j'), {
    type: 'PromptTrialAsked',
    data: { jobId: 'j', ask: 1, adminId: 'ada', key: 'summary', content: 'C', askedAt: AT },
  });
  await append(exportsStream('ann'), {
    type: 'AccountExportRequested',
    data: { userId: 'ann', ask: 1, fileId: 'f', requestedAt: AT },
  });
  await append(providerEventStream('evt_1'), {
    type: 'ProviderEventReceived',
    data: { ...PROVIDER_EVENT, source: 'webhook', receivedAt: AT },
  });
  const cause = (await store.readAll({ limit: 1 })).events[0];
  if (!cause) throw new Error('the log is empty');
  await append(
    'delivery-ann',
    { type: 'SequenceEnrolled', data: { ...ENROLMENT, trigger: 'sign_up', triggeredAt: AT, enrolledAt: AT } },
    {
      type: 'SequenceMailScheduled',
      data: { ...ENROLMENT, mailId: 'm', templateId: 't', stepNumber: 1, dueAt: AT, scheduledAt: AT },
    },
  );
  await setFollowUpAside({ ...operatorContext(store), now: () => AT }, 'planFiles', cause, 'Error');
  await caughtUp();
}

describe('pending work', () => {
  it('is unavailable before its list was built', async () => {
    await loop.stop();
    readModels = openSqliteReadModels({ file: ':memory:' });
    expect(await refusal(operate({ action: 'list', limit: 1 }))).toMatchObject({ code: 'WORK_NOT_LISTED' });
  });

  it('is listed kind by kind, up to a number', async () => {
    await loop.ready;
    await enqueueAll();
    expect((await list()).map(({ kind }) => kind)).toEqual(WORK_RULES.map(({ kind }) => kind));
    expect((await list('webhook')).map(({ itemId, lane, held }) => [itemId, lane, held])).toEqual([
      ['d', 'ann', false],
    ]);
    expect(await operate({ action: 'list', limit: 2 })).toMatchObject({
      rows: [{ kind: 'audit' }, { kind: 'mail' }],
      more: true,
    });
    expect(await operate({ action: 'list', limit: 9 })).toMatchObject({ more: false });
  });

  it.each(WORK_RULES.map(({ kind }) => kind))(
    'of the kind %s has a name, and a way to be retried once it was given up',
    async (kind) => {
      expect(WORK_KIND_NAMES).toHaveProperty(kind);
      const unknown = await refusal(retryGivenUp(operatorContext(store), { kind, itemId: 'unknown', ownerId: null }));
      expect(unknown.code).not.toBe('NO_SUCH_WORK');
    },
  );

  it.each(WORK_RULES.map(({ kind }) => kind))(
    'of the kind %s is opened again by a retry, and dropped by its own event',
    async (kind) => {
      await loop.ready;
      await enqueueAll();
      const before = await list();
      const [item] = before.filter((row) => row.kind === kind);
      if (!item) throw new Error(`nothing of ${kind} is pending`);
      const { itemId } = item;
      await operate({ action: 'retry', kind, itemId });
      expect(await newest()).toMatchObject({
        type: 'WorkRetryAsked',
        stream: `work-${kind}-${itemId}`,
        data: { kind, itemId },
        metadata: { actor: { kind: 'system', id: 'operator' } },
      });
      await caughtUp();
      expect((await list(kind))[0]?.openedAt).toBe(item.openedAt);
      expect((await list(kind))[0]?.dueAt).not.toBe(item.dueAt);

      await operate({ action: 'drop', kind, itemId });
      const types: Record<string, string> = {
        audit: 'JobFailed',
        mail: 'MailDropped',
        webhook: 'WebhookTried',
        rework: 'ReworkGivenUp',
        promptTrial: 'PromptTrialGivenUp',
        accountExport: 'AccountExportFailed',
        providerEvent: 'ProviderEventIgnored',
        followUp: 'FollowUpDropped',
        sequenceMail: 'SequenceMailFailed',
      };
      expect(await newest()).toMatchObject({
        type: types[kind],
        metadata: { actor: { kind: 'system', id: 'operator' } },
      });
      await caughtUp();
      expect((await list(kind)).filter((row) => row.itemId === itemId)).toEqual([]);
      expect(await readModels.reached(['givenUpWork'], await store.head(), 5_000)).toBe(true);
      expect((await operate({ action: 'list-given-up', kind, limit: 10 })).givenUp).toMatchObject([
        { kind, itemId, reason: 'dropped' },
      ]);
      // Once more, it goes from the list of given-up work.
      await operate({ action: 'drop', kind, itemId });
      expect(await newest()).toMatchObject({ type: 'GivenUpWorkDropped', stream: `work-${kind}-${itemId}` });
      expect(await readModels.reached(['givenUpWork'], await store.head(), 5_000)).toBe(true);
      expect(
        (await operate({ action: 'list-given-up', limit: 10 })).givenUp.filter(
          (each) => each.itemId === itemId && each.kind === kind,
        ),
      ).toEqual([]);
      expect(await refusal(operate({ action: 'drop', kind, itemId }))).toMatchObject({ code: 'NO_SUCH_WORK' });
    },
  );
});

it('that has ended in its stream, but is still in the list, cannot be dropped', async () => {
  await loop.ready;
  await enqueueAll();
  await loop.stop();
  await append('job-j', {
    type: 'JobFailed',
    data: { jobId: 'j', userId: 'ann', code: 'INTERNAL', reason: 'r', failedAt: AT },
  });
  expect(await refusal(operate({ action: 'drop', kind: 'audit', itemId: 'j' }))).toMatchObject({
    code: 'WORK_ALREADY_OVER',
  });
});

it('an unknown action and an unknown kind are refused', async () => {
  for (const request of [
    null,
    {},
    { action: 'drop', kind: 'sweep', itemId: 'x' },
    { action: 'list', limit: 1_001 },
    { action: 'retry', kind: 'audit' },
  ])
    expect(WorkRequest.safeParse(request).success).toBe(false);
  const item = { kind: 'toString', itemId: 'x', lane: 'x', opener: { type: 'x' } };
  expect(await refusal(dropWork(operatorContext(store), item))).toMatchObject({ code: 'NO_SUCH_WORK' });
});
