/**
 * An admin in a real browser: from a job to its history, an event opened, filtered, found by an address, a long stream,
 * a deleted stream.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const EMAIL = `owner-${randomUUID()}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('history in a browser', () => {
  const data = temporaryData();
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  let jobId: string;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    const owner = await signUp(server.url, EMAIL);
    jobId = (await owner.submit(server.demoSite)).id;
    await owner.waitForJob(jobId, ({ status }) => FINAL.has(status));
    browser = await openBrowser();
    context = await browser.newContext({
      viewport: { width: 390, height: 900 },
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
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

  it('opens from a job with one click, and shows the changes of each event', async () => {
    await page.goto(`${server.url}/admin/jobs/${jobId}`);
    await page.getByRole('main').getByRole('link', { name: 'Full history' }).click();
    await page.getByRole('heading', { level: 1, name: 'History: Job' }).waitFor();
    const ended = page.getByRole('article', { name: 'Job completed' });
    await ended.getByText('Status: running became finished').waitFor();
    await lookEverywhere(page, 'history-job');
    await ended.getByRole('button').press('Enter');
    await page.getByText('State after').click();
    await page.getByLabel('State after').getByText('"outcome": "completed"').waitFor();
    await look(page, 'history-event');
  });

  it('is filtered, and downloaded as a file', async () => {
    await page.getByText('Filter and sort').click();
    await page.getByLabel('Event', { exact: true }).selectOption({ label: 'Job submitted' });
    await page.getByRole('article', { name: 'Job submitted' }).waitFor();
    await expect.poll(() => page.getByRole('article').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect([lines.length, lines[1]?.includes(EMAIL)]).toEqual([2, true]);
    await page.getByRole('button', { name: 'Show all events' }).click();
    await page.getByRole('article', { name: 'Job completed' }).waitFor();
  });

  it('opens at one event by a link', async () => {
    await page.getByRole('link', { name: 'Link to event 0' }).click();
    const address = page.url();
    expect(address).toMatch(/#0$/);
    const other = await context.newPage();
    await other.goto(address);
    await other.getByLabel('Data').getByText(`"jobId": "${jobId}"`).waitFor();
    await other.close();
  });

  it('finds a pasted id or address', async () => {
    await page.getByRole('main').getByLabel('Find a history').fill(EMAIL);
    await page.getByRole('button', { name: 'Find' }).click();
    const found = page.getByRole('list', { name: 'Histories' });
    await found.getByRole('link', { name: 'Bill' }).waitFor();
    await lookEverywhere(page, 'history-found');
    await found.getByRole('link', { name: 'Bill' }).click();
    await page.getByRole('article', { name: 'Audit reserved' }).waitFor();
  });

  it('shows new events while the page is open', async () => {
    await page.getByRole('main').getByRole('link', { name: EMAIL }).click();
    const userPage = page.url();
    const watching = await context.newPage();
    await page.getByRole('link', { name: 'History of the bill' }).waitFor();
    await watching.goto(`${server.url}/admin/history?stream=billing-${userPage.split('/').at(-1)}`);
    await watching.getByRole('article', { name: 'Audit reserved' }).waitFor();
    await page.getByRole('button', { name: 'Grant credits' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Credits').fill('3');
    await dialog.getByLabel('Reason').fill('To see it appear');
    await dialog.getByRole('button', { name: 'Grant credits' }).click();
    await watching.bringToFront();
    await watching.getByRole('article', { name: 'Credits granted' }).getByText('Credits: 0 became 3').waitFor();
    await lookEverywhere(watching, 'history-bill');
    await watching.close();
    expect(faults).toEqual([]);
  });
});
