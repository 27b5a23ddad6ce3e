/**
 * The past in a real browser: a report before it was worked on, earlier jobs, changes; and deleted content stays
 * deleted.
 */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, FINAL, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { picture } from '../../given/product/picture.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const EMAIL = `owner-${randomUUID().slice(0, 8)}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('the past in a browser', () => {
  const data = temporaryData();
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let owner: ApiClient;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  let jobId: string;
  const then = (): string => `${server.url}/admin/history?stream=job-${jobId}&at=${new Date().toISOString()}`;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    owner = await signUp(server.url, EMAIL);
    jobId = (await owner.submit(server.demoSite)).id;
    await owner.waitForJob(jobId, ({ status }) => FINAL.has(status));
    // The report's items are worked on: the past must not show it.
    const { body } = await owner.call<{ actions: { id: string }[] }>('GET', `/api/v1/actions?jobId=${jobId}`);
    const { status } = await owner.call('PUT', `/api/v1/actions/${body.actions[0]?.id}/progress?jobId=${jobId}`, {
      status: 'completed',
    });
    expect(status).toBe(200);
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

  it('shows a report before it was worked on, by the keys of the slider', async () => {
    await page.goto(`${server.url}/admin/history?stream=job-${jobId}`);
    await page.getByRole('link', { name: 'Snapshots' }).click();
    await page.getByText('Snapshot of').waitFor();
    await page.getByRole('button', { name: 'Open report' }).click();
    const items = page.getByRole('list', { name: 'Action items' });
    await items.getByText('Completed', { exact: true }).waitFor();
    await lookEverywhere(page, 'past-report');
    const slider = page.getByRole('slider', { name: 'Event' });
    await slider.focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => items.getByText('Completed', { exact: true }).count()).toBe(0);
    expect(await items.getByText('Todo', { exact: true }).count()).toBeGreaterThan(0);
    await picture(page, 'history-report-then', 1_500);
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByText(/^Job submitted: /).waitFor();
    await page.getByText('Pending', { exact: true }).first().waitFor();
    await lookEverywhere(page, 'past-job');
  });

  it('lists the jobs, users, prompts and email sequences of then, and links back to now', async () => {
    await page.goto(`${server.url}/admin/history`);
    await page.getByRole('form', { name: 'Point in time', exact: true }).waitFor();
    await lookEverywhere(page, 'past-start');
    await page.goto(`${server.url}/admin/history?view=jobs&at=${new Date().toISOString()}`);
    await page.getByRole('table', { name: 'Jobs at that time' }).getByText(EMAIL).waitFor();
    await lookEverywhere(page, 'past-jobs');
    const lists = page.getByRole('navigation', { name: 'Lists at this time' });
    await lists.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('table', { name: 'Users at that time' }).getByText(EMAIL).waitFor();
    await lookEverywhere(page, 'past-users');
    await lists.getByRole('link', { name: 'Prompts', exact: true }).click();
    await page.getByRole('list', { name: 'Prompts at that time' }).getByRole('listitem').first().waitFor();
    await lookEverywhere(page, 'past-prompts');
    await lists.getByRole('link', { name: 'Email sequences', exact: true }).click();
    await page
      .getByRole('list', { name: 'Email sequences at that time' })
      .getByText('Welcome', { exact: true })
      .waitFor();
    await lookEverywhere(page, 'past-sequences');
    await lists.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.getByRole('table', { name: 'Jobs at that time' }).waitFor();
    await page.getByRole('link', { name: 'Back to live' }).click();
    await page.getByRole('heading', { name: 'Job Management' }).waitFor();
  });

  it('shows the changes between two moments', async () => {
    await page.goto(`${server.url}/admin/history?view=changes`);
    await page.getByRole('list', { name: 'Events by type' }).getByText('Job submitted').waitFor();
    await lookEverywhere(page, 'past-changes');
    await page.goto(`${server.url}/admin/users/${owner.userId}`);
    await page.getByRole('link', { name: 'What changed', exact: true }).click();
    await page.getByRole('heading', { name: `What changed for ${EMAIL}` }).waitFor();
    await page.getByRole('list', { name: 'Differences' }).getByText('Audits with a result').waitFor();
    await picture(page, 'history-changes');
    await lookEverywhere(page, 'past-user-changes');
  });

  it('says that a deleted job was deleted, at any moment', async () => {
    const before = then();
    expect((await owner.call('DELETE', `/api/v1/jobs/${jobId}`)).status).toBe(200);
    await page.goto(before);
    await page.getByText(/^This job was deleted on .* by its owner$/).waitFor();
    expect(await page.getByRole('slider').count()).toBe(0);
    await look(page, 'past-deleted');
    expect(faults).toEqual([]);
  });
});
