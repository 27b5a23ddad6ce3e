/**
 * A log with known figures: three users, seven jobs, money, links and mails over three months. The eleven queries of
 * `docs/analysts.md` run on it.
 */
import { randomUUID } from 'node:crypto';
import type { DataOf, EventType } from '../../../src/domain/stored/eventOf.ts';
import type { EventStore } from '../../../src/eventStore/eventStore.ts';
import { modelUse } from '../modelUse.ts';
import { metadataAt } from '../stores/metadata.ts';

type Write = <Type extends EventType>(stream: string, at: string, type: Type, data: DataOf<Type>) => Promise<void>;

/** `store` checks the written events. */
export async function writeAnalystsLog(store: EventStore): Promise<void> {
  const write: Write = async (stream, at, type, data) => {
    await store.append(stream, [{ id: randomUUID(), type, data, metadata: metadataAt(at) }], { expected: 'any' });
  };
  await accounts(write);
  await jobs(write);
  await money(write);
  await plans(write);
  await links(write);
  await mails(write);
  await models(write);
}

async function accounts(write: Write): Promise<void> {
  for (const [userId, registeredAt] of [
    ['ann', '2026-01-01T00:00:00.000Z'],
    ['bob', '2026-01-10T00:00:00.000Z'],
    ['eve', '2026-02-01T00:00:00.000Z'],
  ] as const)
    await write(`account-${userId}`, registeredAt, 'AccountRegistered', {
      userId,
      email: `${userId}@example.com`,
      name: userId,
      passwordHash: 'hash',
      registeredAt,
    });
}

/** A model wrote for two audits of January, and once more in March, when no price was set. */
async function models(write: Write): Promise<void> {
  const [first, second, later] = ['2026-01-02T09:00:10.000Z', '2026-01-09T09:30:10.000Z', '2026-03-01T10:00:00.000Z'];
  await write('job-a1', first, 'ModelAsked', { jobId: 'a1', ...modelUse(), recordedAt: first });
  await write('job-a2', second, 'ModelAsked', { jobId: 'a2', ...modelUse(), recordedAt: second });
  const rework = { reworkId: 'r1', ask: 1, jobId: 'a1', userId: 'ann', attempt: 1 };
  await write('rework-r1', later, 'ReworkModelAsked', {
    ...rework,
    ...modelUse({ costMicros: null }),
    recordedAt: later,
  });
}

/** Ann has audited two sites, one of them three times; Bob one, twice; Eve one, in vain. */
async function jobs(write: Write): Promise<void> {
  const seconds = (at: string, more: number): string => new Date(Date.parse(at) + more * 1_000).toISOString();
  const audited = async (
    userId: string,
    jobId: string,
    host: string,
    submittedAt: string,
    end: { readonly score: number; readonly took: number } | string,
  ) => {
    const stream = `job-${jobId}`;
    const bounds = { maxPages: 50, maxMs: 180_000 };
    await write(stream, submittedAt, 'JobSubmitted', {
      jobId,
      userId,
      url: `https://${host}/`,
      host,
      bounds,
      access: 'full',
      submittedAt,
    });
    if (typeof end === 'string')
      return write(stream, seconds(submittedAt, 5), 'JobFailed', {
        jobId,
        code: end,
        reason: 'It failed.',
        failedAt: submittedAt,
      });
    const at = seconds(submittedAt, end.took);
    await write(stream, at, 'JobReportReady', {
      jobId,
      score: end.score,
      pagesAudited: 9,
      findings: 3,
      highImpact: 1,
      files: ['findings.json'],
      readyAt: at,
    });
    await write(stream, at, 'JobCompleted', { jobId, completedAt: at });
  };
  await audited('ann', 'a1', 'a.example', '2026-01-02T09:00:00.000Z', { score: 50, took: 10 });
  await audited('ann', 'a2', 'a.example', '2026-01-09T09:30:00.000Z', { score: 60, took: 20 });
  await audited('ann', 'a3', 'a.example', '2026-02-02T14:00:00.000Z', { score: 70, took: 30 });
  await audited('ann', 'a4', 'other.example', '2026-02-03T09:00:00.000Z', { score: 80, took: 40 });
  await audited('bob', 'b1', 'b.example', '2026-02-04T14:00:00.000Z', { score: 90, took: 50 });
  await audited('bob', 'b2', 'b.example', '2026-03-04T20:00:00.000Z', { score: 80, took: 60 });
  await audited('eve', 'e1', 'e.example', '2026-03-05T09:00:00.000Z', 'SITE_UNREACHABLE');
  for (const [jobId, completedAt] of [
    ['a1', '2026-01-05T00:00:00.000Z'],
    ['a2', '2026-01-11T00:00:00.000Z'],
    ['b1', '2026-02-12T00:00:00.000Z'],
  ] as const)
    await write(`plan-${jobId}`, completedAt, 'ActionCompleted', { jobId, actionId: 'item', completedAt });
}

async function money(write: Write): Promise<void> {
  const of = { userId: 'ann', currency: 'usd', funds: 5_000, balance: 5_000 };
  const paid = { ...of, paymentIntentId: 'pi_1', amount: 5_000 };
  await write('billing-ann', '2026-01-02T00:00:00.000Z', 'FundsAdded', {
    ...paid,
    quantity: 1,
    addedAt: '2026-01-02T00:00:00.000Z',
  });
  await write('billing-ann', '2026-02-02T00:00:00.000Z', 'FundsAdded', {
    ...paid,
    paymentIntentId: 'pi_2',
    amount: 10_000,
    quantity: 2,
    addedAt: '2026-02-02T00:00:00.000Z',
  });
  await write('billing-ann', '2026-02-20T00:00:00.000Z', 'PaymentRefunded', {
    ...paid,
    refundId: 're_1',
    refundedAt: '2026-02-20T00:00:00.000Z',
  });
  const disputed = { ...paid, paymentIntentId: 'pi_2', amount: 10_000, disputeId: 'dp_1' };
  await write('billing-ann', '2026-02-25T00:00:00.000Z', 'DisputeOpened', {
    ...disputed,
    openedAt: '2026-02-25T00:00:00.000Z',
  });
  await write('billing-ann', '2026-03-25T00:00:00.000Z', 'DisputeWon', {
    ...disputed,
    wonAt: '2026-03-25T00:00:00.000Z',
  });
}

/** Bob subscribes in January and moves up in February; Eve subscribes in February and leaves in March. */
async function plans(write: Write): Promise<void> {
  const plan = (userId: string, at: string, amount: number) => ({
    userId,
    subscriptionId: `sub_${userId}`,
    asOf: at,
    periodStart: at,
    periodEnd: at,
    price: amount,
    currency: 'usd',
    paid: { invoiceId: `in_${userId}_${at}`, paymentIntentId: null, amount, currency: 'usd' },
  });
  const [started, changed, late, left] = [
    '2026-01-15T00:00:00.000Z',
    '2026-02-15T00:00:00.000Z',
    '2026-02-16T00:00:00.000Z',
    '2026-03-16T00:00:00.000Z',
  ];
  await write('billing-bob', started, 'SubscriptionStarted', {
    ...plan('bob', started, 2_900),
    tier: 'tier1',
    status: 'active',
    startedAt: started,
  });
  await write('billing-bob', changed, 'SubscriptionChanged', {
    ...plan('bob', changed, 7_900),
    formerTier: 'tier1',
    tier: 'tier2',
    changedAt: changed,
  });
  await write('billing-eve', late, 'SubscriptionStarted', {
    ...plan('eve', late, 0),
    paid: null,
    tier: 'tier1',
    status: 'trialing',
    startedAt: late,
  });
  await write('billing-eve', left, 'SubscriptionEnded', {
    userId: 'eve',
    subscriptionId: 'sub_eve',
    asOf: left,
    tier: 'tier1',
    endedAt: left,
  });
}

async function links(write: Write): Promise<void> {
  const at = '2026-02-10T00:00:00.000Z';
  for (const [shareId, mode] of [
    ['s1', 'preview'],
    ['s2', 'preview'],
    ['s3', 'full'],
  ] as const)
    await write('shares-a1', at, 'ShareCreated', {
      jobId: 'a1',
      userId: 'ann',
      shareId,
      title: 'Audit',
      description: '',
      sharedContent: ['actions'],
      mode,
      expiresAt: null,
      tokenHash: 'hash',
      createdAt: at,
    });
  const visited = (
    type: 'ShareViewed' | 'SharePreviewViewed' | 'ShareSignUpClicked' | 'ShareSignedUp',
    shareId: string,
    count: number,
  ) => write('share-visits-a1', at, type, { jobId: 'a1', shareId, count, until: at });
  await visited('SharePreviewViewed', 's1', 40);
  await visited('SharePreviewViewed', 's1', 10);
  await visited('SharePreviewViewed', 's2', 5);
  await visited('ShareSignUpClicked', 's1', 8);
  await visited('ShareSignedUp', 's1', 2);
  await visited('ShareViewed', 's3', 7);
}

async function mails(write: Write): Promise<void> {
  const at = '2026-02-10T00:00:00.000Z';
  for (const mailId of ['m1', 'm2', 'm3'])
    await write(`mail-${mailId}`, at, 'MailSent', { mailId, userId: 'ann', kind: 'job_done', sentAt: at });
  await write('mail-m4', at, 'MailDropped', {
    mailId: 'm4',
    userId: 'bob',
    kind: 'job_done',
    reason: 'not_wanted',
    droppedAt: at,
  });
  await write('mail-m5', at, 'MailSent', { mailId: 'm5', userId: 'eve', kind: 'receipt', sentAt: at });
}
