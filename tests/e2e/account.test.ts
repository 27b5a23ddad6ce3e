/**
 * The sample for visitors, an API key used by a program, and deleting an account, in a real browser against the built
 * server.
 */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeInTheme, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

const EMAIL = `leaving-${randomUUID()}@example.com`;
const PASSWORD = 'a good password';
/** A folder for screenshots, for people to view. */
const SHOTS = process.env.SHOTS;

/** Every account has everything here: no page mentions money. */
const MONEY =
  /\bfree\b|upgrade|credit|funds|allowance|subscription|payment|\bprice|\$|\bplans\b|(your|paid) plan|purchase/i;

describe.skipIf(!available('Chromium', CHROMIUM))('the account in a browser', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    // Every account has everything, such as keys.
    server = await startBuiltServer(data.dir, { BILLING: 'off' });
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  /** Accessible at each width and in both themes, without horizontal scrolling. */
  async function holds(name: string): Promise<void> {
    expect(await page.evaluate('document.body.innerText')).not.toMatch(MONEY);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 1024, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          `${name} at ${width}`,
        ).toBeLessThanOrEqual(0);
        if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
      expect(await axeInTheme(page, colorScheme), `${name}, ${colorScheme}`).toEqual([]);
    }
  }

  it('shows a visitor the sample created by the build', async () => {
    await page.goto(`${server.url}/login`);
    await page.getByRole('link', { name: 'See a sample report' }).click();
    await page.getByText(/real audit of our demo shop/).waitFor();
    await page.getByRole('img', { name: /^Score \d+ of 100$/ }).waitFor();
    await holds('sample');
    await page.getByRole('tab', { name: 'Report' }).click();
    await page
      .getByRole('heading', { name: /SEO audit/i })
      .first()
      .waitFor();
  });

  it('offers visitors nothing to buy', async () => {
    await page.goto(`${server.url}/signup`);
    await page.getByRole('heading', { name: 'What you get' }).waitFor();
    await holds('sign-up');
  });

  it('creates a key with the keyboard only, which a program then uses', async () => {
    const { status } = await fetch(`${server.url}/api/v1/auth/signup-first`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    expect(status).toBe(201);
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('No jobs yet').waitFor();
    await holds('home');
    await page.goto(`${server.url}/account`);
    await page.getByRole('link', { name: 'Manage keys and webhooks' }).click();
    await page.getByRole('button', { name: 'Create API key' }).press('Enter');
    await page.getByLabel('Name').fill('Nightly build');
    await page.getByLabel('Name').press('Enter');
    const key = (await page.locator('code', { hasText: 'seo_live_' }).last().textContent()) ?? '';
    const read = await fetch(`${server.url}/api/v1/jobs`, { headers: { authorization: `Bearer ${key}` } });
    expect(read.status).toBe(200);
    const write = await fetch(`${server.url}/api/v1/jobs`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(write.status).toBe(403);
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByText(`seo_live_…${key.slice(-4)}`).waitFor();
    await holds('api');
  });

  it('shows what a deletion removes, deletes, and signs out', async () => {
    await page.goto(`${server.url}/account`);
    await page.getByText('Account details').waitFor();
    await page.getByLabel('When an audit is done').waitFor();
    await holds('account');
    await page.getByRole('button', { name: 'Delete my account…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText(/1 API key/).waitFor();
    await holds('delete-account');
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete my account' }).click();
    await page.waitForURL('**/login');
    await page.getByText('Your account and everything in it has been deleted.').waitFor();
    expect(await page.getByText('session has ended').count()).toBe(0);
    const answer = await fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    expect(answer.status).toBe(401);
    expect(faults).toEqual([]);
  });
});
