/** Jobs home and a job's page in a real browser: by keyboard only, with and without the socket. */
import type { BrowserContext, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('jobs home and a job’s page', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  const sockets = new Set<WebSocketRoute>();
  let away = false;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    faults = watchFaults(page);
    await page.routeWebSocket(/\/realtime$/, (socket) => {
      if (away) return void socket.close({ code: 1012 });
      socket.connectToServer();
      sockets.add(socket);
    });
    await page.goto(`${server.url}/login`);
    await page.getByLabel('Email').fill(server.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(server.admin.password);
    await page.keyboard.press('Enter');
    await page.getByText('No jobs yet').waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  /** Reached by keyboard only. */
  async function tabTo(wanted: string): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(wanted)}) ?? false`)) return;
    }
    throw new Error(`Tab never came to ${wanted}`);
  }

  /** The texts of the newest row's badge, in order of appearance. */
  async function watchStages(): Promise<void> {
    await page.evaluate(`
      window.seen = [];
      new MutationObserver(() => {
        const text = document.querySelector('[data-row] td:nth-child(2)')?.textContent;
        if (text && text !== seen.at(-1)) seen.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    `);
  }

  const latest = () => page.locator('[data-row]').first();

  it('accept an address, show its stages and report its end, by keyboard only', async () => {
    await page.getByText('Live updates active').waitFor();
    await watchStages();
    await tabTo('input[name=url]');
    await page.keyboard.type(server.demoSite);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Analysis complete' });
    await dialog.waitFor({ timeout: 60_000 });
    expect(await page.title()).toMatch(/^Ready: |Recent jobs/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    const seen = await page.evaluate<string>("seen.join('\\n')");
    expect(seen).toMatch(/Pending|Queued|Starting|Analyzing Website/);
    expect(seen).toMatch(/\d+%/);
    expect(seen).toMatch(/Completed/);
  });

  it('open the job’s page and its parts, by keyboard only', async () => {
    await tabTo('[data-row] td:first-child a');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/jobs/*');
    await tabTo('main header button[aria-expanded]');
    await page.keyboard.press('Enter');
    await page.getByText('8 of 8 stages').waitFor();
    await page.getByRole('list', { name: 'Findings by issue' }).waitFor();
    await tabTo('ol[aria-label="Findings by issue"] button');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'How to fix' }).waitFor();
    expect(new URL(page.url()).searchParams.get('cause')).toBeTruthy();
    await page.getByRole('tab', { name: /^Findings/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Pages' }).waitFor();
    expect(page.url()).toContain('tab=pages');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Links' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Structure' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: /SEO audit of/ }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await page.getByRole('region', { name: 'Pages' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'Pages' }).waitFor();
  });

  it('arrange the links in a graph, the same each time, and lead from a folder to its pages', async () => {
    const picture = async (): Promise<string> => {
      await page.locator('section[aria-label="Link graph"][aria-busy="false"]').waitFor();
      const drawn = "document.querySelector('canvas').toDataURL()";
      const empty = "Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).toDataURL()";
      await page.waitForFunction(`${drawn}.length > 20 * ${empty}.length`);
      return page.evaluate<string>(drawn);
    };
    const job = new URL(page.url()).pathname;
    await page.goto(`${server.url}${job}?tab=structure&view=graph`);
    const first = await picture();
    await page.reload();
    expect(await picture()).toBe(first);
    await page.getByRole('link', { name: 'Folders', exact: true }).click();
    const folder = page.getByRole('region', { name: 'Folders' }).getByRole('link', { name: /pages in \/teas\/$/ });
    const pages = Number((await folder.textContent())?.trim());
    await folder.click();
    await page.waitForURL(/tab=pages&folder=%2Fteas%2F/);
    const rows = page.getByRole('region', { name: 'Pages' }).getByRole('rowheader');
    await rows.first().waitFor();
    expect(pages).toBeGreaterThan(1);
    expect(await rows.count()).toBe(pages);
  });

  it('continue by polling without the socket, and reconnect', async () => {
    away = true;
    for (const socket of sockets) await socket.close({ code: 1012 });
    await page.getByText('Offline').waitFor();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/dashboard/jobs/') && url.search === '');
    await page.locator('section[aria-label="Score"]').waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Later' }).click();
    away = false;
    await page.getByText('Live updates active').waitFor();
  });

  it('compare two audits', async () => {
    await page.getByRole('link', { name: /unchanged since/ }).click();
    const comparison = page.getByRole('region', { name: 'Comparison' });
    await comparison.waitFor();
    expect(await page.getByRole('region', { name: 'Audits of this site' }).getByRole('row').count()).toBe(3);
    await page.locator('svg:has(polyline[data-line=score])').waitFor();
    for (const group of ['New', 'Fixed', 'Remaining', 'Not comparable'])
      await comparison.getByRole('button', { name: new RegExp(`${group}$`) }).waitFor();
    expect(await comparison.getByRole('button', { name: /Remaining$/ }).textContent()).not.toMatch(/^0/);
    expect(await comparison.getByRole('button', { name: /Fixed$/ }).textContent()).toMatch(/^0/);
  });

  it('reload on request, and delete the newest job after a confirmation', async () => {
    await page.goto(`${server.url}/`);
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Refresh' }).click()]);
    await latest()
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Delete/ })
      .click();
    await page.getByRole('tab', { name: 'All 1' }).waitFor();
  });

  it('cause no script error and no violation of the content security policy', () => {
    expect(faults.filter((fault) => !/WebSocket/.test(fault))).toEqual([]);
  });
});
