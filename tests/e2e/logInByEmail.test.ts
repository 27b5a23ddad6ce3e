/** Signing up and logging in with an emailed code, and with the link, on a phone and without any password. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { type MailServer, startMailServer } from '../servers/mailServer.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('an emailed code in a browser', () => {
  const data = temporaryData();
  const email = `ada-${randomUUID()}@example.com`;
  const read = new Set<string>();
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
    page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await mails?.close();
    data.remove();
  });

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  /** The newest email to log in with: its code and its link. */
  async function mailed(): Promise<{ readonly code: string; readonly link: string }> {
    const { text } = await mails.next((mail) => mail.subject === 'Log in to SEO Workbench' && !read.has(mail.text));
    read.add(text);
    return {
      code: /Your code: (\d{6})/.exec(text)?.[1] ?? '',
      link: /\S+\/email-login#\S+/.exec(text)?.[0] ?? '',
    };
  }
  async function askForCode(): Promise<void> {
    await press('Use an emailed code');
    await page.getByLabel('Email').fill(email);
    await press('Email me a code');
    await page.getByLabel('6-digit code').waitFor();
  }

  it('signs up, after a wrong one was refused', async () => {
    await page.goto(`${server.url}/signup`);
    await askForCode();
    expect(await axeViolations(page)).toEqual([]);
    const { code } = await mailed();
    await page.getByLabel('6-digit code').fill(code === '000000' ? '111111' : '000000');
    await press('Sign up');
    await page.getByText('That code isn’t right, or it no longer works.').waitFor();
    faults.length = 0;
    await page.getByLabel('6-digit code').fill(code);
    await press('Sign up');
    await page.getByText('No jobs yet').waitFor();
  });

  it('leaves an account without a password, whose page offers to set one', async () => {
    await page.goto(`${server.url}/account`);
    await page.getByText('Your account has no password.').waitFor();
    await page.getByText('Logged in by email').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await press('Email me a link');
    await page.getByText(`We’ve sent the link to ${email}.`).waitFor();
    await mails.next((mail) => mail.to === email && mail.subject.startsWith('Reset your'));
  });

  it('logs in', async () => {
    await press('Logout');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await askForCode();
    await page.getByLabel('6-digit code').fill((await mailed()).code);
    await press('Log in');
    await page.getByText('No jobs yet').waitFor();
  });

  it('has a link, which names the account and logs in after one press, once', async () => {
    await press('Logout');
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    await askForCode();
    const { link } = await mailed();
    const other = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
    await other.goto(link);
    await other.getByText(`This logs you in as ${email}.`).waitFor();
    expect(await axeViolations(other)).toEqual([]);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByText('No jobs yet').waitFor();
    await other.close();
    await page.goto(link);
    await page.getByText('This link has expired or was already used.').waitFor();
    expect(faults.filter((fault) => !fault.includes('401'))).toEqual([]);
  });
});
