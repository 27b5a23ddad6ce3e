/** Passkeys on a phone, with Chromium's own authenticator: added, logged in with, a second step, and removed. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { axeViolations, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { codeOf } from '../given/secondFactor.ts';

const PASSWORD = 'a good password';

describe.skipIf(!available('Chromium', CHROMIUM))('passkeys in a browser', () => {
  const data = temporaryData();
  const email = `ada-${randomUUID()}@example.com`;
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];
  let url: string;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    url = server.url.replace('127.0.0.1', 'localhost');
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  /** Wherever that leads: to the page that was left, or home. */
  const loggedIn = (): Promise<void> => page.getByRole('button', { name: 'Logout' }).first().waitFor();
  const dialog = () => page.getByRole('dialog');
  async function call(path: string, body: object): Promise<Record<string, Record<string, string>>> {
    const token = await page.evaluate<string | null>("localStorage.getItem('auth_token')");
    const headers = { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) };
    const answer = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok).toBe(true);
    return (await answer.json()) as Record<string, Record<string, string>>;
  }
  async function logOut(): Promise<void> {
    await page.goto(`${url}/account`);
    await press('Log out everywhere');
    await page.getByRole('alertdialog').or(dialog()).getByRole('button', { name: 'Log out everywhere' }).click();
    await vi.waitFor(async () => expect(await page.evaluate("localStorage.getItem('auth_token')")).toBeNull());
    await page.goto(`${url}/login`);
    await page.getByLabel('Password', { exact: true }).waitFor();
  }
  async function enterPassword(): Promise<void> {
    await page.goto(`${url}/login`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await press('Log in');
  }

  it('are added to an account', async () => {
    await page.goto(`${url}/login`);
    await call('/auth/signup-first', { email, password: PASSWORD });
    await enterPassword();
    await loggedIn();
    await page.goto(`${url}/account`);
    await press('Add a passkey');
    await dialog().getByLabel('Name').fill('Phone');
    await dialog().getByLabel('Confirm your password', { exact: true }).fill(PASSWORD);
    expect(await axeViolations(page)).toEqual([]);
    await press('Add passkey');
    await page.getByRole('button', { name: 'Rename Phone' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('log in alone', async () => {
    await logOut();
    expect(await axeViolations(page)).toEqual([]);
    await press('Use a passkey');
    await loggedIn();
  });

  it('are a second step', async () => {
    const { data: enrolment } = await call('/auth/mfa/enrol', { password: PASSWORD });
    await call('/auth/mfa/confirm', { code: codeOf(enrolment?.secret ?? '', new Date().toISOString()) });
    await logOut();
    await enterPassword();
    await press('Use a passkey');
    await loggedIn();
  });

  it('are removed', async () => {
    await page.goto(`${url}/account`);
    await press('Remove Phone');
    await dialog().getByLabel('Confirm your password', { exact: true }).fill(PASSWORD);
    await press('Remove passkey');
    await page.getByText('Passkey “Phone” removed.').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Rename Phone' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
