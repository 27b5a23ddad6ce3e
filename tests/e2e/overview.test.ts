/** The overview of a result in a real browser: where it stands, that nothing moves while it loads, and its targets. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, logIn } from '../given/product/apiClient.ts';
import { openBrowser, type TestBrowser } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { comesToRest, signIn } from '../given/product/screens.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

/** Sums up what moved without a click, as Core Web Vitals count it. */
const COUNT_SHIFTS = `
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** Of all that can be tapped. */
const HEIGHTS = `
  [...document.querySelectorAll('section[aria-label="Overview"] :is(a, button)')]
    .filter((each) => each.checkVisibility())
    .map((each) => [each.textContent, each.getBoundingClientRect().height])
`;

/** Whether nothing covers the middle of the last row's head. */
const LAST_IS_IN_SIGHT = `
  const last = [...document.querySelectorAll('section[aria-label="Pages"] th[scope="row"]')].at(-1);
  const { left, top, width, height } = last.getBoundingClientRect();
  last.contains(document.elementFromPoint(left + width / 2, top + height / 2));
`;

describe.skipIf(!available('Chromium', CHROMIUM))('the overview', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let path: string;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    const client = await logIn(server.url, server.admin);
    for (const _ of ['before', 'now']) {
      const { id } = await client.submit(server.demoSite);
      await client.waitForJob(id, ({ status }) => FINAL.has(status));
      path = `/dashboard/jobs/${id}`;
    }
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  async function opened(width: number, height: number, isPhone = false): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: isPhone, isMobile: isPhone });
    await signIn(context, server.url, server.admin);
    const page = await context.newPage();
    await page.addInitScript(COUNT_SHIFTS);
    await page.goto(`${server.url}${path}`, { waitUntil: 'networkidle' });
    await page.getByRole('list', { name: 'Fix first' }).waitFor();
    await page.getByRole('list', { name: 'Findings by issue' }).waitFor();
    await comesToRest(page);
    return page;
  }

  const boxOf = async (page: Page, role: 'region' | 'list', name: string) => {
    const box = await page.getByRole(role, { name, exact: true }).boundingBox();
    if (!box) throw new Error(`${name} is not shown.`);
    return box;
  };

  it('leaves the first findings in sight on a computer, and nothing moves while it loads', async () => {
    const page = await opened(1440, 900);
    const overview = await boxOf(page, 'region', 'Overview');
    expect(overview.height).toBeGreaterThan(180);
    expect(overview.height).toBeLessThan(240);
    expect((await boxOf(page, 'list', 'Findings by issue')).y).toBeLessThan(350);
    expect(await page.evaluate<number>('shifted')).toBeLessThan(0.05);
  });

  it('filters the rows without moving the page', async () => {
    const page = await opened(1440, 900);
    await page.getByRole('list', { name: 'Issues by impact' }).getByRole('link', { name: /^High/ }).click();
    await page.waitForURL('**/dashboard/jobs/*?tab=findings&impact=high');
    expect(await page.evaluate<number>('scrollY')).toBe(0);
    await page.getByRole('list', { name: 'Pages by status' }).getByRole('link', { name: /^4xx/ }).click();
    await page.waitForURL('**/dashboard/jobs/*?tab=pages&status=4xx');
    expect(await page.evaluate<number>('scrollY')).toBe(0);
  });

  it.each([390, 360])(
    'of %s px has the score and what to fix first, the rest folded, all large enough',
    async (width) => {
      const page = await opened(width, 844, true);
      const [score, first] = [await boxOf(page, 'region', 'Score'), await boxOf(page, 'list', 'Fix first')];
      expect(score.y).toBeLessThan(first.y);
      expect(first.y).toBeLessThan(600);
      expect(await page.getByRole('list', { name: 'Issues by impact' }).isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Points, impact, pages, and depth' }).tap();
      const heights = await page.evaluate<readonly (readonly [string, number])[]>(HEIGHTS);
      expect(heights.length).toBeGreaterThan(15);
      expect(heights.filter(([, height]) => height < 44)).toEqual([]);
      expect(await page.evaluate<number>('shifted')).toBeLessThan(0.05);
    },
  );

  it('leaves room for the rows of the issue matrix where a page is magnified', async () => {
    const page = await opened(320, 256);
    await page.goto(`${server.url}${path}?tab=pages&mode=matrix`);
    await page.getByRole('region', { name: 'Pages' }).getByRole('rowheader').last().scrollIntoViewIfNeeded();
    expect(await page.evaluate<boolean>(LAST_IS_IN_SIGHT)).toBe(true);
  });
});
