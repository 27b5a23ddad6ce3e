/**
 * A plan in a real browser: chosen, paid on the provider's page, changed, canceled, reactivated, renewed, and paid
 * late.
 */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp } from '../../given/product/apiClient.ts';
import { openBrowser, type TestBrowser, watchFaults } from '../../given/product/browser.ts';
import { type BuiltShop, looksAll, openBuiltShop } from '../../given/product/builtShop.ts';
import { signIn } from '../../given/product/screens.ts';
import { available, CHROMIUM } from '../../given/requirements.ts';

const CREDENTIALS = { email: `subscriber-${randomUUID()}@example.com`, password: 'a good password' };
const GOOD = '4242 4242 4242 4242';
/** Can be saved, but every charge fails. */
const DECLINED_LATER = '4000 0000 0000 0341';
const MONTH = 31;

describe.skipIf(!available('Chromium', CHROMIUM))('a plan in a browser', () => {
  let shop: BuiltShop;
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];
  const { look } = looksAll(process.env.SHOTS);
  const dialog = (): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'));
  const button = (name: string | RegExp, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    shop = await openBuiltShop();
    await signUp(shop.server.url, CREDENTIALS.email);
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

  /** The end of the paid period, as pages show it. */
  async function periodEnd(): Promise<string> {
    const { data } = await shop.stripe.subscriptions.list({ limit: 1 });
    const end = data[0]?.items.data[0]?.current_period_end ?? 0;
    return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(end * 1_000);
  }

  /** The provider's pages in their own window while `act` runs. */
  async function atPortal(label: string, act: (portal: Page) => Promise<void>): Promise<void> {
    const [portal] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: label }).first().click(),
    ]);
    await portal.getByRole('heading', { name: 'Billing' }).waitFor();
    await act(portal);
    await portal.close();
  }
  async function fillIn(form: Page, number: string): Promise<void> {
    await form.getByLabel('Name on card').fill('Ada Lovelace');
    await form.getByLabel('Card number').fill(number);
  }
  async function saveCard(portal: Page, number: string): Promise<void> {
    await fillIn(portal, number);
    await button('Save card', portal).click();
    await portal.getByText(`ending in ${number.slice(-4)}`).waitFor();
  }

  /** Visible below the header without scrolling: phones show a small part of the page. */
  const inView = async (text: string): Promise<void> => {
    const said = page.getByText(text, { exact: true });
    await said.waitFor();
    await expect.poll(async () => (await said.boundingBox())?.y).toSatisfy((y) => y >= 56 && y < 880);
  };

  it('is chosen and paid for', async () => {
    await page.goto(`${shop.server.url}/account`);
    await page.getByRole('link', { name: 'Upgrade' }).click();
    await page.getByRole('heading', { name: 'Choose Your Plan' }).waitFor();
    await button('Choose Basic').waitFor();
    await look(page, 'plans');
    await button('Choose Basic').click();
    await page.getByText('Payment sandbox: no real card is charged, no money moves.').waitFor();
    await fillIn(page, GOOD);
    await button('Subscribe').click();
    await page.getByText('You’re on Basic now').waitFor();
    // A reload there would speak of a payment again.
    await page.waitForURL(`${shop.server.url}/account/upgrade`);
    await page.getByText(`Renews on ${await periodEnd()}`).waitFor();
    await look(page, 'subscribed');
  });

  it('is upgraded at once, downgraded later, and the downgrade is undone', async () => {
    await button('Upgrade to Professional').click();
    await dialog()
      .getByText(/^It starts at once\. Your card is charged \$\d+\.\d\d today: the price of the rest of the period/)
      .waitFor();
    await button('Upgrade to Professional', dialog()).click();
    await inView('You’re on Professional now.');
    await button('Downgrade to Basic').waitFor();
    // Not lost with the button that was pressed, which is disabled now.
    expect(await page.locator(':focus').count()).toBe(1);
    await button('Downgrade to Basic').click();
    await button('Downgrade to Basic', dialog()).click();
    const end = await periodEnd();
    await inView(`Professional changes to Basic on ${end}.`);
    await page.getByRole('heading', { name: `Changes to Basic on ${end}` }).waitFor();
    await look(page, 'scheduled');
    await button('Keep Professional').click();
    await page.getByText('You stay on Professional.').waitFor();
    await page.getByText(`Renews on ${end}`).waitFor();
  });

  it('is canceled at the end of the period, and reactivated', async () => {
    await button('Cancel subscription…').click();
    await look(page, 'cancel');
    await button('Cancel Professional', dialog()).click();
    await page.getByText(`Professional ends on ${await periodEnd()}. You can reactivate it until then.`).waitFor();
    await look(page, 'cancelled');
    await button('Reactivate').click();
    const kept = page.getByText('Professional continues; your cancellation was withdrawn.');
    await kept.waitFor();
    await kept.waitFor({ state: 'detached' });
  });

  it('is renewed, and paid late after a failed payment', async () => {
    const first = await periodEnd();
    await shop.pass(MONTH);
    const second = await periodEnd();
    expect(second).not.toBe(first);
    await page.getByText(`Renews on ${second}`).waitFor();

    await atPortal('Open billing portal', (portal) => saveCard(portal, DECLINED_LATER));
    await shop.pass(MONTH);
    await page.getByText('Your last payment failed').waitFor();
    await look(page, 'past-due');
    await page.goto(`${shop.server.url}/account`);
    await page.getByText('Your last payment failed').waitFor();
    await look(page, 'account-past-due');
    await atPortal('Update payment method', async (portal) => {
      await saveCard(portal, GOOD);
      await button(/^Pay/, portal).click();
      await portal.getByText(/Status: active/).waitFor();
    });
    await page.getByText('Your last payment failed').waitFor({ state: 'detached' });
    await page.getByText(`Renews on ${await periodEnd()}`).waitFor();
    await look(page, 'paid-late');
    expect(faults).toEqual([]);
  });
});
