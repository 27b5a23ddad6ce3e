/**
 * Reports and screens have the same numbers on the same log, though each has its own fold. Analytics has its own test
 * beside this one.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBooks } from '../../../src/commands/billing/checkBooks.ts';
import { receiveProviderEvent } from '../../../src/commands/billing/receiveProviderEvent.ts';
import { contextOf } from '../../../src/commands/context.ts';
import { moneyText } from '../../../src/model/money.ts';
import type { ReportRow } from '../../../src/model/reports.ts';
import { actionItem, givenAnalysis, givenJob } from '../../given/analysis.ts';
import { startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { openShop, type Shop } from '../../given/product/shop.ts';
import { givenSequence } from '../../given/sequences.ts';

let app: TestApp;
let admin: TestUser;
const MINUTE = 60_000;

/** The rows of a table of a report, as requested by the reports page. */
async function rowsOf(report: string, table: string, by: TestUser = admin): Promise<readonly ReportRow[]> {
  const { status, body } = await by.call('GET', `/api/v1/admin/reports/${report}`);
  expect(status).toBe(200);
  const found = body.data.tables.find(({ name }: { readonly name: string }) => name === table);
  return found?.rows ?? expect.fail(`${report} has no table ${table}`);
}
const sum = (rows: readonly ReportRow[], field: string): number =>
  rows.reduce((total, row) => total + Number(row[field] ?? 0), 0);

describe('a report and a screen', () => {
  beforeEach(async () => {
    app = await startTestApp();
    admin = await app.signUp({ email: 'admin@example.com' });
  });
  afterEach(() => app.close());

  const screen = async (path: string) => {
    await app.readModels.reached(
      ['jobs', 'billing', 'jobIndex', 'failedMails', 'webhookDeliveries', 'sequenceRecipients'],
      await app.store.head(),
      5_000,
    );
    const { status, body } = await admin.call('GET', `/api/v1/admin/${path}`);
    expect(status).toBe(200);
    return body;
  };
  const failed = (jobId: string) =>
    app.given(`job-${jobId}`, {
      type: 'JobFailed',
      data: { jobId, code: 'SITE_DNS', reason: 'Not found.', failedAt: app.deps.now() },
    });

  it('have the same audits: submitted, finished, and taken from the free allowance', async () => {
    const [ann, bob] = [await app.signUp({ email: 'ann@example.com' }), await app.signUp({ email: 'bob@example.com' })];
    for (const user of [ann, ann, bob]) await givenAnalysis(app, user.userId);
    const { jobId } = await givenJob(app, bob.userId);
    await failed(jobId);
    const released = {
      userId: bob.userId,
      jobId,
      reason: 'job_failed',
      from: 'free_allowance',
      period: app.deps.now().slice(0, 7),
      releasedAt: app.deps.now(),
    };
    await app.given(`billing-${bob.userId}`, { type: 'AnalysisReleased', data: released });
    await givenJob(app, ann.userId);

    const jobs: { readonly status: string }[] = (await screen('all-jobs')).data;
    const used = [(await screen(`users/${ann.userId}`)).data, (await screen(`users/${bob.userId}`)).data].map(
      ({ billing }) => billing.usage.used,
    );
    const usage = await rowsOf('usage', 'over-time');
    expect(sum(usage, 'submitted')).toBe(jobs.length);
    expect(sum(usage, 'finished')).toBe(jobs.filter(({ status }) => status === 'completed').length);
    expect(sum(await rowsOf('usage', 'by-source'), 'kept')).toBe(used[0] + used[1]);
    // Counted by hand.
    expect([jobs.length, sum(usage, 'finished'), sum(usage, 'returned'), used]).toEqual([5, 3, 1, [3, 1]]);
  });

  it('have the same scores of a site and completed items', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    const items = [actionItem('title-missing'), actionItem('h1-missing')];
    const first = await givenAnalysis(app, ann.userId, { score: 60, items });
    app.advance(MINUTE);
    const second = await givenAnalysis(app, ann.userId, { score: 75, items });
    await ann.call('PUT', `/api/v1/actions/title-missing/progress?jobId=${first.jobId}`, { status: 'completed' });
    const { runs }: { readonly runs: readonly { readonly score: number }[] } = (
      await ann.call('GET', `/api/v1/jobs/${second.jobId}/runs`)
    ).body.data;
    const [site] = await rowsOf('quality', 'by-site');
    expect(site).toMatchObject({ audits: runs.length, before: runs[0]?.score, after: runs.at(-1)?.score, change: 15 });
    const shown: { readonly checkId: string; readonly status: string }[] = [];
    for (const { jobId } of [first, second])
      shown.push(...(await ann.call('GET', `/api/v1/actions?jobId=${jobId}`)).body.actions);
    const checks = await rowsOf('quality', 'by-check');
    expect([sum(checks, 'items'), sum(checks, 'completed')]).toEqual([
      shown.length,
      shown.filter(({ status }) => status === 'completed').length,
    ]);
    expect([runs.map(({ score }) => score), shown.length]).toEqual([[60, 75], 4]);
  });

  it('have the same emails of a sequence: sent, failed and skipped', async () => {
    const { sequenceId, templateId } = await givenSequence(app);
    const at = app.deps.now();
    const outcomes = ['Sent', 'Sent', 'Failed', 'Skipped', null] as const;
    for (const [nth, outcome] of outcomes.entries()) {
      const userId = `reader-${nth}`;
      const of = { userId, sequenceId, enrolmentId: `enrolment-${nth}` };
      const step = { ...of, mailId: `mail-${nth}`, templateId, stepNumber: 1 };
      await app.given(
        `delivery-${userId}`,
        { type: 'SequenceEnrolled', data: { ...of, trigger: 'sign_up', triggeredAt: at, enrolledAt: at } },
        { type: 'SequenceMailScheduled', data: { ...step, dueAt: at, scheduledAt: at } },
      );
      if (outcome === 'Sent')
        await app.given(`delivery-${userId}`, { type: 'SequenceMailSent', data: { ...step, sentAt: at } });
      if (outcome === 'Failed')
        await app.given(`delivery-${userId}`, {
          type: 'SequenceMailFailed',
          data: { ...step, reason: 'too_old', failedAt: at },
        });
      if (outcome === 'Skipped')
        await app.given(`delivery-${userId}`, { type: 'SequenceMailSkipped', data: { ...step, skippedAt: at } });
    }
    const { steps } = await screen(`email-sequences/sequences/${sequenceId}/figures`);
    const mails = (await rowsOf('mails', 'by-kind')).filter(({ kind }) => kind === 'Email sequence');
    expect(mails).toMatchObject([
      { sent: sum(steps, 'sent'), failed: sum(steps, 'failed'), dropped: sum(steps, 'skipped') },
    ]);
    expect(steps).toMatchObject([{ sent: 2, failed: 1, skipped: 1, waiting: 1 }]);
  });

  it('have the same failed emails, webhook deliveries and audits', async () => {
    const ann = await app.signUp({ email: 'ann@example.com' });
    const at = app.deps.now();
    for (const reason of ['refused', 'too_old', 'given_up', 'not_wanted']) {
      const mailId = randomUUID();
      await app.given(`mail-${mailId}`, {
        type: 'MailDropped',
        data: { mailId, userId: ann.userId, kind: 'job_done', reason, droppedAt: at },
      });
    }
    for (const ok of [true, false, false]) {
      const deliveryId = randomUUID();
      const of = { deliveryId, endpointId: 'endpoint-1' };
      await app.given(
        `webhook-delivery-${deliveryId}`,
        { type: 'WebhookQueued', data: { ...of, userId: ann.userId, event: 'test', body: '{}', queuedAt: at } },
        {
          type: 'WebhookTried',
          data: { ...of, attempt: 1, ok, status: ok ? 200 : 500, ms: 5, error: null, triedAt: at, nextTryAt: null },
        },
      );
    }
    await failed((await givenJob(app, ann.userId)).jobId);

    const [mails, webhooks] = [(await screen('system/mails')).failed, (await screen('system/webhooks')).failed];
    const givenUp = await rowsOf('errors', 'given-up');
    const of = (what: string): number =>
      sum(
        givenUp.filter((row) => row.what === what),
        'times',
      );
    expect([of('Email'), of('Webhook delivery')]).toEqual([mails.length, webhooks.length]);
    expect(sum(await rowsOf('mails', 'by-kind'), 'failed')).toBe(mails.length);
    expect(sum(await rowsOf('errors', 'failed'), 'times')).toBe((await screen('overview')).data.jobs.failed_today);
    expect([mails.length, webhooks.length]).toEqual([3, 2]);
  });
});

describe('the report of payments at the provider and billing:check', () => {
  let shop: Shop;
  let ann: TestUser;
  let byAdmin: TestUser;
  beforeEach(async () => {
    shop = await openShop();
    ann = await shop.signUp();
    const admin = await shop.signUp({ email: 'books@example.com' });
    await shop.given(`account-${admin.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: admin.userId, reason: 'configured' },
    });
    byAdmin = admin;
  });
  afterEach(() => shop.close());

  /** Paid at the provider, reported by its event and confirmed by the browser. */
  async function buy(quantity: number): Promise<string> {
    const asked = { priceId: 'price_report', quantity, billingEmail: 'ann@example.com' };
    const { clientSecret, paymentIntentId } = (await ann.call('POST', '/api/v1/auth/create-checkout-session', asked))
      .body;
    await shop.provider.confirm(clientSecret);
    expect((await ann.call('POST', '/api/v1/auth/verify-payment-and-add-credits', { paymentIntentId })).status).toBe(
      200,
    );
    return paymentIntentId;
  }
  async function reported(): Promise<void> {
    const { store, deps } = shop;
    for await (const event of shop.provider.payments.eventsSince('2026-03-01T00:00:00.000Z')) {
      const actor = { kind: 'system', id: 'sweeps' } as const;
      await receiveProviderEvent(
        contextOf({ store, now: deps.now, commandId: randomUUID(), actor }, null),
        event,
        'sweep',
      );
    }
  }

  it('have the same payments and sums, and report the same differences', async () => {
    for (const quantity of [1, 3]) await buy(quantity);
    await reported();
    const agreed = await checkBooks(shop.store, shop.provider.payments);
    const [row] = await rowsOf('payouts', 'over-time', byAdmin);
    expect(row).toMatchObject({
      currency: 'usd',
      payments: agreed.payments,
      provider: 20_000,
      ledger: 20_000,
      difference: 0,
    });
    expect([agreed.differences, await rowsOf('reconciliation', 'differences', byAdmin)]).toEqual([[], []]);

    const forged = {
      paymentIntentId: 'pi_forged',
      amount: 5_000,
      currency: 'usd',
      funds: 5_000,
      balance: 25_000,
      quantity: 1,
      addedAt: shop.deps.now(),
    };
    await shop.given(`billing-${ann.userId}`, { type: 'FundsAdded', data: { userId: ann.userId, ...forged } });
    const { payments, differences } = await checkBooks(shop.store, shop.provider.payments);
    const [sums] = await rowsOf('payouts', 'over-time', byAdmin);
    expect(sums).toMatchObject({ payments, provider: 20_000, ledger: 25_000, difference: -5_000 });
    const text = (amount: unknown): string => moneyText({ amount: Number(amount), currency: 'usd' });
    expect(differences.at(-1)).toBe(
      `All users: kept ${text(sums?.provider)} by the provider, ${text(sums?.ledger)} by the bill.`,
    );
    expect(await rowsOf('reconciliation', 'differences', byAdmin)).toMatchObject([
      { id: 'pi_forged', ledger: 5_000, provider: null },
    ]);
    expect(differences.filter((line) => line.includes('pi_'))).toEqual([
      expect.stringContaining(`pi_forged: the bill has ${text(5_000)} paid`),
    ]);
  });
});
