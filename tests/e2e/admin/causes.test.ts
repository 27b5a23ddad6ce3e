/** In a real browser an admin finds which request caused an email. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { picture } from '../../given/product/picture.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const EMAIL = `owner-${randomUUID()}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('the causes of an event in a browser', () => {
  const data = temporaryData();
  const { lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let userId: string;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    userId = (await signUp(server.url, EMAIL)).userId;
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
    data.remove();
  });

  it('an admin finds which request caused an email', async () => {
    await page.goto(`${server.url}/admin/history?stream=account-${userId}`);
    const asked = page.getByRole('article', { name: 'Email confirmation requested' });
    await asked.getByRole('button', { expanded: false }).click();
    await asked.getByRole('link', { name: 'Causes and effects' }).click();
    const tree = page.getByRole('list', { name: 'Chain of causes' });
    await tree.getByRole('link', { name: 'Email sent', exact: true }).click();
    const sent = page.getByRole('article', { name: 'Email sent' });
    await sent.waitFor();
    // The address names the event, which may be open already.
    const fold = sent.getByRole('button', { expanded: false });
    if (await fold.isVisible()) await fold.click();
    await sent.getByRole('link', { name: 'Causes and effects' }).click();
    await page.getByText(/^Started by the request/).waitFor();
    const chain = await tree.getByRole('link').allTextContents();
    expect(chain.filter((text) => text !== 'Causes')).toEqual(['Email confirmation requested', 'Email sent']);
    await picture(page, 'history-mail-causes');
    await lookEverywhere(page, 'causes');
    // By keyboard: to the request, and all that followed from it.
    await tree.getByRole('link', { name: 'Causes of Email confirmation requested' }).focus();
    await page.keyboard.press('Enter');
    await tree
      .locator('[aria-current]')
      .getByRole('link', { name: 'Email confirmation requested', exact: true })
      .waitFor();
    await tree.getByRole('button', { name: /^Effects of Email confirmation requested/, expanded: true }).focus();
    await page.keyboard.press('Space');
    await tree.getByText('Email sent').waitFor({ state: 'hidden' });
    expect(faults).toEqual([]);
  });
});
