/**
 * Buying reports with Stripe's own fields, in a real browser with the real Content-Security-Policy; Stripe's addresses
 * are local stand-ins.
 */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { looksAll } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';
import { type BuiltStripeShop, openBuiltStripeShop, PUBLISHABLE_KEY } from '../../given/stripe/builtStripeShop.ts';
import { type StripeAddresses, serveStripe } from '../../given/stripe/stripeAddresses.ts';

const CREDENTIALS = { email: `buyer-${randomUUID()}@example.com`, password: 'a good password' };
const GOOD = '4242 4242 4242 4242';
const DECLINED = '4000 0000 0000 0002';
const BANK_ASKS = '4000 0027 6000 3184';

describe.skipIf(!available('Chromium', CHROMIUM))('Stripe’s fields in a browser', () => {
  let shop: BuiltStripeShop;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let stripe: StripeAddresses;
  let faults: string[];
  const { look } = looksAll(process.env.SHOTS);
  const dialog = (): Locator => page.getByRole('dialog');
  const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });
  const fields = (type: 'address' | 'payment'): FrameLocator =>
    dialog().frameLocator(`iframe[title="Secure ${type} input frame"]`);

  beforeAll(async () => {
    shop = await openBuiltStripeShop();
    await signUp(shop.server.url, CREDENTIALS.email);
    browser = await openBrowser();
    context = await browser.newContext({ viewport: { width: 390, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    stripe = await serveStripe(context, shop.sandbox, PUBLISHABLE_KEY);
    await signIn(context, shop.server.url, CREDENTIALS);
    page = await context.newPage();
    faults = watchFaults(page);
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  async function fill(type: 'address' | 'payment', given: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(given)) await fields(type).getByLabel(label).fill(text);
  }
  const card = (number: string) => fill('payment', { 'Card number': number });
  /** A saved card, which is chosen at first, needs no address: when its fields go, everything below moves. */
  async function addressIsGone(): Promise<void> {
    await dialog().getByLabel('Save this card for later purchases').waitFor({ state: 'detached' });
    await dialog().locator('iframe[title="Secure address input frame"]').waitFor({ state: 'detached' });
  }

  it('are loaded when the dialog opens, not before', async () => {
    await page.goto(`${shop.server.url}/account`);
    await button('Buy reports').first().waitFor();
    expect(stripe.scripts).toEqual([]);
    await button('Buy reports').first().click();
    await fields('payment').getByLabel('Card number').waitFor();
    await fields('address').getByLabel('Full name').waitFor();
    expect(stripe.scripts).toEqual(['/endive/stripe.js']);
    await look(page, 'stripe');
    // No mention of a sandbox: the card is real.
    expect(await dialog().getByText('Payment sandbox').count()).toBe(0);
  });

  it('report missing values, and why the bank declined the card', async () => {
    await button('Pay $50.00', dialog()).click();
    await dialog().getByText('Please complete all required billing fields').waitFor();
    await fill('address', {
      'Full name': 'Ada Lovelace',
      'Address line 1': '1 Main Street',
      City: 'Springfield',
      State: 'IL',
      ZIP: '62701',
    });
    await fill('payment', { 'Expiration date MM / YY': '12 / 34', 'Security code': '123' });
    await card(DECLINED);
    await button('Pay $50.00', dialog()).click();
    await dialog().getByText('Your card was declined.').waitFor();
    await look(page, 'stripe-declined');
  });

  it('show the bank’s confirmation in a frame over the page: refused, then confirmed', async () => {
    const bank = page.frameLocator('iframe[title="Secure 3-D Secure frame"]');
    await card(BANK_ASKS);
    await button('Pay $50.00', dialog()).click();
    await bank.getByRole('button', { name: 'Fail' }).click();
    await dialog()
      .getByText(/has failed authentication/)
      .waitFor();
    await look(page, 'stripe-not-proven');
    await button('Pay $50.00', dialog()).click();
    await bank.getByRole('button', { name: 'Complete' }).click();
    await dialog().getByRole('heading', { name: 'Payment complete' }).waitFor();
    await dialog().getByText('Payment received: $50.00 was added to your funds.').waitFor();
    await look(page, 'stripe-paid');
    await button('Done', dialog()).click();
    await button('Buy reports $50.00').waitFor();
  });

  it('reappear for the next purchase, with the last address and the script already loaded', async () => {
    await button('Buy reports $50.00').click();
    await dialog().getByLabel('Number of reports').fill('2');
    await fields('payment').getByLabel('New card').waitFor();
    await addressIsGone();
    // By key: a click may miss what moves while frames load.
    await fields('payment').getByLabel('New card').press(' ');
    const typedBefore = (): Promise<string[]> =>
      Promise.all(
        ['Full name', 'Address line 1', 'City', 'State', 'ZIP'].map((label) =>
          fields('address').getByLabel(label).inputValue(),
        ),
      );
    // The fields are there before the frame's script fills them.
    await expect
      .poll(typedBefore, { timeout: 15_000 })
      .toEqual(['Ada Lovelace', '1 Main Street', 'Springfield', 'IL', '62701']);
    await fill('payment', { 'Expiration date MM / YY': '12 / 34', 'Security code': '123' });
    await card(GOOD);
    await button('Pay $100.00', dialog()).click();
    await dialog().getByRole('heading', { name: 'Payment complete' }).waitFor();
    await button('Done', dialog()).click();
    await button('Buy reports $150.00').waitFor();
  });

  it('offer saved cards without an address, and confirm them with the bank like others', async () => {
    await button('Buy reports $150.00').click();
    const saved = fields('payment').getByLabel('visa •••• 4242');
    await saved.waitFor();
    expect(await saved.isChecked()).toBe(true);
    expect(await fields('payment').getByLabel('visa •••• 3184').count()).toBe(1);
    await addressIsGone();
    await look(page, 'stripe-saved');
    await fields('payment').getByLabel('visa •••• 3184').press(' ');
    await button('Pay $50.00', dialog()).click();
    await page
      .frameLocator('iframe[title="Secure 3-D Secure frame"]')
      .getByRole('button', { name: 'Complete' })
      .click();
    await dialog().getByRole('heading', { name: 'Payment complete' }).waitFor();
    await button('Done', dialog()).click();
    await button('Buy reports $200.00').waitFor();
    expect(stripe.scripts).toHaveLength(1);
    expect([...stripe.keys]).toEqual([PUBLISHABLE_KEY]);
    // Would include anything that the policy refused.
    expect(faults).toEqual([]);
  });

  it('are allowed by the policy of the app only', async () => {
    const policyOf = async (path: string): Promise<string> =>
      (await fetch(`${shop.server.url}${path}`)).headers.get('content-security-policy') ?? '';
    expect(await policyOf('/account')).toContain('https://js.stripe.com');
    for (const path of ['/api/docs', '/api/v1/jobs', '/healthz']) {
      const policy = await policyOf(path);
      expect(policy, path).toContain("default-src 'self'");
      expect(policy, path).not.toContain('stripe.com');
    }
  });
});
