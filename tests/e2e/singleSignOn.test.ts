/** Single sign-on on a phone, at a real provider, with the setting as an operator writes it. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { type OidcServer, startOidc } from '../servers/oidc.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('single sign-on in a browser', () => {
  const data = temporaryData();
  const email = `ada-${randomUUID()}@example.com`;
  const redirectUris = ['http://localhost/login/sso/corp'];
  let oidc: OidcServer;
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];
  let url: string;

  beforeAll(async () => {
    oidc = await startOidc(redirectUris);
    const { issuer, clientId, clientSecret } = oidc;
    server = await startBuiltServer(data.dir, {
      SSO_PROVIDERS: JSON.stringify([
        { id: 'corp', label: 'Example Corp', issuer, clientId, clientSecret, createsAccounts: true },
      ]),
    });
    url = server.url.replace('127.0.0.1', 'localhost');
    // Its port is known only now.
    redirectUris[0] = `${url}/login/sso/corp`;
    oidc.rotateKeys();
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await oidc?.close();
    data.remove();
  });

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  it('signs up, without a password', async () => {
    oidc.becomes('ada', { email, email_verified: true, name: 'Ada' });
    await page.goto(`${url}/signup`);
    await page.getByRole('button', { name: 'Continue with Example Corp' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await press('Continue with Example Corp');
    await page.getByText('No jobs yet').waitFor();
    expect(page.url()).toBe(`${url}/`);
    await page.goto(`${url}/account`);
    await page.getByText('Logged in with single sign-on').waitFor();
    await page.getByText('Your account has no password.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('logs in to the same account', async () => {
    const other = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await other.goto(`${url}/login`);
    await other.getByRole('button', { name: 'Continue with Example Corp' }).click();
    await other.getByText('No jobs yet').waitFor();
    await other.goto(`${url}/account`);
    await other.getByText(email).first().waitFor();
    await other.close();
  });

  it('never adds another identity by its address alone, but on the account page', async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const other = await context.newPage();
    other.setDefaultTimeout(15_000);
    oidc.becomes('ada-elsewhere', { email, email_verified: true });
    await other.goto(`${url}/login`);
    await other.getByRole('button', { name: 'Continue with Example Corp' }).click();
    await other.getByText('An account with your email address already exists.').waitFor();
    expect(await axeViolations(other)).toEqual([]);
    // Forgotten at the provider, too.
    await context.clearCookies();
    oidc.becomes('ada', { email, email_verified: true, name: 'Ada' });
    await other.goto(`${url}/login`);
    await other.getByRole('button', { name: 'Continue with Example Corp' }).click();
    await other.getByText('No jobs yet').waitFor();
    await context.clearCookies();
    oidc.becomes('ada-elsewhere', { email, email_verified: true });
    await other.goto(`${url}/account`);
    await other.getByRole('button', { name: 'Add Example Corp' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await expect
      .poll(() => other.getByRole('button', { name: `Remove Example Corp, ${email}` }).count(), {
        interval: 500,
        timeout: 15_000,
      })
      .toBe(2);
    await context.close();
    expect(faults).toEqual([]);
  });
});
