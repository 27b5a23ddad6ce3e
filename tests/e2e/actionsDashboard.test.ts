/** The actions dashboard in real browsers: two of one account, the keyboard, dragging, touch, and malicious texts. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionsResponse } from '../../src/http/contract/actions.ts';
import { some } from '../given/fullForm.ts';
import { HOSTILE_MARKDOWN } from '../given/hostileMarkdown.ts';
import { type ApiClient, FINAL, signUp } from '../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('the actions dashboard in browsers', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let user: ApiClient;
  let path: string;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    user = await signUp(server.url);
    const job = await user.submit(server.demoSite);
    await user.waitForJob(job.id, (now) => FINAL.has(now.status));
    path = `${server.url}/dashboard/actions?jobId=${job.id}`;
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  async function signedIn(
    options: Parameters<TestBrowser['newContext']>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    await context.addInitScript(`localStorage.setItem('auth_token', ${JSON.stringify(user.token)})`);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    return { context, page, faults: watchFaults(page) };
  }

  const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

  it('works by keyboard, and another browser sees the changes', async () => {
    const one = await signedIn();
    const two = await signedIn();
    for (const { page } of [one, two]) {
      await page.goto(path);
      await page.getByText('Live updates active').first().waitFor();
      await page.getByRole('heading', { name: /^Available Tasks/ }).waitFor();
    }
    await one.page.keyboard.press('j');
    const task = await one.page.evaluate<string>('document.activeElement.textContent');
    expect(task).not.toBe('');
    await one.page.keyboard.press('s');
    await heading(two.page, 'In Progress (1)').waitFor();
    await two.page.getByRole('list', { name: 'In Progress' }).getByRole('link', { name: task }).waitFor();
    // The focus moves with the card.
    await expect.poll(() => one.page.evaluate<string>('document.activeElement.textContent')).toBe(task);
    await one.page.keyboard.press('c');
    await heading(one.page, 'Completed Tasks (1)').waitFor();
    await heading(two.page, 'Completed Tasks (1)').waitFor();
    await one.page.keyboard.press('u');
    await heading(two.page, 'In Progress (1)').waitFor();
    expect([...one.faults, ...two.faults]).toEqual([]);
    await one.context.close();
    await two.context.close();
  });

  it('says that a move failed while the server is away, and leaves the focus on its card', async () => {
    const { context, page } = await signedIn();
    await page.goto(path);
    await page.getByRole('heading', { name: /^Available Tasks/ }).waitFor();
    // The toasts are there before anything is to be said.
    await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' });
    await page.keyboard.press('j');
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    const task = await focused();
    await context.setOffline(true);
    await page.keyboard.press('c');
    await page
      .getByText(/^Error: /)
      .first()
      .waitFor();
    await page
      .getByText(/^Moved to/)
      .first()
      .waitFor({ state: 'detached' });
    await expect.poll(focused).toBe(task);
    await context.close();
  });

  it('keeps its scroll position when returning from a task', async () => {
    const { context, page } = await signedIn({ viewport: { width: 1024, height: 600 } });
    await page.goto(path);
    const cards = page.getByRole('list', { name: 'Available Tasks' }).getByRole('article');
    const card = cards.last();
    await card.scrollIntoViewIfNeeded();
    await page.mouse.wheel(0, 150);
    const top = async () => (await card.boundingBox())?.y;
    await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(100);
    const before = await top();
    await card.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Problem' }).waitFor();
    await page.goBack();
    await expect.poll(top, { timeout: 5_000 }).toBeCloseTo(before ?? Number.NaN, -1);
    await context.close();
  });

  it('opens a part not loaded yet when the connection is back, and keeps the page meanwhile', async () => {
    const { context, page } = await signedIn();
    await page.goto(path);
    await page.getByRole('heading', { name: /^Available Tasks/ }).waitFor();
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Back to All Jobs' }).click();
    await page.getByText('You’re offline.').waitFor();
    expect(await page.getByRole('heading', { name: /^Available Tasks/ }).isVisible()).toBe(true);
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Recent Jobs' }).waitFor();
    expect(await page.getByText('You’re offline.').count()).toBe(0);
    await context.close();
  });

  it('works by dragging, by the menu and by the keys on the board, and another browser sees the changes', async () => {
    const one = await signedIn();
    const two = await signedIn();
    for (const { page } of [one, two]) {
      await page.goto(`${path}&view=board`);
      await page.getByText('Live updates active').first().waitFor();
      await page.getByRole('heading', { name: /^Todo/ }).waitFor();
    }
    const column = (page: Page, name: string) => page.locator(`[data-column="${name}"]`);
    const card = column(one.page, 'todo').getByRole('article').first();
    const task = (await card.getByRole('link').first().textContent()) ?? '';
    // Near the top: a column is as long as its page.
    await card.dragTo(column(one.page, 'completed'), { targetPosition: { x: 120, y: 80 } });
    await column(two.page, 'completed').getByRole('link', { name: task, exact: true }).waitFor();
    await column(one.page, 'completed').getByRole('link', { name: task, exact: true }).focus();
    await one.page.keyboard.press('Shift+ArrowLeft');
    await column(two.page, 'in-progress').getByRole('link', { name: task, exact: true }).waitFor();
    await column(one.page, 'in-progress')
      .getByRole('button', { name: `Move to…: ${task}` })
      .click();
    await one.page.getByRole('menuitem', { name: 'Todo' }).click();
    await column(two.page, 'todo').getByRole('link', { name: task, exact: true }).waitFor();
    await one.page.getByRole('button', { name: 'Undo' }).click();
    await column(two.page, 'in-progress').getByRole('link', { name: task, exact: true }).waitFor();
    expect([...one.faults, ...two.faults]).toEqual([]);
    await one.context.close();
    await two.context.close();
  });

  it('keeps its filters and its open task through reloads and the back button', async () => {
    const { context, page } = await signedIn();
    await page.goto(path);
    await page.getByLabel('Search tasks').fill('page');
    await page.waitForURL(/search=page/);
    // The address changes before the page is drawn.
    await page.getByRole('button', { name: 'Filters, 1 set' }).waitFor();
    await page.getByLabel('Impact', { exact: true }).selectOption('high');
    await page.waitForURL(/impact=high/);
    await page.reload();
    await page.getByRole('article').first().waitFor();
    expect(await page.getByLabel('Search tasks').inputValue()).toBe('page');
    const count = await page.getByRole('article').count();
    await page.getByRole('article').first().getByRole('link').first().click();
    await page.waitForURL(/actionId=/);
    await page.reload();
    await page.getByRole('heading', { name: 'Verify the fix' }).waitFor();
    await page.goBack();
    await page
      .getByRole('article')
      .nth(count - 1)
      .waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('page');
    await context.close();
  });

  it('works by touch on a phone', async () => {
    const { context, page, faults } = await signedIn({
      viewport: { width: 360, height: 780 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto(path);
    const card = page.getByRole('list', { name: 'Available Tasks' }).getByRole('article').first();
    const task = (await card.getByRole('link').first().textContent()) ?? '';
    // The card's link covers all of it; its buttons are above the link.
    await card.getByRole('button', { name: `Start Task: ${task}` }).tap();
    const begun = page.getByRole('list', { name: 'In Progress' }).getByRole('article').filter({ hasText: task });
    await begun.getByRole('button', { name: `Mark Complete: ${task}` }).tap();
    await page.getByRole('list', { name: 'Completed Tasks' }).getByRole('link', { name: task, exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('actionId')).toBeNull();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Refresh and export' }).tap();
    await page.getByRole('menuitem', { name: 'Export MD' }).tap();
    expect((await saved).suggestedFilename()).toMatch(/^seo-actions-.*\.md$/);
    await page.getByRole('button', { name: 'More about this audit' }).tap();
    await page.getByRole('menuitem', { name: 'View Shared Links' }).tap();
    await page.waitForURL(/dashboard\/shares/);
    expect(faults).toEqual([]);
    await context.close();
  });

  it('runs no script and sends no request, whatever the texts contain', async () => {
    expect(HOSTILE_MARKDOWN).toHaveLength(200);
    const { context, page } = await signedIn();
    const foreign: string[] = [];
    page.on('request', (request) => !request.url().startsWith(server.url) && foreign.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => foreign.push(`dialog: ${dialog.message()}`)));
    await context.addInitScript('window.ran = () => { window.hasRun = true; }');
    const real = (
      await user.call<ActionsResponse>(
        'GET',
        new URL(path).pathname.replace('/dashboard', '/api/v1') + new URL(path).search,
      )
    ).body;
    const [first] = real.actions;
    if (!first) throw new Error('the analysis has no items');
    const hostile = (text: string, at: number) => ({
      ...first,
      id: `hostile-${at}`,
      title: text,
      problem: text,
      solution: text,
      code_example: text,
      business_value: text,
      tags: [text],
      notes: text,
      evidence: [{ url: 'javascript:ran()', place: text, value: text }],
    });
    let actions = HOSTILE_MARKDOWN.map(hostile);
    // Ten at a time; each one is tested in `tests/web/ui/markdown.test.tsx`.
    const tens = Array.from({ length: Math.ceil(HOSTILE_MARKDOWN.length / 10) }, (_, part) =>
      HOSTILE_MARKDOWN.slice(part * 10, part * 10 + 10).join('\n\n'),
    );
    const parts = some(tens, 4);
    let at = 0;
    await page.route('**/api/v1/actions?**', (route) =>
      route.fulfill({ json: { ...real, actions, executiveSummary: parts[at] ?? null } }),
    );
    await page.goto(path);
    await page.getByRole('button', { name: 'Show Executive Summary' }).click();
    // Of two hundred cards only the visible ones are drawn.
    expect(await page.getByRole('article').count()).toBeLessThan(60);
    actions = actions.slice(0, 3);
    for (at = 1; at < parts.length; at += 1) {
      const answer = page.waitForResponse('**/api/v1/actions?**');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await answer;
    }
    actions = parts.map(hostile);
    await page.goto(path);
    for (const [nth, { id }] of actions.entries()) {
      await page.getByRole('article').nth(nth).getByRole('link').first().click();
      await page.waitForURL(`**actionId=${id}`);
      await page.getByRole('heading', { name: 'Verify the fix' }).waitFor();
      expect(
        await page.locator('main').locator('script, iframe, img, object, embed, form[action], style, base').count(),
      ).toBe(0);
      await page.goBack();
    }
    expect(await page.evaluate('window.hasRun')).toBeUndefined();
    expect(foreign).toEqual([]);
    await context.close();
  });
});
