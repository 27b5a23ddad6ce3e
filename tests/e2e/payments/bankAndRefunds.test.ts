/** Banks in a real browser: one asks for confirmation of an upgrade, one disputes a payment; also refunds. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltShop, looksAll, openBuiltShop } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const CREDENTIALS = { email: `owner-${randomUUID()}@example.com`, password: 'a good password' };

describe.skipIf(!available('Chromium', CHROMIUM))('banks and refunds in a browser', () => {
  let shop: BuiltShop;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let client: ApiClient;
  let customer: string;
  let faults: string[];
  const { look } = looksAll(process.env.SHOTS);
  const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    shop = await openBuiltShop();
    client = await signUp(shop.server.url, CREDENTIALS.email);
    customer = (await shop.stripe.customers.list({ email: CREDENTIALS.email })).data[0]?.id ?? '';
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, shop.server.url, CREDENTIALS);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  async function payBy(token: string): Promise<void> {
    const { id } = await shop.stripe.paymentMethods.attach(token, { customer });
    await shop.stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } });
  }

  /** Pays as the browser would; a webhook adds the funds. */
  async function buy(quantity: number): Promise<string> {
    const asked = { priceId: 'price_report', quantity, billingEmail: CREDENTIALS.email };
    const { body } = await client.call<{ paymentIntentId: string }>(
      'POST',
      '/api/v1/auth/create-checkout-session',
      asked,
    );
    await shop.stripe.paymentIntents.confirm(body.paymentIntentId, {
      payment_method: 'pm_card_visa',
      return_url: shop.server.url,
    });
    await shop.control('deliver', {});
    return body.paymentIntentId;
  }

  it('an upgrade waits for the bank’s confirmation, given in the billing portal', async () => {
    await payBy('pm_card_visa');
    await shop.stripe.subscriptions.create({
      customer,
      items: [{ price: 'price_tier1_monthly' }],
      metadata: { user_id: client.userId },
    });
    await shop.control('deliver', {});
    await payBy('pm_card_threeDSecure2Required');
    await page.goto(`${shop.server.url}/account/upgrade`);
    await button('Upgrade to Professional').click();
    await button('Upgrade to Professional', dialog()).click();
    await dialog().getByText('Your bank wants you to confirm this payment.').waitFor();
    await look(page, 'bank-asks');
    const [portal] = await Promise.all([
      context.waitForEvent('page'),
      button(/^Open billing portal/, dialog()).click(),
    ]);
    await button(/^Pay/, portal).click();
    await portal.getByRole('heading', { name: '3-D Secure' }).waitFor();
    await button('Complete authentication', portal).click();
    await portal.getByRole('heading', { name: 'Billing' }).waitFor();
    await portal.getByText('Professional').first().waitFor();
    await portal.close();
    // The page changed without a click, and removed the request for confirmation.
    await dialog().waitFor({ state: 'detached' });
    await button('Downgrade to Basic').waitFor();
    await look(page, 'bank-answered');
  });

  it('refunds and disputes appear in the history, and change the funds at once', async () => {
    const [refunded, disputed] = [await buy(2), await buy(1)];
    await page.goto(`${shop.server.url}/account`);
    // 'Activity' shows the same payments.
    const history = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Subscription history' }) });
    const line = (text: string): Locator => history.getByRole('listitem').filter({ hasText: text });
    await page.getByRole('button', { name: 'Buy reports Professional · $150.00' }).waitFor();
    await line('Upgraded to Professional').waitFor();
    await line('2 reports').getByText('$100.00').waitFor();

    await shop.stripe.refunds.create({ payment_intent: refunded, amount: 2_500 });
    await shop.control('deliver', {});
    await line('Refund').getByText('−$25.00').waitFor();
    await page.getByRole('button', { name: 'Buy reports Professional · $125.00' }).waitFor();

    const { id: dispute } = await shop.control<{ readonly id: string }>('disputes', { payment_intent: disputed });
    await line('Payment disputed').getByText('−$50.00').waitFor();
    await page.getByRole('button', { name: 'Buy reports Professional · $75.00' }).waitFor();
    await look(page, 'disputed');
    await shop.control('disputes/close', { dispute, outcome: 'won' });
    await line('Dispute decided in our favor').getByText('$50.00').waitFor();
    await page.getByRole('button', { name: 'Buy reports Professional · $125.00' }).waitFor();

    const { id: lost } = await shop.control<{ readonly id: string }>('disputes', { payment_intent: refunded });
    await shop.control('disputes/close', { dispute: lost, outcome: 'lost' });
    await line('Dispute lost').waitFor();
    await page.getByRole('button', { name: 'Buy reports Professional · $50.00' }).waitFor();
    await look(page, 'history');
    expect(faults).toEqual([]);
  });
});
