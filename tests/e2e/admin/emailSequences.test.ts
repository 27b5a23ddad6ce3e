/**
 * Email sequences in a real browser: a template is edited with its preview beside it and tested, unsaved changes
 * survive a reload and never replace another admin’s, the sequence is enabled, and a new user gets its email.
 */
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logIn, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';
import { type MailServer, startMailServer } from '../../servers/mailServer.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('email sequences in a browser', () => {
  const data = temporaryData();
  let mails: MailServer;
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: string[];
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  const button = (name: string, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    mails = await startMailServer();
    server = await startBuiltServer(data.dir, {
      SMTP_URL: mails.url,
      MAIL_FROM: 'SEO Workbench <no-reply@example.com>',
      COMPANY_NAME: 'Tea Metrics',
    });
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, server.url, server.admin);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await mails?.close();
    data.remove();
  });

  it('exist from the start, disabled', async () => {
    await page.goto(`${server.url}/admin/email-sequences`);
    await page.getByRole('link', { name: 'Come back' }).waitFor();
    expect(await page.getByText('Inactive', { exact: true }).count()).toBe(2);
    await lookEverywhere(page, 'sequences');
    await page.getByRole('link', { name: 'Welcome' }).click();
    await page.getByText('Step 3').waitFor();
    await lookEverywhere(page, 'sequence');
  });

  it('have templates that are edited beside their preview, and tested', async () => {
    await page.getByRole('link', { name: 'Edit Getting started' }).click();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Hi Alex Morgan,').waitFor();
    await preview.getByRole('link', { name: 'Audit your site' }).waitFor();
    const editor = page.getByRole('textbox', { name: 'Content' });
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n\nBye from {{ nobody');
    await page.getByText('There is no placeholder {{nobody}}.').first().waitFor();
    await look(page, 'template-fault');
    await page.keyboard.press('Backspace');
    for (const _ of 'nobod') await page.keyboard.press('Backspace');
    await page.keyboard.type('company_name }} **today**');
    await preview.getByText('Bye from Tea Metrics').waitFor();
    expect(await preview.locator('strong', { hasText: 'today' }).count()).toBe(1);
    await lookEverywhere(page, 'template');
    await button('Save').click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByRole('link', { name: 'Edit Getting started' }).click();
    await button('Send a test to yourself').click();
    const test = await mails.next(({ subject }) => subject === 'Welcome to Tea Metrics');
    expect([test.to, test.text.includes('Bye from Tea Metrics today')]).toEqual([server.admin.email, true]);
    await page.getByText('The saved template is on its way to').waitFor();
    await button('Cancel').click();
  });

  it('complete and check placeholders of the subject while typing, and keep unsaved changes through a reload', async () => {
    await page.getByRole('link', { name: 'Edit Getting started' }).click();
    const subject = page.getByRole('textbox', { name: 'Subject', exact: true });
    await subject.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Hi {{user_na');
    await page.getByRole('option', { name: /user_name/ }).click();
    await page.keyboard.type(', from {{nobody}}');
    await page.getByText('Character 24: There is no placeholder {{nobody}}.').first().waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await subject.textContent()).toBe('Hi {{user_name}}, from {{nobody}}');
    await look(page, 'subject-fault');
    await page.reload();
    await page.getByText('Your changes from earlier are still here').waitFor();
    expect(await subject.textContent()).toBe('Hi {{user_name}}, from {{nobody}}');
    await lookEverywhere(page, 'template-draft');
    await button('Discard changes').click();
    await page.getByText('Not saved yet').waitFor({ state: 'detached' });
    expect(await subject.textContent()).toBe('Welcome to {{company_name}}');
  });

  it('are not saved over another admin’s change', async () => {
    const subject = page.getByRole('textbox', { name: 'Subject', exact: true });
    await subject.click();
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    const admin = await logIn(server.url, server.admin);
    const templateId = new URL(page.url()).pathname.split('/').at(-2);
    expect(
      (await admin.call('PUT', `/api/v1/admin/email-sequences/templates/${templateId}`, { delay_days: 2 })).status,
    ).toBe(200);
    await button('Save').click();
    await page.getByText('Version 3 was saved while you were editing version 2').waitFor();
    await button('Compare with version 3').click();
    await page.locator('ins', { hasText: '!' }).waitFor();
    await lookEverywhere(page, 'template-conflict');
    await button('Discard my changes').click();
    expect(await page.getByLabel('Delay in days').inputValue()).toBe('2');
    expect(
      (await admin.call('PUT', `/api/v1/admin/email-sequences/templates/${templateId}`, { delay_days: 0 })).status,
    ).toBe(200);
    await button('Cancel').click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  });

  it('get another template with the next step, and lose one after a confirmation', async () => {
    await page.getByRole('link', { name: 'Create template' }).click();
    await page.getByRole('heading', { name: 'New template for Welcome' }).waitFor();
    expect(await page.getByLabel('Step number').inputValue()).toBe('4');
    await page.getByLabel('Name').fill('One more');
    await page.getByRole('textbox', { name: 'Subject', exact: true }).click();
    await page.keyboard.type('One more thing');
    await page.getByRole('textbox', { name: 'Content' }).click();
    await page.keyboard.type('Hi {{user_name}}');
    await page.getByRole('region', { name: 'Preview' }).getByText('Hi Alex Morgan').waitFor();
    await lookEverywhere(page, 'template-new');
    await button('Create').click();
    await page.getByText('Step 4').waitFor();
    await button('Delete One more').click();
    await page.getByText('Are you sure you want to delete this template?').waitFor();
    await look(page, 'delete-template');
    await button('Delete template').click();
    await page.getByText('Step 4').waitFor({ state: 'detached' });
  });

  it('are sent to new users once enabled, when the address is confirmed, and are turned off with one click', async () => {
    await button('Turn on').click();
    const dialog = page.getByRole('alertdialog');
    await dialog
      .getByText('Users who sign up from now on are enrolled when they confirm their email address.')
      .waitFor();
    await button('Turn on', dialog).click();
    await button('Turn off').waitFor();
    const email = `grace-${randomUUID()}@example.com`;
    const grace = await signUp(server.url, email);
    const confirmation = await mails.next(({ to, subject }) => to === email && subject.startsWith('Confirm'));
    const token = new URLSearchParams(/confirm-email#(\S+)/.exec(confirmation.text)?.[1] ?? '').get('token');
    expect(mails.mails.filter(({ to }) => to === email)).toHaveLength(1);
    expect((await grace.call('POST', '/api/v1/auth/confirm-email', { token })).status).toBe(200);
    const welcome = await mails.next(({ to, subject }) => to === email && subject === 'Welcome to Tea Metrics');
    expect(welcome.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const link = new URL(/<(.*)>/.exec(welcome.header('list-unsubscribe') ?? '')?.[1] ?? '');
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    };
    expect((await fetch(`${server.url}/unsubscribe${link.search}`, form)).status).toBe(200);
    expect((await grace.call<{ data: object }>('GET', '/api/v1/auth/mail-preferences')).body.data).toEqual({
      job_done: true,
      subscription_ends: true,
      sequence: false,
    });
    await expect
      .poll(async () => {
        await page.reload();
        await page.getByRole('row', { name: /1\. Getting started/ }).waitFor();
        return (
          await page
            .getByRole('row', { name: /1\. Getting started/ })
            .getByRole('cell')
            .allTextContents()
        ).join(' ');
      })
      .toBe('0 1 0 0 0 1');
    await look(page, 'sequence-figures');
    expect(faults.filter((fault) => !/status of 409/.test(fault))).toEqual([]);
  });
});
