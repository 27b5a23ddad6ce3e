/**
 * Prompts in a real browser: variables completed and checked, concurrent saves compared, versions restored, a trial on
 * a job.
 */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, FINAL, logIn } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltServer, startBuiltServer, temporaryData } from '../../given/product/builtServer.ts';
import { looksByTurns } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';
import { goodModel } from '../../integrations/analyst/models.ts';
import { type LlmServer, startLlmServer } from '../../servers/llmServer.ts';

describe.skipIf(!available('Chromium', CHROMIUM))('prompts in a browser', () => {
  const data = temporaryData();
  let llm: LlmServer;
  let server: BuiltServer;
  let admin: ApiClient;
  let jobId: string;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });
  const editor = (): Locator => page.getByRole('textbox', { name: 'Prompt', exact: true });
  const version = (number: number): Locator => page.getByRole('main').getByText(`Version ${number}`, { exact: true });
  const says = (text: string): Promise<void> =>
    page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();

  beforeAll(async () => {
    llm = await startLlmServer({ apiKey: 'the-key-of-the-test' });
    llm.otherwise(goodModel);
    const model = {
      LLM_BASE_URL: llm.url,
      LLM_API_KEY: 'the-key-of-the-test',
      LLM_MODEL: 'test-model',
      LLM_INPUT_PRICE: '2.5',
      LLM_OUTPUT_PRICE: '10',
    };
    server = await startBuiltServer(data.dir, model);
    admin = await logIn(server.url, server.admin);
    // Ended before the page opens: it announces the end of one's own jobs.
    jobId = (await admin.submit(server.demoSite)).id;
    await admin.waitForJob(jobId, ({ status }) => FINAL.has(status));
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, server.url, server.admin);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await llm?.close();
    data.remove();
  });

  const write = async (text: string): Promise<void> => {
    await editor().click();
    await page.keyboard.press('Control+a');
    await page.keyboard.type(text);
  };

  it('complete and check variables while typing', async () => {
    await page.goto(`${server.url}/admin/prompts`);
    await editor().waitFor();
    // The editor's styles work, although the policy allows no inline ones.
    const content =
      "[...document.querySelectorAll('form div')].find((each) => each.shadowRoot).shadowRoot.querySelector('.cm-content')";
    expect(await page.evaluate(`getComputedStyle(${content}).whiteSpace`)).toBe('break-spaces');
    await lookEverywhere(page, 'prompts');
    await write('Write up to {{max_para');
    await page.getByRole('option', { name: /max_paragraphs/ }).waitFor();
    await page.getByRole('option', { name: /max_paragraphs/ }).click();
    await page.keyboard.type(' paragraphs for {{reader}}.');
    await says('There is no variable {{reader}}.');
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await button('Save').isDisabled()).toBe(true);
    await look(page, 'fault');
    expect(await editor().textContent()).toBe('Write up to {{max_paragraphs}} paragraphs for {{reader}}.');
  });

  it('let the keyboard leave the editor, and keep the text', async () => {
    await editor().click();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.shadowRoot === null')).toBe(true);
    await page.getByRole('link', { name: 'Executive summary' }).click();
    await page.getByRole('heading', { name: 'Executive summary Version 1' }).waitFor();
    await page.getByRole('link', { name: 'Analysis' }).click();
    await says('There is no variable {{reader}}.');
  });

  it('are saved, and not over another admin’s version', async () => {
    await write('Write up to {{max_paragraphs}} short paragraphs.');
    await page.getByLabel('Change note (optional)').fill('Shorter');
    await button('Save').click();
    await says('Prompt saved successfully!');
    await version(2).waitFor();

    await write('Mine: {{max_paragraphs}} paragraphs.');
    const theirs = {
      content: 'Theirs: {{max_priorities}} causes.',
      name: 'Analysis',
      description: 'For the report',
      is_active: true,
    };
    expect((await admin.call('PUT', '/admin/prompts/seo_analysis', theirs)).status).toBe(200);
    await button('Save').click();
    await says('Version 3 was saved while you were editing version 2');
    await button('Compare with version 3').click();
    await page.locator('del', { hasText: 'Theirs' }).waitFor();
    await page.getByLabel('Dismiss').first().click();
    await page.getByText('Failed to save prompt').first().waitFor({ state: 'detached' });
    await look(page, 'conflict');
    await button('Keep my changes').click();
    await button('Save').click();
    await version(4).waitFor();
    expect(await editor().textContent()).toBe('Mine: {{max_paragraphs}} paragraphs.');
  });

  it('have a history with differences, and can be restored', async () => {
    await button('History').click();
    await page.getByRole('article', { name: 'Version 1' }).getByText('Default').waitFor();
    await page.getByRole('article', { name: 'Version 2' }).getByText('Shorter').waitFor();
    await button('Compare version 3 with the current one').click();
    await page.locator('ins', { hasText: 'Mine' }).waitFor();
    await look(page, 'history');
    await button('Revert to version 1').click();
    await page.getByRole('alertdialog').waitFor();
    await look(page, 'revert');
    await button('Revert to version 1', page.getByRole('alertdialog')).click();
    await says('Reverted to previous version');
    await version(5).waitFor();
    expect(await editor().textContent()).toContain('Write the analysis for the report.');
  });

  it('are tried on a finished job', async () => {
    await page.getByLabel('Job', { exact: true }).fill(`${server.url}/dashboard/jobs/${jobId}`);
    await button('Show what is sent').click();
    await page.getByRole('region', { name: 'Instructions' }).getByText('Write the analysis for the report.').waitFor();
    await page.getByRole('region', { name: 'Data' }).getByText('DATA 000').waitFor();
    await button('Ask the model').click();
    await says('A report would use this answer');
    await page.getByText(/^test-model answered in \d+\.\d s: 1 tokens in, 1 out, \$0\.000013\.$/).waitFor();
    await page.getByRole('region', { name: 'Answer' }).getByText('overview').waitFor();
    expect(server.output()).not.toContain('the-key-of-the-test');
    await look(page, 'preview');
    expect(faults.filter((fault) => !/status of 409/.test(fault))).toEqual([]);
  });
});
