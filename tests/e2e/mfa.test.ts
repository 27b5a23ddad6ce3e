/** Two-factor authentication in a real browser: required of an admin, set up, used at log-in, and turned off. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { looksByTurns } from '../given/product/builtShop.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { codeOf } from '../given/secondFactor.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('two-factor authentication in a browser', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];
  let secret = '';
  let recoveryCode = '';
  const { look } = looksByTurns(process.env.SHOTS);
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const now = (): string => new Date().toISOString();

  beforeAll(async () => {
    server = await startBuiltServer(data.dir, { ADMIN_MFA: 'required', BILLING: 'off' });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  async function enterPassword(): Promise<void> {
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill(server.admin.email);
    await page.getByLabel('Password').fill(server.admin.password);
    await press('Log in');
  }

  it('opens the admin pages once it is set up', async () => {
    const reason = page.getByText('Admins need two-factor authentication on this installation.');
    await enterPassword();
    await reason.waitFor();
    await page.getByRole('link', { name: 'Set up later' }).click();
    await page.getByRole('heading', { name: 'Recent Jobs' }).waitFor();
    await page.getByRole('link', { name: 'Admin' }).click();
    await reason.waitFor();
    await look(page, 'mfa-required');
    await page.getByLabel('Confirm your password').fill(server.admin.password);
    await press('Continue');
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await look(page, 'mfa-app');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, now()));
    await press('Turn on');
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    recoveryCode = (await codes.first().textContent()) ?? '';
    await look(page, 'mfa-recovery-codes');
    await press('I’ve saved them');
    await page.getByRole('navigation', { name: 'Admin' }).waitFor();
    await page.getByRole('button', { name: 'Auth debug' }).click();
    await look(page, 'admin-debug');
  });

  it('is required at the next log-in', async () => {
    await press('Logout');
    await enterPassword();
    await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
    await look(page, 'mfa-code');
    // The one that turned it on is used up.
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, now(), 1));
    await press('Log in');
    await page.getByRole('heading', { name: 'Recent Jobs' }).waitFor();
    await press('Logout');
    await enterPassword();
    await press('Use a recovery code');
    await page.getByLabel('Recovery code').fill(recoveryCode);
    await look(page, 'mfa-recovery');
    await press('Log in');
    await page.getByRole('heading', { name: 'Recent Jobs' }).waitFor();
  });

  it('is turned off in the account', async () => {
    await page.goto(`${server.url}/account`);
    await page.getByText('9 recovery codes left.').waitFor();
    await look(page, 'mfa-account');
    await press('Turn off');
    await page.getByLabel('Confirm your password').fill(server.admin.password);
    await look(page, 'mfa-turn-off');
    await press('Turn off');
    await page.getByText('Adds a code from your phone when you log in').waitFor();
    expect(faults).toEqual([]);
  });
});
