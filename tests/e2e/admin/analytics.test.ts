/** From a sign-up to a completed item in one browser, and the admin's figures in another. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const USER = { email: `ann-${randomUUID()}@example.com`, password: 'a good password' };

describe.skipIf(!available('Chromium', CHROMIUM))('analytics in a browser', () => {
  const data = temporaryData();
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let user: Page;
  let admin: Page;
  let faults: string[];

  const opened = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 900 },
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    context.setDefaultTimeout(15_000);
    return context;
  };

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    user = await (await opened()).newPage();
    const context = await opened();
    await signIn(context, server.url, server.admin);
    admin = await context.newPage();
    faults = watchFaults(admin);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  const funnel = (): Locator => admin.getByRole('region', { name: 'Users who reached each step: table' });
  const reached = async (): Promise<readonly (string | null)[]> => {
    const rows = await funnel().getByRole('row').all();
    return Promise.all(rows.slice(1).map(async (row) => (await row.getByRole('cell').first().textContent()) ?? null));
  };

  it('has only the admin at first', async () => {
    await admin.goto(`${server.url}/admin`);
    await admin.getByRole('main').getByRole('link', { name: 'Analytics' }).last().click();
    await admin.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
    await funnel().waitFor();
    expect(await reached()).toEqual(['1', '1', '0', '0', '0', '0']);
    await admin.getByRole('heading', { name: 'Shared links and previews' }).waitFor();
    await look(admin, 'analytics-empty');
  });

  it('a user signs up, audits, opens the report and completes an item', async () => {
    await user.goto(`${server.url}/signup`);
    await user.getByLabel('Email').fill(USER.email);
    await user.getByLabel('Password', { exact: true }).fill(USER.password);
    await user.getByLabel('Confirm password').fill(USER.password);
    await user.getByRole('button', { name: 'Sign up', exact: true }).click();
    await user.getByText('No jobs yet').waitFor();
    await user.getByLabel('Website address').fill(server.demoSite);
    await user.getByRole('button', { name: 'Generate SEO Reports' }).click();
    await user.getByRole('dialog').getByRole('button', { name: 'View Your Report' }).click({ timeout: 60_000 });
    await user.getByRole('heading', { name: /^Available Tasks/ }).waitFor();
    await user.getByRole('article').first().getByRole('link').first().click();
    await user.getByRole('button', { name: 'Start Task', exact: true }).click();
    await user.getByRole('button', { name: 'Mark Complete', exact: true }).click();
    await user.getByRole('button', { name: /^Reopen/ }).waitFor();
  });

  it('counts one more in each step of the funnel that they took', async () => {
    await admin.reload();
    await funnel().waitFor();
    // They have not opened the confirmation email.
    expect(await reached()).toEqual(['2', '1', '1', '1', '1', '0']);
    await lookEverywhere(admin, 'analytics');
    await admin.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Users' }).click();
    await admin.getByRole('row', { name: new RegExp(USER.email) }).waitFor();
    await lookEverywhere(admin, 'admin-users');
    // A narrower window still shows which page it is.
    await admin.setViewportSize({ width: 1440, height: 900 });
    await admin.setViewportSize({ width: 390, height: 900 });
    const current = admin.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Users' });
    await expect.poll(async () => ((await current.boundingBox())?.x ?? 390) < 300).toBe(true);
    await admin.goBack();
    await funnel().waitFor();
  });

  it('shows the range of the address, with its figures as a file', async () => {
    await admin.getByLabel('Range', { exact: true }).selectOption('Last 7 days');
    await admin.waitForURL(/range=7/);
    await funnel().waitFor();
    const download = admin.waitForEvent('download');
    await admin.getByRole('button', { name: 'Download CSV: Users who reached each step' }).click();
    expect((await download).suggestedFilename()).toMatch(/^funnel-steps-\d{4}-\d\d-\d\d-to-\d{4}-\d\d-\d\d\.csv$/);
    await admin.goto(`${server.url}/admin/analytics?range=dates&from=2020-01-01&to=2020-01-31`);
    await admin.getByText('Nothing in this range.').first().waitFor();
    expect(await admin.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01');
    await look(admin, 'analytics-none');
    expect(faults).toEqual([]);
  });
});
