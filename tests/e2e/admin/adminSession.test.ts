/** Admin access that times out while a prompt is being edited, in a real browser. */
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../../given/product/http.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const WEB = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

describe.skipIf(!available('Chromium', CHROMIUM))('admin access in a browser', () => {
  let app: TestApp;
  let admin: TestUser;
  let browser: TestBrowser;
  let page: Page;
  let faults: readonly string[];
  const { lookEverywhere } = looksByTurns(process.env.SHOTS);

  beforeAll(async () => {
    app = await startTestApp({ config: { webDir: WEB } });
    // The browser's clock is this machine's.
    app.advance(Date.now() - Date.parse(app.deps.now()));
    admin = await app.signUp({ email: 'operator@example.com', name: 'Olga Operator' });
    await app.given(`account-${admin.userId}`, {
      type: 'AccountAdminGranted',
      data: { userId: admin.userId, reason: 'configured' },
    });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(20_000);
    await signIn(context, app.url, { email: admin.email, password: PASSWORD });
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await app?.close();
  });

  const editor = () => page.getByRole('textbox', { name: 'Prompt', exact: true });
  const links = () => page.getByRole('navigation', { name: 'Admin' });

  it('asks for a new log-in after 30 idle minutes, which leads back to the page and to what was typed', async () => {
    await page.goto(`${app.url}/admin/prompts`);
    await editor().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Half a sentence');
    app.advance(31 * 60_000);
    await links().getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByText('Log in again to continue').waitFor();
    await lookEverywhere(page, 'admin-session-ended');
    await page.getByRole('button', { name: 'Log in again' }).click();
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('table', { name: 'User progress' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/users');
    await links().getByRole('link', { name: 'Prompts', exact: true }).click();
    await editor().waitFor();
    expect(await editor().textContent()).toBe('Half a sentence');
    expect(faults).toEqual([]);
  });
});
