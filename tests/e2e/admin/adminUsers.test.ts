/**
 * An admin in a real browser: finds a user, grants credits, disables and enables log-in, and ends a session; each
 * screen in both themes and widths.
 */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const EMAIL = `user-${randomUUID()}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('user management in a browser', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  const button = (name: string, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });
  const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));

  beforeAll(async () => {
    server = await startBuiltServer(data.dir, { DEMO: '1' });
    await signUp(server.url, EMAIL);
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

  it('finds a user, grants credits, disables log-in and enables it again', async () => {
    await page.goto(`${server.url}/admin/users`);
    await page.getByRole('table', { name: 'User progress' }).waitFor();
    await look(page, 'admin-users');
    await page.getByLabel('Email starts with').fill(EMAIL);
    await page.getByLabel('Email starts with').press('Enter');
    await page.getByRole('link', { name: EMAIL }).click();
    await page.getByRole('heading', { name: EMAIL }).waitFor();
    await page.getByText('No payments and no credits yet.').waitFor();
    await lookEverywhere(page, 'admin-user');

    await button('Grant credits').click();
    await dialog().getByLabel('Credits').fill('3');
    await dialog().getByLabel('Reason').fill('A gift');
    await look(page, 'admin-grant');
    await button('Grant credits', dialog()).click();
    await page.getByRole('list', { name: 'Billing history' }).getByText('A gift').waitFor();

    await button('Disable log-in').click();
    await look(page, 'admin-disable');
    await button('Disable log-in', dialog()).click();
    await page.getByText('Not logged in anywhere.').waitFor();
    const logIn = async () => {
      const answer = await fetch(`${server.url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: EMAIL, password: 'a good password' }),
      });
      return answer.status;
    };
    expect(await logIn()).toBe(403);
    await button('Enable log-in').click();
    await button('Enable log-in', dialog()).click();
    await button('Disable log-in').waitFor();
    expect(await logIn()).toBe(200);
    expect(faults).toEqual([]);
  });
});
