/**
 * Questions to admins, answered in a browser only: why a user was charged, who revoked a link, which request led to it.
 * `PICTURES=docs/images` takes the screenshots of docs/history.md, here and in the files beside this one.
 */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, FINAL, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltShop, looksByTurns, openBuiltShop } from '../../given/product/builtShop.ts';
import { picture } from '../../given/product/picture.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const EMAIL = `owner-${randomUUID().slice(0, 8)}@example.com`;

describe.skipIf(!available('Chromium', CHROMIUM))('admin questions in a browser', () => {
  const { look, lookEverywhere } = looksByTurns(process.env.SHOTS);
  let shop: BuiltShop;
  let browser: TestBrowser;
  let page: Page;
  let owner: ApiClient;
  let shareUrl: string;
  let faults: string[];

  beforeAll(async () => {
    shop = await openBuiltShop();
    const { url, admin, demoSite } = shop.server;
    owner = await signUp(url, EMAIL);
    await buy(2);
    const { id: jobId } = await owner.submit(demoSite);
    await owner.waitForJob(jobId, ({ status }) => FINAL.has(status));
    const { body } = await owner.call<{ data: { id: string; shareUrl: string } }>('POST', '/api/v1/share/create', {
      jobId,
    });
    shareUrl = body.data.shareUrl;
    await owner.call('DELETE', `/api/v1/share/${body.data.id}`);
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, url, admin);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  /** Paid, as the browser would; the funds arrive with the provider's event. */
  async function buy(quantity: number): Promise<void> {
    const asked = { priceId: 'price_report', quantity, billingEmail: EMAIL };
    const { body } = await owner.call<{ paymentIntentId: string }>(
      'POST',
      '/api/v1/auth/create-checkout-session',
      asked,
    );
    await shop.stripe.paymentIntents.confirm(body.paymentIntentId, {
      payment_method: 'pm_card_visa',
      return_url: shop.server.url,
    });
    await shop.control('deliver', {});
  }

  const find = async (what: string): Promise<void> => {
    await page.getByRole('main').getByLabel('Find a history').fill(what);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
  };

  it('why was this user charged? From the line of their bill to the payment and its cause', async () => {
    await page.goto(`${shop.server.url}/admin/history`);
    await find(EMAIL);
    await page.getByRole('list', { name: 'Histories' }).getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('main').getByRole('link', { name: EMAIL }).click();
    const line = page.getByRole('list', { name: 'Billing history' }).getByRole('link', { name: /2 reports/ });
    await line.waitFor();
    await lookEverywhere(page, 'admin-customer');
    await line.click();
    const bought = page.getByRole('article', { name: 'Reports bought' });
    await bought.getByText('$100.00').first().waitFor();
    await look(page, 'charged');
    await picture(page, 'history-charged');
    await bought.getByRole('button', { expanded: false }).click();
    await bought.getByRole('link', { name: 'Causes and effects' }).click();
    const tree = page.getByRole('list', { name: 'Chain of causes' });
    await tree.getByRole('link', { name: 'Reports bought', exact: true }).waitFor();
    await look(page, 'charged-causes');
    await picture(page, 'history-causes');
    const chain = (await tree.getByRole('link').allTextContents()).filter((text) => text !== 'Causes');
    expect(chain.slice(0, 2)).toEqual(['Payment provider event received', 'Reports bought']);
  });

  it('who revoked this link? From its address to the event', async () => {
    await page.goto(`${shop.server.url}/admin/history`);
    await find(shareUrl);
    await page
      .getByRole('list', { name: 'Histories' })
      .getByRole('link', { name: 'Shared links', exact: true })
      .click();
    const revoked = page.getByRole('article', { name: 'Shared link revoked' });
    await revoked.getByText(EMAIL).first().waitFor();
    await look(page, 'revoked');
    await picture(page, 'history-revoked');
    await revoked.getByRole('button', { expanded: false }).click();
    await revoked.getByRole('link', { name: 'Causes and effects' }).click();
    await page.getByText(/^Started by the request/).waitFor();
    expect(faults).toEqual([]);
  });
});
