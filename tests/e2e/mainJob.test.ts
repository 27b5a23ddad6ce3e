/** The product's main task for a new user, in a real browser against the built server and its demo site. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('the main task in a browser', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  it('redirects a visitor to the log-in page, from any address', async () => {
    await page.goto(`${server.url}/no/such/page`);
    await page.waitForURL('**/login');
    await page.getByRole('heading', { level: 1 }).waitFor();
  });

  it('signs up, and shows the texts of the specification', async () => {
    await page.getByRole('link', { name: 'Sign Up' }).first().click();
    // The address changes before the page: until then, the fields on the screen are those of the log-in page.
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await page.getByLabel('Email').fill(`new-${randomUUID()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel(/Confirm password/i).fill('shorter');
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel(/Confirm password/i).fill('short');
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await page.getByText('Password must be at least 6 characters long').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Password', { exact: true }).fill('a good password');
    await page.getByLabel(/Confirm password/i).fill('a good password');
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await page.getByText('No jobs yet').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await axeViolations(page)).toEqual([]);
  });

  it('refuses an invalid address', async () => {
    await page.getByRole('button', { name: 'Generate SEO Reports' }).click();
    await page.getByText('Please enter a URL', { exact: true }).waitFor();
    await page.getByLabel('Website address').fill('http://');
    await page.getByRole('button', { name: 'Generate SEO Reports' }).click();
    await page.getByText(/Please enter a valid URL \(e\.g\., /).waitFor();
  });

  it('submits the demo site and follows it to its report without a reload', async () => {
    await page.getByLabel('Website address').fill(server.demoSite);
    await page.getByRole('button', { name: 'Generate SEO Reports' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'View Your Report' }).waitFor({ timeout: 60_000 });
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Later' }).click();
    await page
      .getByRole('row', { name: /127\.0\.0\.1/ })
      .getByText(/Completed/)
      .first()
      .waitFor();
  });

  it('opens the report, the summary and the other files', async () => {
    await page
      .getByRole('row', { name: /127\.0\.0\.1/ })
      .getByRole('link', { name: /^Report/ })
      .first()
      .click();
    const viewer = page.getByRole('dialog');
    await viewer.getByRole('heading', { name: /SEO audit of/ }).waitFor();
    await viewer.getByRole('tab', { name: /summary/i }).click();
    await viewer.getByRole('heading').first().waitFor();
    await page.keyboard.press('Escape');
    await viewer.waitFor({ state: 'hidden' });
  });

  it('opens the action items and one of them, and goes back', async () => {
    await page
      .getByRole('row', { name: /127\.0\.0\.1/ })
      .getByRole('link', { name: /View Actions/ })
      .click();
    await page.waitForURL('**/dashboard/actions?**');
    await page.getByRole('heading', { name: 'Available Tasks (8)' }).waitFor();
    await page.getByRole('article').getByRole('link').first().click();
    await page.waitForURL('**actionId=**');
    await page.getByText('Solution').first().waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Available Tasks (8)' }).waitFor();
  });

  it('shows the current state after a reload and after the server was killed', async () => {
    await server.kill();
    server = await startBuiltServer(data.dir, { PORT: new URL(server.url).port });
    await page.goto(`${server.url}/`);
    await page
      .getByRole('row', { name: /127\.0\.0\.1/ })
      .getByText(/Completed/)
      .first()
      .waitFor();
  });

  it('signs out', async () => {
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('**/login');
    expect(await page.evaluate("localStorage.getItem('auth_token')")).toBeNull();
  });

  it('causes no script error and no violation of the content security policy', () => {
    // During the outage of the server its requests could not succeed.
    expect(faults.filter((fault) => !/ERR_CONNECTION|WebSocket|Failed to fetch|ERR_EMPTY/.test(fault))).toEqual([]);
  });
});
