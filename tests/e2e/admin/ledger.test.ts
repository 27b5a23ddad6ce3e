/**
 * An auditor goes through the ledger by keyboard, on a phone and on a wide screen: an invoice, the refunds of a month,
 * the next page, the event of a row, a file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { ledgerLog } from '../../given/billing/ledgerLog.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { happened, write } from '../../given/reports.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const LOG = ledgerLog(3, 4, 220);
/** Rows of a page. */
const PAGE = 100;

describe.skipIf(!available('Chromium', CHROMIUM))('the ledger in a browser', () => {
  const data = temporaryData();
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    const store = withStoredEvents(openSqliteEventStore({ file: join(data.dir, 'events.db') }));
    await write(store, ...LOG.map(({ stream, metadata, type, data }) => happened(stream, metadata.at, type, data)));
    await store.close();
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    const context = await browser.newContext({
      viewport: { width: 360, height: 900 },
      reducedMotion: 'reduce',
      acceptDownloads: true,
    });
    context.setDefaultTimeout(20_000);
    await signIn(context, server.url, server.admin);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  const rows = () => page.getByRole('table', { name: 'Ledger' }).locator('tbody').getByRole('row');
  const rowCount = async () =>
    Number(await page.getByRole('table', { name: 'Ledger' }).getAttribute('aria-rowcount')) - 1;

  it('has everything, and goes on to the next page', async () => {
    await page.goto(`${server.url}/admin`);
    await page.getByRole('main').getByRole('link', { name: 'Ledger' }).first().click();
    await page.getByRole('heading', { name: 'Ledger', level: 1 }).waitFor();
    await rows().first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    await lookEverywhere(page, 'admin-ledger');
    const all = await rowCount();
    expect(all).toBeGreaterThan(PAGE);
    const more = page.getByRole('button', { name: 'Load more' });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(0);
    expect(await rowCount()).toBe(all);
  });

  it('finds an invoice by keyboard, and leads to the event in the bill', async () => {
    const paid = LOG.find(({ data }) => 'paid' in data && data.paid?.number !== undefined);
    const number = paid && 'paid' in paid.data ? String(paid.data.paid?.number) : expect.fail('no invoice');
    await page.goto(`${server.url}/admin/ledger`);
    await page.getByRole('searchbox').focus();
    await page.keyboard.type(number);
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(number);
    const row = rows()
      .filter({ hasText: `Invoice ${number}` })
      .first();
    await row.waitFor();
    await look(page, 'admin-ledger-invoice');
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: /^History: / }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/^#\d+$/);
    await page.goBack();
    await row.waitFor();
    await page.getByRole('searchbox').focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('INV-of-nobody');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found').waitFor();
    await look(page, 'admin-ledger-nothing');
  });

  it('has the refunds in one currency as a file, with the sums of the page', async () => {
    await page.goto(`${server.url}/admin/ledger`);
    await page.getByLabel('Kind', { exact: true }).selectOption('refunds');
    await page.getByLabel('Currency', { exact: true }).selectOption('eur');
    await expect.poll(() => new URL(page.url()).search).toBe('?kind=refunds&currency=eur');
    await page.getByRole('region', { name: 'Sums: table' }).getByText('EUR').waitFor();
    await rows().first().waitFor();
    await page.getByText('By kind', { exact: true }).click();
    await look(page, 'admin-ledger-refunds');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
      .slice(1);
    expect(lines).toHaveLength(await rowCount());
    expect(lines.every((line) => line.includes(',Payment refunded,refund,') && line.includes(',eur,'))).toBe(true);
    // What was searched for and not found.
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
  });
});
