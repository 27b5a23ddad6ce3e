/** What the style sheets alone decide: what the sticky header covers, and what comes out on paper. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, FINAL, signUp } from '../given/product/apiClient.ts';
import { openBrowser, type TestBrowser } from '../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../given/product/builtServer.ts';
import { available, CHROMIUM } from '../given/requirements.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('a page as it is read', () => {
  const data = temporaryData();
  let server: BuiltServer;
  let browser: TestBrowser;
  let user: ApiClient;
  let jobId: string;

  beforeAll(async () => {
    server = await startBuiltServer(data.dir);
    browser = await openBrowser();
    user = await signUp(server.url);
    jobId = (await user.submit(server.demoSite)).id;
    await user.waitForJob(jobId, (now) => FINAL.has(now.status));
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    data.remove();
  });

  async function opened(path: string, theme = 'light'): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 600 } });
    await context.addInitScript(
      `localStorage.setItem('auth_token', ${JSON.stringify(user.token)}); localStorage.setItem('theme', '${theme}')`,
    );
    const page = await context.newPage();
    await page.goto(`${server.url}${path}`);
    return { context, page };
  }

  it('never has the focus behind its header', async () => {
    const { context, page } = await opened(`/dashboard/jobs/${jobId}?tab=findings`);
    await page.getByRole('list', { name: 'Findings by issue' }).waitFor();
    await page.keyboard.press('End');
    for (let nth = 0; nth < 60; nth += 1) await page.keyboard.press('Tab');
    const covered: string[] = [];
    for (let nth = 0; nth < 50; nth += 1) {
      await page.keyboard.press('Shift+Tab');
      const text = await page.evaluate<string>(`(() => {
        const at = document.activeElement;
        if (!at || at === document.body || at.closest('header.sticky') || at.matches('[href="#main"]')) return '';
        const { top, height } = at.getBoundingClientRect();
        const below = document.querySelector('header.sticky').getBoundingClientRect().bottom;
        return top + Math.min(height, 20) < below + 1 ? at.textContent : '';
      })()`);
      if (text) covered.push(text);
    }
    expect(covered).toEqual([]);
    await context.close();
  });

  it('prints an opened report in full, dark on white, without the page behind it', async () => {
    const { context, page } = await opened(`/dashboard/jobs/${jobId}?report=${jobId}&file=seo-audit-report.md`, 'dark');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('tabpanel').locator('h2, h3, h4').nth(5).waitFor();
    await page.emulateMedia({ media: 'print' });
    const paper = await page.evaluate<{ cut: number; beside: number; plain: number; scheme: string }>(`(() => {
      const dialog = document.querySelector('[role=dialog]');
      const parts = [dialog, ...dialog.querySelectorAll('div, section')];
      return {
        cut: parts.filter((part) => getComputedStyle(part).overflowY !== 'visible' && part.scrollHeight > part.clientHeight + 1).length,
        // The backdrop, too: a browser that leaves out backgrounds prints it in white, above the text.
        beside: [...document.querySelectorAll('body *')].filter((part) => !part.contains(dialog) && !dialog.contains(part) && part.checkVisibility()).length,
        plain: [...dialog.querySelectorAll('.prose :is(h2, h3, h4, h5, h6)')].filter((part) => getComputedStyle(part).fontWeight !== '600').length,
        scheme: getComputedStyle(document.documentElement).colorScheme,
        ...{ height: document.documentElement.scrollHeight },
      };
    })()`);
    expect(paper).toMatchObject({ cut: 0, beside: 0, plain: 0, scheme: 'light' });
    expect((paper as unknown as { height: number }).height).toBeGreaterThan(2_000);
    await context.close();
  });
});
