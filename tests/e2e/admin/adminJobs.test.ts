/**
 * An admin in a real browser: the dashboard, all users' jobs, another user's job, cancelled and retried on their
 * behalf.
 */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const EMAIL = `owner-${randomUUID()}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('all users’ jobs in a browser', () => {
  const data = temporaryData();
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  let finished: string;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir, { AUDIT_ALLOW_HOSTS: '127.0.0.1:9' });
    const owner = await signUp(server.url, EMAIL);
    finished = (await owner.submit(server.demoSite)).id;
    await owner.waitForJob(finished, ({ status }) => FINAL.has(status));
    // The host does not answer, so the job retries for a while and then fails.
    const broken = await owner.submit('http://127.0.0.1:9/');
    await owner.waitForJob(broken.id, ({ status }) => FINAL.has(status));
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, server.url, server.admin);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  it('are counted and listed on the dashboard', async () => {
    await page.goto(`${server.url}/admin`);
    await page.getByText('0 under way, 1 failed today').waitFor();
    await page.getByRole('table', { name: 'Recent jobs' }).waitFor();
    await lookEverywhere(page, 'admin');
  });

  it('are filtered and searched', async () => {
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Job Management' }).click();
    const table = page.getByRole('table', { name: 'All jobs' });
    await table.getByText(EMAIL).first().waitFor();
    await look(page, 'admin-jobs');
    await page.getByRole('tab', { name: 'Failed' }).click();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await page.getByRole('tab', { name: 'All' }).click();
    await page.getByLabel('Website or email').fill(EMAIL.slice(0, EMAIL.indexOf('@') + 1));
    await page.getByLabel('Website or email').press('Enter');
    await page.getByRole('button', { name: 'Show all' }).waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    await page.getByLabel('Website or email').fill('nothing.example');
    await page.getByLabel('Website or email').press('Enter');
    await page.getByText('No jobs found').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    await lookEverywhere(page, 'admin-jobs-all');
  });

  it('show another user’s job as such, with its report on demand', async () => {
    await page.goto(`${server.url}/admin/jobs/${finished}`);
    await page.getByText(`You are viewing a job of ${EMAIL} as an admin`).waitFor();
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page
      .getByRole('list', { name: 'Events' })
      .getByText(/^Job submitted:/)
      .waitFor();
    await lookEverywhere(page, 'admin-job');
    await page.getByRole('button', { name: 'Open report' }).click();
    await page.getByRole('img', { name: /^Score \d+ of 100$/ }).waitFor();
    await lookEverywhere(page, 'admin-report');
    await page.getByRole('button', { name: 'executive-summary.md' }).click();
    await page.getByRole('dialog').getByRole('heading').nth(1).waitFor();
    await page.keyboard.press('Escape');
  });

  it('can be retried for their owner, and end on the open page', async () => {
    await page.goto(`${server.url}/admin/jobs?status=failed`);
    await page.locator('[data-row] a').click();
    await page.getByRole('button', { name: 'Run again…' }).click();
    await look(page, 'admin-retry');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('link', { name: 'Open it' }).click();
    await page.getByText('Free (admin)').waitFor();
    await page.getByRole('button', { name: 'Run again…' }).waitFor();
    await page.getByText('Returned').waitFor();
    expect(faults).toEqual([]);
  });
});
