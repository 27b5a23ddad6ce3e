/** The payment sandbox's hosted pages in a real browser: their functions and their accessibility. */
import type { Page } from 'playwright-core';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GivenSandbox, givenSandbox } from '../../given/paymentSandbox.ts';
import { axeInTheme, openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

/** A folder for screenshots, for people to view. */
const SHOTS = process.env.SHOTS;
const ASKS_OWNER = '4000 0025 0000 3155';
const DECLINED = '4000 0000 0000 0002';
const DECLINED_LATER = '4000 0000 0000 0341';

describe.skipIf(!available('Chromium', CHROMIUM))('the hosted pages', () => {
  let sandbox: GivenSandbox;
  let browser: TestBrowser;
  let page: Page;
  let customer: Stripe.Customer;
  let faults: string[];

  beforeAll(async () => {
    sandbox = await givenSandbox();
    customer = await sandbox.stripe.customers.create({ email: 'ada@example.com', name: 'Ada Lovelace' });
    browser = await openBrowser();
    page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(15_000);
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await sandbox?.end();
  });

  /** Accessible in both themes and at both widths, without horizontal scrolling. */
  async function holds(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
          `${name} at ${width}`,
        ).toBeLessThanOrEqual(0);
        if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      }
      expect(await axeInTheme(page, colorScheme), `${name}, ${colorScheme}`).toEqual([]);
    }
  }

  const checkout = () =>
    sandbox.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: customer.id,
      line_items: [{ price: 'price_tier2_monthly', quantity: 1 }],
      allow_promotion_codes: true,
      success_url: `${sandbox.url}/?landed={CHECKOUT_SESSION_ID}`,
      cancel_url: `${sandbox.url}/?left`,
    });
  const pay = async (number: string): Promise<void> => {
    await page.getByLabel('Card number').fill(number);
    await page.getByRole('button', { name: 'Subscribe' }).click();
  };

  it('sell a plan: with a code, after a declined card, and after the bank’s confirmation', async () => {
    const coupon = await sandbox.stripe.coupons.create({ percent_off: 20, duration: 'once' });
    await sandbox.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'AUTUMN' });
    const session = await checkout();
    await page.goto(session.url ?? '');
    await page.getByText('Payment sandbox: no real card is charged, no money moves.').waitFor();
    await holds('checkout');
    await page.getByLabel('Promotion code').fill('NOTHING');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('alert').getByText('This code is invalid.').waitFor();
    await page.getByLabel('Promotion code').fill('AUTUMN');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('row', { name: 'Total $63.20' }).waitFor();
    await pay(DECLINED);
    await page.getByRole('alert').getByText('Your card was declined.').waitFor();
    await holds('checkout-declined');
    await pay(ASKS_OWNER);
    await page.getByRole('heading', { name: '3-D Secure' }).waitFor();
    await holds('checkout-asks');
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await page.waitForURL(`${sandbox.url}/?landed=${session.id}`);
    await holds('home');
    const { data } = await sandbox.stripe.subscriptions.list({ customer: customer.id });
    expect(data.map(({ status }) => status)).toEqual(['active']);
  });

  it('return without payment on cancel', async () => {
    await page.goto((await checkout()).url ?? '');
    await page.getByRole('link', { name: 'Back without paying' }).click();
    await page.waitForURL(`${sandbox.url}/?left`);
  });

  it('change the card, pay open invoices, cancel the plan and resume it', async () => {
    const portal = () =>
      sandbox.stripe.billingPortal.sessions.create({ customer: customer.id, return_url: `${sandbox.url}/?back` });
    await page.goto((await portal()).url);
    await page.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('It ends on February 28, 2026.').waitFor();
    await page.getByRole('button', { name: 'Keep subscription' }).click();
    await page.getByText(/It renews on February 28, 2026/).waitFor();
    await page.getByLabel('Card number').fill(DECLINED_LATER);
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByText(/ending in 0341/).waitFor();
    await sandbox.advance(29);
    await page.goto((await portal()).url);
    await page.getByText(/Status: past due/).waitFor();
    await holds('portal-open-invoice');
    await page.getByLabel('Card number').fill('4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByText(/ending in 4242/).waitFor();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.getByText(/Status: active/).waitFor();
    await holds('portal');
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await page.waitForURL(`${sandbox.url}/?back`);
  });

  it('show the bank’s confirmation, invoices, receipts, and a page for unknown addresses', async () => {
    const intent = await sandbox.stripe.paymentIntents.create({
      amount: 5_000,
      currency: 'usd',
      customer: customer.id,
      payment_method: 'pm_card_threeDSecure2Required',
      confirm: true,
      return_url: `${sandbox.url}/?asked`,
    });
    await page.goto(intent.next_action?.redirect_to_url?.url ?? '');
    await page.getByText('$50.00').waitFor();
    await holds('challenge');
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await page.waitForURL(/redirect_status=succeeded/);
    const [invoice] = (await sandbox.stripe.invoices.list({ customer: customer.id })).data;
    await page.goto(invoice?.hosted_invoice_url ?? '');
    await page.getByRole('heading', { name: /^Invoice/ }).waitFor();
    await holds('invoice');
    const [charge] = (await sandbox.stripe.charges.list({ customer: customer.id })).data;
    await page.goto(charge?.receipt_url ?? '');
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await holds('receipt');
    await page.goto(`${sandbox.url}/checkout/nothing`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await holds('not-found');
    expect(faults).toEqual([]);
  });
});
