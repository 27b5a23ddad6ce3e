/**
 * What was saved but is not shown yet, in a real browser: the form waits with a line below it, on a phone and on a
 * computer.
 */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, openBrowser, type TestBrowser } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { signIn } from '../given/product/screens.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

const SEQUENCES = '**/api/v1/admin/email-sequences/sequences';
const BEHIND = {
  success: false,
  error: 'This was accepted and will be shown in a moment. Please try again.',
  code: 'NOT_SHOWN_YET',
};

describe.skipIf(!available('Chromium', CHROMIUM))('a form whose answer is not shown yet', () => {
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

  const boxOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).boundingBox();
    if (!box) throw new Error(`${selector} is not displayed`);
    return box;
  };

  it.each([
    { width: 360, height: 640, colorScheme: 'light' },
    { width: 1024, height: 640, colorScheme: 'dark' },
  ] as const)(
    'waits with one line, without moving anything: $width px, $colorScheme',
    async ({ width, height, colorScheme }) => {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      await signIn(context, server.url, server.admin);
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${server.url}/admin/email-sequences`);
      await page.getByRole('button', { name: 'New sequence' }).click();
      await page.getByLabel('Name').fill('First steps');
      let behind = true;
      // The server has made it: only its answer is kept back.
      await page.route(SEQUENCES, async (route) => {
        const answer = await route.fetch();
        if (!behind || route.request().method() !== 'POST') return route.fulfill({ response: answer });
        await route.fulfill({ status: 503, headers: { 'Retry-After': '2' }, json: BEHIND });
      });
      const refused = page.waitForResponse((response) => response.status() === 503);
      await page.getByRole('button', { name: 'Create' }).click();
      await (await refused).finished();
      const before = await boxOf(page, '[role=dialog]');
      const line = page.getByRole('status').filter({ hasText: 'This takes a moment to show up. Nothing is lost.' });
      await expect.poll(() => page.clock.fastForward(1_000).then(() => line.count())).toBe(1);
      expect(await axeViolations(page)).toEqual([]);
      expect(await boxOf(page, '[role=dialog]')).toEqual(before);
      const shown = await boxOf(page, 'p[role=status]:text("Nothing is lost")');
      expect(shown).toMatchObject({ y: expect.closeTo(height - shown.height, 0) });
      expect(shown.height).toBeLessThan(30);
      expect(shown.y).toBeGreaterThanOrEqual(before.y + before.height);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await page.getByLabel('Name').inputValue()).toBe('First steps');

      behind = false;
      await expect.poll(() => page.clock.fastForward(1_000).then(() => line.count())).toBe(0);
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
    },
  );

  it('has made one sequence for each form, however often it was sent', async () => {
    const context = await browser.newContext({ viewport: { width: 1024, height: 640 } });
    await signIn(context, server.url, server.admin);
    const page = await context.newPage();
    await page.goto(`${server.url}/admin/email-sequences`);
    await page.getByRole('link', { name: 'First steps' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'First steps' }).count()).toBe(2);
  });
});
