/** The activity list on the account page, in a real browser. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, signUp } from '../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { looksByTurns } from '../given/product/builtShop.ts';
import { signIn } from '../given/product/screens.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

const EMAIL = `owner-${randomUUID()}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('the activity of an account in a browser', () => {
  const data = temporaryData();
  const { look } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    const owner = await signUp(server.url, EMAIL);
    const { id } = await owner.submit(server.demoSite);
    await owner.waitForJob(id, ({ status }) => FINAL.has(status));
    await owner.call('POST', '/api/v1/share/create', { jobId: id });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, server.url, { email: EMAIL, password: 'a good password' });
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  it('has the log-in, and the link that was created and revoked', async () => {
    await page.goto(`${server.url}/dashboard/shares`);
    await page.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    await page.goto(`${server.url}/account`);
    const activity = page.getByRole('list', { name: 'Activity' });
    await activity.getByText('Shared link revoked').waitFor();
    for (const title of ['Shared link created', 'Logged in', 'Account created'])
      await activity.getByText(title).first().waitFor();
    for (let turn = 0; turn < 2; turn += 1) await look(page, `activity-${turn}`);
    expect(faults).toEqual([]);
  });
});
