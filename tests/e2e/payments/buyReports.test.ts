/** Buying reports in a real browser: from a refused submission to an earlier preview shown in full. */
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FINAL, signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltShop, looksAll, openBuiltShop } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const CREDENTIALS = { email: `buyer-${randomUUID()}@example.com`, password: 'a good password' };
const DECLINED = '4000 0000 0000 0002';
const BANK_ASKS = '4000 0027 6000 3184';

describe.skipIf(!available('Chromium', CHROMIUM))('buying reports in a browser', () => {
  let shop: BuiltShop;
  let browser: TestBrowser;
  let page: Page;
  let other: Page;
  let preview: string;
  const faults: string[][] = [];
  const { look } = looksAll(process.env.SHOTS);
  const dialog = (): Locator => page.getByRole('dialog');
  const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
    context.setDefaultTimeout(15_000);
    await signIn(context, shop.server.url, CREDENTIALS);
    const opened = await context.newPage();
    faults.push(watchFaults(opened));
    return opened;
  }

  beforeAll(async () => {
    shop = await openBuiltShop({ FREE_ANALYSES_PER_MONTH: '1' });
    const { id } = await shop.stripe.coupons.create({ percent_off: 20, duration: 'once' });
    await shop.stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: id }, code: 'AUTUMN' });
    const client = await signUp(shop.server.url, CREDENTIALS.email);
    preview = (await client.submit(shop.server.demoSite)).id;
    browser = await openBrowser();
    [other, page] = await Promise.all([openPage(), openPage()]);
    await client.waitForJob(preview, ({ status }) => FINAL.has(status));
  });
  afterAll(async () => {
    await browser?.close();
    await shop?.close();
  });

  async function payWith(number: string): Promise<void> {
    await dialog().getByLabel('Card number').fill(number);
    await button(/^Pay \$/, dialog()).click();
  }

  it('offers them when a submission is refused', async () => {
    await other.goto(`${shop.server.url}/account`);
    await button('Buy reports', other).first().waitFor();
    await page.goto(shop.server.url);
    await page.getByText('No audits left.').waitFor();
    await page.getByLabel('Website address').fill(shop.server.demoSite);
    await button('Generate SEO Reports').click();
    await dialog().getByRole('heading', { name: 'Not enough audits left' }).waitFor();
    await dialog().getByLabel('Number of reports').fill('3');
    await dialog().getByLabel('Discount code (optional)').fill('NOTHING');
    await button('Apply', dialog()).click();
    await dialog().getByText('Invalid discount code').waitFor();
    await look(page, 'refused');
    await dialog().getByLabel('Discount code (optional)').fill('AUTUMN');
    await button('Apply', dialog()).click();
    await dialog().getByText('AUTUMN: 20% off').waitFor();
    await button('Pay $120.00', dialog()).waitFor();
  });

  it('continues after a declined card, and charges once the bank has approved', async () => {
    await button('Pay $120.00', dialog()).click();
    await dialog().locator('input[aria-invalid=true]:focus').waitFor();
    for (const [label, text] of [
      ['Expires (MM/YY)', '12/34'] as const,
      ['Security code', '123'] as const,
      ['Name on card', 'Ada Lovelace'] as const,
      ['Address', '1 Main Street'] as const,
      ['City', 'Springfield'] as const,
      ['ZIP code', '62701'] as const,
    ])
      await dialog().getByLabel(label, { exact: true }).fill(text);
    await dialog().getByLabel('State').selectOption('IL');
    await payWith(DECLINED);
    await dialog().getByText('Your card was declined.').waitFor();
    await look(page, 'declined');
    expect(await dialog().getByLabel('Name on card').inputValue()).toBe('Ada Lovelace');
    expect(await dialog().getByLabel('Number of reports').inputValue()).toBe('3');

    await payWith(BANK_ASKS);
    const link = dialog().getByRole('link', { name: 'Open authentication page' });
    await link.waitFor();
    await look(page, 'asked');
    const [bank] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await bank.getByText('$120.00').waitFor();
    await button('Fail authentication', bank).click();
    await dialog()
      .getByText(/authenticat/)
      .last()
      .waitFor();
    await link.waitFor({ state: 'detached' });
    await bank.close();

    await payWith(BANK_ASKS);
    const [again] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await button('Complete authentication', again).click();
    await dialog().getByRole('heading', { name: 'Payment complete' }).waitFor();
    await again.close();
    await dialog().getByText('Payment received: $150.00 was added to your funds.').waitFor();
    await look(page, 'paid');
    const { data } = await shop.stripe.charges.list({ limit: 100 });
    expect(data.filter(({ paid }) => paid).map(({ amount }) => amount)).toEqual([12_000]);
    // The page changed without a click.
    await button('Buy reports $150.00', other).waitFor();
  });

  it('submits the refused address, which is still in its field', async () => {
    await button('Done', dialog()).click();
    await dialog().waitFor({ state: 'hidden' });
    expect(await page.getByLabel('Website address').inputValue()).toBe(shop.server.demoSite);
    await button('Generate SEO Reports').click();
    for (const shown of [page, other]) {
      const ready = shown.getByRole('dialog');
      await button('View Your Report', ready).waitFor({ timeout: 60_000 });
      await button('Later', ready).click();
    }
    await button('Buy reports $100.00', other).waitFor();
    await look(page, 'home');
  });

  it('shows an earlier preview in full', async () => {
    await page.goto(`${shop.server.url}/dashboard/actions?jobId=${preview}`);
    const locked = page.getByRole('region', { name: 'Locked tasks' });
    await locked.waitFor();
    await look(page, 'preview');
    await button(/^Unlock all \d+ actions/, locked).click();
    const question = page.getByRole('alertdialog');
    await question.getByText('Uses $50.00 of your funds. Balance after: $50.00.').waitFor();
    await look(page, 'unlock');
    await button(/^Unlock all \d+ actions/, question).click();
    await page.getByText(/^\d+ actions are unlocked\. This used \$50\.00 of your funds\.$/).waitFor();
    await locked.waitFor({ state: 'detached' });
    await look(page, 'unlocked');
    await button('Buy reports $50.00', other).waitFor();
    await other.goto(`${shop.server.url}/account`);
    await other.getByText('$50.00').first().waitFor();
    await look(other, 'account');
  });

  it('offers the saved card and address the next time', async () => {
    await button('Buy reports $50.00', other).click();
    const next = other.getByRole('dialog');
    await next.getByLabel('Visa ending in 3184').waitFor();
    await look(other, 'saved-card');
    await next.getByLabel('Use another card').check();
    expect(await next.getByLabel('Name on card').inputValue()).toBe('Ada Lovelace');
    expect(await next.getByLabel('ZIP code').inputValue()).toBe('62701');
    await next.getByLabel('Visa ending in 3184').check();
    await button('Pay $50.00', next).click();
    const [bank] = await Promise.all([
      other.context().waitForEvent('page'),
      next.getByRole('link', { name: 'Open authentication page' }).click(),
    ]);
    await button('Complete authentication', bank).click();
    await next.getByRole('heading', { name: 'Payment complete' }).waitFor();
    await bank.close();
    expect(faults).toEqual([[], []]);
  });
});
