/**
 * The complete path of a new user in a real browser: from sign-up to log-out, on a phone, a tablet and a desktop, with
 * a visitor beside them.
 */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { some } from '../given/fullForm.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

type Device = {
  readonly width: number;
  readonly height: number;
  readonly touch: boolean;
  readonly colorScheme: 'light' | 'dark';
};

/** The first of them; on all with `npm run test:full`. */
const DEVICES: readonly Device[] = some(
  [
    { width: 360, height: 780, touch: true, colorScheme: 'dark' },
    { width: 1024, height: 768, touch: false, colorScheme: 'light' },
    { width: 1440, height: 900, touch: false, colorScheme: 'light' },
  ],
  3,
);

const FIRST = 'a first password';
const SECOND = 'a second password';

describe.skipIf(!available('Chromium', CHROMIUM))('the path of a new user', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  async function pageOn({
    width,
    height,
    touch,
    colorScheme,
  }: Device): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      hasTouch: touch,
      isMobile: touch,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return { context, page, faults: watchFaults(page) };
  }

  it.each(DEVICES)('goes from sign-up to log-out at $width px', async (device) => {
    const { context, page, faults } = await pageOn(device);
    const visitor = await pageOn(device);
    const email = `new-${randomUUID()}@example.com`;
    const press = (target: Locator): Promise<void> => (device.touch ? target.tap() : target.click());
    const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
      inside.getByRole('button', { name, exact: true });
    /** The content of the screen is fully visible. */
    const fits = async (shown: Page = page): Promise<void> =>
      expect(
        await shown.evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
        shown.url(),
      ).toBeLessThanOrEqual(0);

    await page.goto(`${server.url}/`);
    await press(page.getByRole('link', { name: 'Create an account' }));
    await page.getByRole('heading', { name: 'Create your account' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(FIRST);
    await page.getByLabel('Confirm password').fill(FIRST);
    await fits();
    await press(button('Sign up'));

    await page.getByText('No jobs yet').waitFor();
    await page.getByLabel('Website address').fill(server.demoSite);
    await press(button('Generate SEO Reports'));
    const ready = page.getByRole('dialog');
    await button('View Your Report', ready).waitFor({ timeout: 60_000 });
    await press(button('Later', ready));
    await fits();
    const row = page.getByRole('row', { name: /127\.0\.0\.1/ });
    await press(row.getByRole('link', { name: /^Report/ }));
    const report = page.getByRole('dialog');
    await report.getByRole('heading', { name: /SEO audit of/ }).waitFor();
    await fits();
    await press(button('Close', report));
    await report.waitFor({ state: 'hidden' });

    await press(row.getByRole('link', { name: /View Actions/ }));
    await page.getByRole('heading', { name: /^Available Tasks/ }).waitFor();
    await fits();
    const first = page.getByRole('article').first().getByRole('link').first();
    const task = (await first.textContent()) ?? '';
    await press(first);
    await page.waitForURL('**actionId=**');
    await page.getByRole('heading', { name: task }).waitFor();
    await fits();
    await press(button('Start Task'));
    await press(button('Mark Complete'));
    await button(/^Reopen/).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Completed Tasks (1)' }).waitFor();

    await press(button('Share'));
    const sharing = page.getByRole('dialog');
    await press(button('Create share link', sharing));
    const link = await sharing.getByLabel('Share link').inputValue();
    await press(button('Close', sharing));
    await visitor.page.goto(link);
    await visitor.page.getByRole('heading', { name: 'Completed Tasks (1)' }).waitFor();
    expect(await visitor.page.getByRole('button', { name: /Start Task|Reopen|Export|Refresh/ }).count()).toBe(0);
    await fits(visitor.page);

    await page.goto(`${server.url}/dashboard/shares`);
    await press(button(/^Revoke/));
    await press(button('Revoke link', page.getByRole('alertdialog')));
    await page.getByText('Inactive', { exact: true }).waitFor();
    await fits();
    await visitor.page.getByRole('heading', { name: 'Link Not Found' }).waitFor();
    expect(await visitor.page.getByText(task).count()).toBe(0);
    await visitor.page.reload();
    await visitor.page.getByRole('heading', { name: 'Link Not Found' }).waitFor();

    await press(page.getByRole('link', { name: 'Account' }));
    const form = page.getByRole('form', { name: 'Change password' });
    await form.getByLabel('Current password').fill('a wrong password');
    await form.getByLabel('New password').fill(SECOND);
    await form.getByLabel('Confirm password').fill(SECOND);
    await press(button('Change password', form));
    await form.getByText('That is not your current password.').waitFor();
    await form.locator('input[name=current_password]:focus').waitFor();
    await form.getByLabel('Current password').fill(FIRST);
    await press(button('Change password', form));
    await form.getByText('Password changed. Your other sessions were logged out.').waitFor();
    await fits();

    await press(button('Logout'));
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    // Nothing of theirs is left behind the back button or in the browser's storage.
    await page.goBack();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.getByText(email).count()).toBe(0);
    expect(await page.evaluate<number>('localStorage.length')).toBe(0);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(FIRST);
    await press(button('Log in'));
    await page.getByText('Invalid email or password').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(SECOND);
    await press(button('Log in'));
    await button('Logout').waitFor();
    await press(button('Logout'));
    await page.getByRole('heading', { name: 'Log in' }).waitFor();

    // The wrong password was refused; nothing else failed.
    expect([faults, visitor.faults]).toEqual([
      ['console: Failed to load resource: the server responded with a status of 403 (Forbidden)'],
      [],
    ]);
    await Promise.all([context.close(), visitor.context.close()]);
  });
});
