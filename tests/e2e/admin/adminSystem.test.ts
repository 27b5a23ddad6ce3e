/**
 * An operator in a real browser: finds a parked event, reads its error, retries it, and sees it done; drops unwanted
 * work.
 */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mailIdOf } from '../../../src/commands/mail/mailOf.ts';
import { givenJob } from '../../given/analysis.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { PARKED, storesWithParkedEvent } from '../../given/product/parkedEvent.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const WEB = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

describe.skipIf(!available('Chromium', CHROMIUM))('the system page in a browser', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let page: Page;
  let faults: readonly string[];
  let jobId: string;
  let customer: TestUser;
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);

  beforeAll(async () => {
    app = await startTestApp({ stores: await storesWithParkedEvent(), config: { webDir: WEB } });
    // The browser's clock is this machine's.
    app.advance(Date.now() - Date.parse(app.deps.now()));
    const admin = await app.signUp({ email: 'operator@example.com', name: 'Olga Operator' });
    await app.given(`account-${admin.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: admin.userId, reason: 'configured' },
    });
    customer = await app.signUp({ email: 'customer@example.com', name: 'Carla Customer' });
    jobId = (await customer.call('POST', '/api/v1/process', { url: 'shop.example.com' })).body.data.id;
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(20_000);
    await signIn(context, app.url, { email: admin.email, password: PASSWORD });
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  /** About a changed password; the mail server refused it. */
  async function givenFailedMail(): Promise<string> {
    const { userId } = customer;
    await app.given(`account-${userId}`, {
      type: 'AccountPasswordChanged',
      data: { userId, passwordHash: 'x', changedAt: app.deps.now() },
    });
    const read = await app.store.read(`account-${userId}`);
    const led = read.status === 'found' ? read.events.at(-1) : undefined;
    const mailId = led && mailIdOf(led);
    if (!mailId) throw new Error('No email follows.');
    const cause = { id: led.id, stream: led.stream, revision: String(led.revision), type: led.type };
    const data = { mailId, userId, kind: 'password_changed', reason: 'refused', cause, droppedAt: app.deps.now() };
    await app.given(`mail-${mailId}`, { type: 'MailDropped', data });
    return mailId;
  }

  it('shows a parked event with its error, and its successful retry', async () => {
    await page.goto(`${app.url}/admin`);
    await page.getByRole('main').getByRole('link', { name: 'System Status' }).first().click();
    await page.getByRole('heading', { name: 'System Status', level: 1 }).waitFor();
    await page.getByText('1 document of the read models cannot take an event, the first in boards.').waitFor();
    const parked = page.getByRole('list', { name: 'Parked events' });
    await parked.getByText(PARKED.error).waitFor();
    await lookEverywhere(page, 'admin-system-parked');
    await parked.getByRole('button', { name: `Retry ${PARKED.eventType} in ${PARKED.model}` }).click();
    await page.getByText(`${PARKED.model} ${PARKED.documentId}: Done: the event was applied.`).waitFor();
    await page.getByText('No events are parked.').waitFor();
    await parked.waitFor({ state: 'detached' });
    expect(await app.readModels.parked()).toEqual([]);
  });

  it('shows pending work, and drops it after a confirmation', async () => {
    await page.getByRole('list', { name: 'Active users' }).getByText('Carla Customer').waitFor();
    await page.getByRole('button', { name: 'Show Audits' }).click();
    await page.getByRole('button', { name: `Drop ${jobId}` }).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('The audit fails, and its owner gets the audit back.').waitFor();
    await look(page, 'admin-system-drop');
    await question.getByRole('button', { name: 'Drop it' }).click();
    await page.getByText('Nothing is pending.').waitFor();
    await look(page, 'admin-system-work');
  });

  it('lists given-up work, retries one, drops one after a confirmation, and retries the rest', async () => {
    const { userId } = customer;
    for (const site of ['one.example', 'two.example', 'three.example', 'four.example']) {
      const { jobId: failed } = await givenJob(app, userId, { host: site });
      await app.given(`job-${failed}`, {
        type: 'JobFailed',
        data: { jobId: failed, userId, code: 'INTERNAL', reason: 'Ours.', failedAt: app.deps.now() },
      });
    }
    await page.reload();
    await page.getByRole('button', { name: 'Show given up: Audits' }).click();
    const list = page.getByRole('list', { name: 'Given up: Audits' });
    await list.getByRole('link', { name: 'four.example' }).waitFor();
    await lookEverywhere(page, 'admin-system-given-up');
    await list.getByRole('button', { name: 'Retry one.example' }).click();
    await page.getByText('one.example: pending again.').waitFor();
    await list.getByRole('button', { name: 'Retry one.example' }).waitFor({ state: 'detached' });
    await list.getByRole('button', { name: 'Drop two.example' }).click();
    const question = page.getByRole('alertdialog');
    await question
      .getByText('“two.example” is removed from this list and can’t be retried from here anymore.')
      .waitFor();
    await question.getByRole('button', { name: 'Drop it' }).click();
    await list.getByRole('button', { name: 'Retry two.example' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Retry all: Audits' }).click();
    await page.getByText('No work was given up.').waitFor();
    await look(page, 'admin-system-given-up-retried');
    const retried = (await app.newEvents())
      .filter(({ type }) => type === 'JobSubmitted')
      .filter(({ data }) => data.retryOf !== undefined);
    // One of them was dropped from the pending work before.
    expect(retried.map(({ data }) => data.host).sort()).toEqual([
      'four.example',
      'one.example',
      'shop.example.com',
      'three.example',
    ]);
  });

  it('resends an undelivered email after a confirmation', async () => {
    const mailId = await givenFailedMail();
    await page.getByRole('button', { name: 'Show emails', exact: true }).click();
    await page.getByRole('button', { name: 'Send again: Password changed to customer@example.com' }).click();
    const question = page.getByRole('alertdialog', { name: 'Send this email again?' });
    await look(page, 'admin-system-resend');
    await question.getByRole('button', { name: 'Send it' }).click();
    await page.getByText('No emails have failed.').waitFor();
    expect((await app.newEvents()).at(-1)).toMatchObject({ type: 'MailRequeued', stream: `mail-${mailId}` });

    await page.goto(`${app.url}/admin/users/${customer.userId}`);
    const mails = page.getByRole('list', { name: 'Emails' });
    await mails.getByText('Password changed').waitFor();
    await mails.getByText('Being sent').waitFor();
    expect(await mails.getByRole('link', { name: 'History of Password changed' }).getAttribute('href')).toContain(
      `mail-${mailId}`,
    );
    await look(page, 'admin-user-mails');
    expect(faults).toEqual([]);
  });
});
