/**
 * A forgotten password in a real browser: sign up, request, open the emailed link as a mail server received it, choose
 * a new one, log in.
 */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { type MailServer, startMailServer } from '../servers/mailServer.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('a forgotten password in a browser', () => {
  const data = temporaryData();
  const email = `ada-${randomUUID()}@example.com`;
  let mails: MailServer;
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    mails = await startMailServer();
    server = await startBuiltServer(data.dir, {
      SMTP_URL: mails.url,
      MAIL_FROM: 'SEO Workbench <no-reply@example.com>',
    });
    browser = await openBrowser();
    page = await (await browser.newContext({ viewport: { width: 1024, height: 800 } })).newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await mails?.close();
    data.remove();
  });

  const logIn = async (password: string): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };

  it('confirms the address by email: everything works before, with a note until then', async () => {
    await page.goto(`${server.url}/signup`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('a first password');
    await page.getByLabel('Confirm password').fill('a first password');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('No jobs yet').waitFor();
    const note = page.getByText(`We sent a link to ${email}. Confirm your address to get emails.`);
    await note.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Account' }).click();
    // The note is on both pages.
    await page.getByRole('heading', { name: 'Your Account' }).waitFor();
    await note.waitFor();
    await page.getByRole('button', { name: 'Resend link' }).click();
    await page.getByText('Sent. Please check your spam folder, too.').waitFor();

    const mail = await mails.next(({ to, subject }) => to === email && subject.startsWith('Confirm'));
    const link = /\S+\/confirm-email#\S+/.exec(mail.text)?.[0] ?? '';
    await page.goto(link);
    const confirm = page.getByRole('button', { name: 'Confirm email address' });
    await confirm.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await confirm.click();
    await page.getByText(`${email} is confirmed.`).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('No jobs yet').waitFor();
    expect(await note.count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('leads by email to a new one', async () => {
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('This device', { exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Logout' }).click();

    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Send reset email' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send reset email' }).click();
    await page
      .getByText('If an account exists with this email, you will receive password reset instructions.')
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);

    const mail = await mails.next(({ to, subject }) => to === email && subject.startsWith('Reset'));
    const link = /\S+\/reset-password#\S+/.exec(mail.text)?.[0] ?? '';
    await page.goto(link);
    await page.getByLabel('New password').waitFor();
    expect(page.url()).toBe(`${server.url}/reset-password`);
    expect(await axeViolations(page)).toEqual([]);
    await page.reload();
    await page.getByLabel('New password').fill('a second password');
    await page.getByLabel('Confirm password').fill('a second password');
    await page.getByRole('button', { name: 'Reset password' }).click();
    await page.getByText('Your password was changed. Please log in with it.').waitFor();
    await logIn('a first password');
    await page.getByText('Invalid email or password').waitFor();
    await logIn('a second password');
    await page.getByText('No jobs yet').waitFor();

    await page.goto(link);
    await page.getByText('Invalid or expired reset link. Please request a new password reset.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'the confirmation link of an account that a stranger made offers a password of one’s own, on a phone, %s',
    async (colorScheme) => {
      const address = `bob-${randomUUID()}@example.com`;
      const body = JSON.stringify({ email: address, password: 'of a stranger' });
      await fetch(`${server.url}/api/v1/auth/signup-first`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const mail = await mails.next(({ to, subject }) => to === address && subject.startsWith('Confirm'));
      const phone = await (await browser.newContext({ viewport: { width: 360, height: 740 }, colorScheme })).newPage();
      phone.setDefaultTimeout(15_000);
      await phone.goto(/\S+\/confirm-email#\S+/.exec(mail.text)?.[0] ?? '');
      await phone.getByRole('button', { name: 'Confirm email address' }).click();
      await phone.getByLabel('Password', { exact: true }).fill('a guess');
      await phone.keyboard.press('Enter');
      await phone.getByText('That’s not the password of this account.').waitFor();
      const offer = phone.getByRole('button', { name: 'Not your password? Choose your own' });
      expect(await axeViolations(phone)).toEqual([]);
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      await offer.click();
      await phone
        .getByText('If an account exists with this email, you will receive password reset instructions.')
        .waitFor();
      await mails.next(({ to, subject }) => to === address && subject.startsWith('Reset'));
      await phone.context().close();
    },
  );

  it('ends the sessions of other browsers within two seconds', async () => {
    const other = await (await browser.newContext()).newPage();
    other.setDefaultTimeout(15_000);
    await other.goto(`${server.url}/login`);
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password').fill('a second password');
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByText('No jobs yet').waitFor();
    await page.goto(`${server.url}/account`);
    await page
      .getByRole('button', { name: /Log out:/ })
      .first()
      .click();
    await other.getByRole('heading', { name: 'Log in' }).waitFor({ timeout: 4_000 });
  });
});
