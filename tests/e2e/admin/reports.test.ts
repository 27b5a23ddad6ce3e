/**
 * An analyst reads the revenue by month as of a day, and what a promotion code brought: the figures are the same on the
 * page, over HTTP, and in a terminal beside the running server.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteEventStore } from '../../../src/eventStore/sqlite/sqlite.ts';
import { withStoredEvents } from '../../../src/eventStore/storedEvents.ts';
import { billed, bought, subscribed, told } from '../../given/billing/facts.ts';
import { logIn } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { picture, terminalPicture } from '../../given/product/picture.ts';
import { runProgram } from '../../given/product/program.ts';
import { signIn } from '../../given/product/screens.ts';
import { happened, write } from '../../given/reports.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const paid = (at: string, amount: number) =>
  happened('billing-user-1', at, 'FundsAdded', {
    userId: 'user-1',
    paymentIntentId: `pi_${at}`,
    amount,
    currency: 'usd',
    funds: amount,
    balance: amount,
    quantity: 1,
    addedAt: at,
  });

type Table = { readonly name: string; readonly rows: readonly object[] };

/** One report and one period of a plan, with a code that takes off 15% and a half. */
const withCode = () => {
  const plan = subscribed();
  const invoice = plan.invoice && { ...plan.invoice, amount: 3_950, discounts: [{ code: 'FIFTEEN', amount: 3_950 }] };
  const { events } = billed(
    bought('pi_code', { amount: 4_250, funds: 5_000, discountCode: 'FIFTEEN' }),
    told({ ...plan, invoice, monthly: 3_950 }),
  );
  return events.map(({ type, data }) => happened('billing-user-1', '2026-04-10T12:00:00.000Z', type, data));
};

/** Three users run out; two of them open a checkout, and one of these buys, all within a day. */
const ranOut = () => {
  const tally = (userId: string, at: string) => ({ userId, count: 1, since: at, until: at });
  const [at, later] = ['2026-04-20T12:00:00.000Z', '2026-04-20T13:00:00.000Z'];
  const users = ['user-1', 'user-2', 'user-3'];
  return [
    ...users.map((userId) =>
      happened(`refused-submissions-202604-${userId}`, at, 'SubmissionsRefused', {
        ...tally(userId, at),
        reason: 'INSUFFICIENT_CREDITS',
      }),
    ),
    ...users.slice(0, 2).map((userId) =>
      happened(`checkouts-202604-${userId}`, later, 'CheckoutsOpened', {
        ...tally(userId, later),
        purchase: 'reports',
      }),
    ),
    paid('2026-04-20T14:00:00.000Z', 5_000),
  ];
};

describe.skipIf(!available('Chromium', CHROMIUM))('reports in a browser', () => {
  const data = temporaryData();
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let server: BuiltServer;
  let browser: TestBrowser;
  let page: Page;
  let faults: readonly string[];

  beforeAll(async () => {
    const store = withStoredEvents(openSqliteEventStore({ file: join(data.dir, 'events.db') }));
    await write(
      store,
      paid('2026-01-10T12:00:00.000Z', 5_000),
      paid('2026-02-10T12:00:00.000Z', 12_345),
      paid('2026-03-10T12:00:00.000Z', 700),
      ...withCode(),
      ...ranOut(),
    );
    await store.close();
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    const context = await browser.newContext({
      viewport: { width: 390, height: 900 },
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

  it('show the revenue by month as of a day, with the figures of the terminal', async () => {
    await page.goto(`${server.url}/admin`);
    await page.getByRole('main').getByRole('link', { name: 'Reports' }).first().click();
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    const table = page.getByRole('region', { name: 'Revenue over time: table' });
    await table.getByText('$7.00').first().waitFor();
    await lookEverywhere(page, 'admin-reports');
    await page.getByLabel('As of', { exact: true }).fill('2026-02-28');
    await table.getByText('$7.00').first().waitFor({ state: 'detached' });
    await table.getByText('$123.45').first().waitFor();
    expect(new URL(page.url()).searchParams.get('as_of')).toBe('2026-02-28');
    await picture(page, 'reports-revenue');
    await look(page, 'admin-reports-past');

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV: Revenue over time' }).click(),
    ]);
    const onPage = readFileSync(await download.path(), 'utf8');
    const out = join(data.dir, 'terminal.csv');
    const { code, output } = await runProgram(
      'replay',
      ['--report', 'revenue', '--as-of', '2026-02-28', '--format', 'csv', '--out', out],
      {
        DATA_DIR: data.dir,
      },
    );
    expect([code, output]).toEqual([0, expect.any(String)]);
    expect(onPage).toBe(readFileSync(out, 'utf8'));
    expect(onPage).toContain('2026-02-01,1,123.45');
    const asked = ['--report', 'revenue', '--by', 'month', '--as-of', '2026-02-28'];
    await terminalPicture(browser, 'reports-revenue-terminal', `npm run -s replay -- ${asked.join(' ')}`, async () => {
      const printed = await runProgram('replay', asked, { DATA_DIR: data.dir });
      return printed.output;
    });
  });

  it('say what a promotion code brought, in reports and plans, with the figures of HTTP and the terminal', async () => {
    await page.goto(`${server.url}/admin/reports?report=codes`);
    const table = page.getByRole('region', { name: 'Reports and plans by code: table' });
    await table.getByText('$42.50').first().waitFor();
    const shown = await table.getByRole('row').allInnerTexts();
    expect(shown.slice(1).map((row) => row.split(/\s+/).filter((cell) => cell !== ''))).toEqual([
      ['FIFTEEN', 'Plans', '1', '$79.00', '$39.50', '$39.50'],
      ['FIFTEEN', 'Reports', '1', '$50.00', '$7.50', '$42.50'],
    ]);

    const admin = await logIn(server.url, server.admin);
    const { body } = await admin.call<{ readonly data: { readonly tables: readonly Table[] } }>(
      'GET',
      '/api/v1/admin/reports/codes',
    );
    const { output } = await runProgram('replay', ['--report', 'codes', '--format', 'json'], { DATA_DIR: data.dir });
    const inTerminal = JSON.parse(output);
    expect(body.data.tables.find(({ name }) => name === 'by-kind')?.rows).toEqual([
      { code: 'FIFTEEN', kind: 'Plans', currency: 'usd', uses: 1, list: 7_900, discount: 3_950, paid: 3_950 },
      { code: 'FIFTEEN', kind: 'Reports', currency: 'usd', uses: 1, list: 5_000, discount: 750, paid: 4_250 },
    ]);
    expect(inTerminal.tables).toEqual(body.data.tables);
    await look(page, 'admin-reports-codes');
  });

  it('say how many who ran out bought within a day, with the figures of HTTP and the terminal', async () => {
    await page.goto(`${server.url}/admin/reports`);
    await page.getByLabel('Report', { exact: true }).selectOption({ label: 'Before a purchase' });
    const table = page.getByRole('region', { name: 'What users did within a day of running out: table' });
    await table.getByText('Ran out of audits').waitFor();
    const shown = await table.getByRole('row').allInnerTexts();
    expect(shown.slice(1).map((row) => row.split(/\t|\n/).filter((cell) => cell.trim() !== ''))).toEqual([
      ['Ran out of audits', '3', '100.0%'],
      ['Opened checkout', '2', '66.7%'],
      ['Bought', '1', '33.3%'],
      ['Left without buying', '1', '33.3%'],
    ]);

    const admin = await logIn(server.url, server.admin);
    const { body } = await admin.call<{ readonly data: { readonly tables: readonly Table[] } }>(
      'GET',
      '/api/v1/admin/reports/checkouts',
    );
    const { output } = await runProgram('replay', ['--report', 'checkouts', '--format', 'json'], {
      DATA_DIR: data.dir,
    });
    expect(body.data.tables.find(({ name }) => name === 'steps')?.rows).toMatchObject([
      { step: 'Ran out of audits', users: 3 },
      { step: 'Opened checkout', users: 2 },
      { step: 'Bought', users: 1 },
      { step: 'Left without buying', users: 1 },
    ]);
    expect(JSON.parse(output).tables).toEqual(body.data.tables);
    await lookEverywhere(page, 'admin-reports-checkouts');
  });

  it('have dates that can be typed, and corrected part by part', async () => {
    const asked = (name: string) => new URL(page.url()).searchParams.get(name);
    await page.goto(`${server.url}/admin/reports`);
    const [from, asOf] = [page.getByLabel('From', { exact: true }), page.getByLabel('As of', { exact: true })];
    await from.focus();
    await page.keyboard.type('02012026');
    await expect.poll(() => asked('from')).toBe('2026-02-01');
    await asOf.focus();
    await page.keyboard.type('02282026');
    await expect.poll(() => [asked('from'), asked('as_of')]).toEqual(['2026-02-01', '2026-02-28']);
    await page.goto(`${server.url}/admin/reports?report=revenue&from=2026-11-26`);
    await from.focus();
    await page.keyboard.type('12152025');
    await expect.poll(() => [asked('from'), asked('report')]).toEqual(['2025-12-15', 'revenue']);
    expect(await from.inputValue()).toBe('2025-12-15');
  });

  it('have dates in the history’s filters, too', async () => {
    await page.goto(`${server.url}/admin/history?stream=billing-user-1&from=2026-01-10T12:00:00.000Z`);
    const from = page.getByLabel('From', { exact: true });
    await from.focus();
    await page.keyboard.type('12152025');
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^2025-12-15T/);
    expect(await from.inputValue()).toMatch(/^2025-12-15T/);
  });

  it('show the same by a link', async () => {
    await page.goto(`${server.url}/admin/reports?report=revenue&as_of=2026-01-31&by=day`);
    const table = page.getByRole('region', { name: 'Revenue over time: table' });
    await table.getByText('$50.00').first().waitFor();
    expect(await table.getByText('$123.45').count()).toBe(0);
    expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('day');
    await page.getByText('npm run replay -- --report revenue --by day --as-of 2026-01-31').waitFor();
    await page.getByLabel('Report', { exact: true }).selectOption('mails');
    await page.getByRole('heading', { name: 'Emails over time' }).waitFor();
    await look(page, 'admin-reports-mails');
    expect(faults).toEqual([]);
  });
});
