/** Watching an audit while another process reads the site: the same on a reload and in a second tab, until the result. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveFeedResponse } from '../../src/http/contract/liveFeed.ts';
import { clientOf, FINAL, signUp } from '../given/product/apiClient.ts';
import { openBrowser, type TestBrowser } from '../given/product/browser.ts';
import { type Installation, startInstallation } from '../given/product/installation.ts';
import { signIn } from '../given/product/screens.ts';
import { available, CHROMIUM, MONGOD } from '../given/requirements.ts';
import { startTestSite, type TestSite } from '../servers/testSite.ts';

const LIMIT_MS = 100_000;
/** Of `signUp`. */
const PASSWORD = 'a good password';
/** Of the pages that answer at once. */
const AT_ONCE = 11;

const here = available('mongod (scripts/fetchMongod.sh)', MONGOD) && available('Chromium', CHROMIUM);

const html = (title: string, links: string): string =>
  `<!doctype html><html lang="en"><head>${title === '' ? '' : `<title>${title}</title>`}</head><body><h1>Tea</h1>${links}</body></html>`;

describe.skipIf(!here)('the feed of an audit that another process runs', () => {
  let site: TestSite;
  let installation: Installation;
  let browser: TestBrowser;
  /** Lets the pages that wait be answered. */
  let release = (): void => undefined;
  beforeAll(async () => {
    site = await startTestSite({ '/robots.txt': { status: 404 }, '/sitemap.xml': { status: 404 } });
    installation = await startInstallation({ AUDIT_ALLOW_HOSTS: site.host, AUDIT_MAX_PAGES: '40' });
    browser = await openBrowser();
  }, LIMIT_MS);
  afterAll(async () => {
    release();
    await browser?.close();
    await installation?.stop();
    await site?.close();
  });

  it(
    'is the same on a reload, in a second tab, and at another process; after a kill without doubles; and becomes the result',
    async () => {
      const paths = Array.from({ length: AT_ONCE - 1 }, (_, nth) => `/tea-${nth}`);
      site.pages['/'] = html('Teas', [...paths, '/slow-0'].map((path) => `<a href="${path}">${path}</a>`).join(' '));
      for (const path of paths) site.pages[path] = html(path === '/tea-3' ? '' : `Tea ${path}`, '');
      // Then a chain of pages that take long, so that there is time to watch.
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      for (let nth = 0; nth < 15; nth += 1)
        site.pages[`/slow-${nth}`] = (_, response) =>
          void Promise.race([released, wait(8_000, undefined, { ref: false })]).then(() =>
            response
              .writeHead(200, { 'content-type': 'text/html' })
              .end(html(`Slow tea ${nth}`, `<a href="/slow-${nth + 1}">next</a>`)),
          );
      const urls = await Promise.all(installation.http.map(async (server) => (await server.started).url));
      const email = 'watcher@example.com';
      const user = await signUp(urls[0] ?? '', email);
      const stranger = await signUp(urls[0] ?? '', 'stranger@example.com');
      const elsewhere = clientOf(urls[1] ?? '', user.token, user.userId);
      const job = await user.submit(`${site.origin}/`);
      const feedOf = async (client = user) =>
        (await client.call<LiveFeedResponse>('GET', `/api/v1/jobs/${job.id}/feed`)).body.data;
      await expect
        .poll(async () => (await feedOf()).rows.length, { timeout: 30_000, interval: 500 })
        .toBeGreaterThanOrEqual(AT_ONCE);
      expect((await stranger.call('GET', `/api/v1/jobs/${job.id}/feed`)).status).toBe(404);
      expect((await feedOf(elsewhere)).rows.slice(-AT_ONCE)).toEqual((await feedOf()).rows.slice(-AT_ONCE));

      const context = await browser.newContext();
      await signIn(context, urls[0] ?? '', { email, password: PASSWORD });
      const tab = await context.newPage();
      const address = `${urls[0]}/dashboard/jobs/${job.id}`;
      await tab.goto(address);
      const textsOf = async (page: typeof tab): Promise<string[]> => {
        const rows = page.getByRole('region', { name: 'URLs read' }).getByRole('listitem');
        await expect.poll(() => rows.count(), { timeout: 15_000 }).toBeGreaterThanOrEqual(AT_ONCE);
        return (await rows.allTextContents()).slice(-AT_ONCE);
      };
      const seen = await textsOf(tab);
      expect(seen.find((text) => text.includes('/tea-3'))).toContain('no title');
      await tab.reload();
      expect(await textsOf(tab)).toEqual(seen);
      const second = await context.newPage();
      await second.goto(address);
      expect(await textsOf(second)).toEqual(seen);
      // Whoever reads by keyboard keeps the rows where they are.
      const list = tab.getByRole('region', { name: 'URLs read' });
      const focused = tab.locator('[aria-label="URLs read"]:focus');
      await tab.getByRole('link', { name: /^All URLs/ }).focus();
      await expect
        .poll(async () => {
          await tab.keyboard.press('Tab');
          return focused.count();
        })
        .toBe(1);
      await tab.getByRole('button', { name: /^\d+ new rows?$/ }).waitFor();
      expect((await list.getByRole('listitem').allTextContents()).slice(-AT_ONCE)).toEqual(seen);
      await tab.keyboard.press('Tab');
      await tab.getByRole('button', { name: /^\d+ new rows?$/ }).press('Enter');
      await focused.waitFor();
      // And who has left it sees them come in again.
      await tab.getByRole('heading', { level: 1 }).click();
      await second.getByRole('link', { name: /^No title/ }).click();
      const filtered = second.getByRole('region', { name: 'URLs read' }).getByRole('listitem');
      await expect.poll(() => filtered.count()).toBe(1);

      // Whichever worker has it: the other one takes it over and reads the site again.
      const before = (await feedOf()).from ?? 0;
      for (const worker of installation.workers) await worker.kill();
      installation.startMore('worker');
      await expect
        .poll(async () => (await feedOf()).from ?? 0, { timeout: 60_000, interval: 500 })
        .toBeGreaterThan(before);
      await expect
        .poll(async () => (await feedOf()).rows.length, { timeout: 30_000, interval: 500 })
        .toBeGreaterThanOrEqual(AT_ONCE);
      const urlsRead = (await feedOf()).rows.map(({ url }) => url);
      expect(new Set(urlsRead).size).toBe(urlsRead.length);
      const again = await textsOf(tab);
      expect(again.filter((text) => text.includes('/tea-3'))).toHaveLength(1);

      release();
      await user.waitForJob(job.id, ({ status }) => FINAL.has(status), LIMIT_MS);
      for (const page of [tab, second]) await page.getByRole('button', { name: 'Later' }).click();
      await tab.getByRole('tab', { name: /^Findings/, selected: true }).waitFor();
      await second.getByRole('tab', { name: /^Pages/, selected: true }).waitFor();
      expect((await feedOf()).rows).toEqual([]);
      await context.close();
    },
    LIMIT_MS * 2,
  );
});
