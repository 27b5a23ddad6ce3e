/**
 * API keys and webhooks in a real browser, against a real receiver on loopback. The server runs in this process, so
 * that its clock can move over the day that retries take; the pages are the built ones.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RETRY_DELAYS_MS } from '../../src/domain/webhooks/delivery.ts';
import { givenCompleted, givenJob } from '../given/analysis.ts';
import { axeViolations, openBrowser, type TestBrowser, themesAt, watchFaults } from '../given/product/browser.ts';
import { PASSWORD, startTestApp, type TestApp, type TestUser } from '../given/product/http.ts';
import { signIn } from '../given/product/screens.ts';
import { available, CHROMIUM } from '../given/requirements.ts';
import { type RunningWebhooks, startWebhooks } from '../given/work/webhookApp.ts';

const WEB = fileURLToPath(new URL('../../dist/web/', import.meta.url));
const SIZES = [
  { width: 360, height: 780 },
  { width: 1440, height: 900 },
] as const;

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };

describe.skipIf(!available('Chromium', CHROMIUM))('API keys and webhooks in a browser', () => {
  let app: TestApp;
  let user: TestUser;
  let browser: TestBrowser;
  let page: Page;
  let faults: readonly string[];
  let receiver: Server;
  let host: string;
  let worker: RunningWebhooks;
  /** The receiver's answers. */
  let answer = 200;
  const received: Received[] = [];
  /** What the page's socket received. */
  const pushed: string[] = [];

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        received.push({ headers: request.headers, body });
        response.writeHead(answer).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    app = await startTestApp({ allowHosts: [host], config: { webDir: WEB } });
    // The browser's clock is this machine's.
    app.advance(Date.now() - Date.parse(app.deps.now()));
    user = await app.signUp();
    worker = startWebhooks(app, { allowHosts: [host], appUrl: app.url });
    browser = await openBrowser();
    const context = await browser.newContext({
      viewport: SIZES[1],
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await signIn(context, app.url, { email: user.email, password: PASSWORD });
    page = await context.newPage();
    page.setDefaultTimeout(20_000);
    faults = watchFaults(page);
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => pushed.push(String(payload))));
    await page.goto(`${app.url}/account/api`);
  });

  afterAll(async () => {
    await browser?.close();
    await worker?.stop();
    await app?.close();
    receiver?.closeAllConnections();
    await new Promise((resolve) => (receiver ? receiver.close(resolve) : resolve(null)));
  });

  async function clean(): Promise<void> {
    for (const viewport of SIZES)
      for (const colorScheme of themesAt(viewport.width)) {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([viewport.width, colorScheme, beyond, await axeViolations(page)]).toEqual([
          viewport.width,
          colorScheme,
          0,
          [],
        ]);
      }
  }

  const button = (name: string | RegExp): Locator =>
    page.getByRole('button', { name, exact: typeof name === 'string' });
  const asked = (): Locator => page.getByRole('alertdialog');
  const withKey = async (key: string, method: string, path: string, body?: object) =>
    (await app.call(method, path, { token: key, ...(body ? { body } : {}) })).status;
  /** A secret that a dialog shows once, as its owner copies it. */
  async function copied(what: string): Promise<string> {
    await asked()
      .getByRole('button', { name: `Copy ${what}` })
      .click();
    await asked().getByRole('button', { name: 'Copied' }).waitFor();
    return page.evaluate<string>('navigator.clipboard.readText()');
  }
  /** The end of an audit is announced over any page that has seen the audit unfinished. */
  async function analysed(): Promise<string> {
    const job = await givenJob(app, user.userId);
    const { jobId } = job;
    await expect.poll(() => pushed.some((text) => text.includes(jobId)), { timeout: 20_000 }).toBe(true);
    await givenCompleted(app, user.userId, job);
    await page.getByRole('dialog', { name: 'Analysis complete' }).getByRole('button', { name: 'Later' }).click();
    return jobId;
  }
  const isGenuine = ({ headers, body }: Received, secret: string): boolean => {
    const [time = '', ...signatures] = String(headers['x-seo-signature']).replace('t=', '').split(',v1=');
    return signatures.includes(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'));
  };

  it('creates a key that reads, is shown once, counts its use, and stops working when it is revoked', async () => {
    await button('Create API key').click();
    await page.getByLabel('Name').fill('Nightly build');
    await page.getByLabel('Name').press('Enter');
    await asked().waitFor();
    await clean();
    const key = await copied('key');
    expect(await asked().getByText(key).count()).toBe(1);
    await button('Done').click();
    await page.getByText(`seo_live_…${key.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(key);
    const stored = await page.evaluate<string>(
      'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])',
    );
    expect(stored).not.toContain(key);
    await page.getByText('never used').waitFor();
    expect(await withKey(key, 'GET', '/api/v1/jobs')).toBe(200);
    expect(await withKey(key, 'POST', '/api/v1/process', { url: 'example.com' })).toBe(403);
    expect(await withKey(key, 'GET', '/api/v1/api-keys')).toBe(403);
    await page.reload();
    await page.getByText(/last used/).waitFor();
    await button('Revoke Nightly build').click();
    await asked().getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('No API keys yet.').waitFor();
    expect(await withKey(key, 'GET', '/api/v1/jobs')).toBe(401);
  });

  it('creates one key on a double click', async () => {
    await button('Create API key').click();
    await page.getByLabel('Name').fill('Twice');
    await page.getByLabel('Access').selectOption('Read and write');
    await button('Create key').dblclick();
    await asked().waitFor();
    const key = await copied('key');
    await page.keyboard.press('Escape');
    await button('Revoke Twice').waitFor();
    expect(await button('Revoke Twice').count()).toBe(1);
    expect(await withKey(key, 'POST', '/api/v1/process', { url: 'example.com' })).toBe(202);
  });

  let secret: string;

  it('adds a webhook, explains an invalid address, and shows the secret once', async () => {
    await button('Add webhook').click();
    const dialog = page.getByRole('dialog');
    for (const [address, why] of [
      ['', 'Please enter a URL'],
      ['http://hooks.example.com/', 'A webhook needs an https address.'],
      ['https://10.0.0.8/', /not public|private|refused|not allowed/i],
    ] as const) {
      await dialog.getByLabel('URL').fill(address);
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await dialog.getByText(why).waitFor();
    }
    await clean();
    await dialog.getByLabel('URL').fill(`http://${host}/hook`);
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await asked().waitFor();
    secret = await copied('signing secret');
    expect(secret).toMatch(/^whsec_/);
    await button('Done').click();
    await page.getByText(`http://${host}/hook`).waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it('sends a test, and shows its arrival in the log', async () => {
    await button(`Deliveries to ${host}`).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No deliveries yet. Send a test event.').waitFor();
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await dialog.getByText('Delivered', { exact: true }).waitFor();
    await dialog.getByText('status 200').waitFor();
    expect(received).toHaveLength(1);
    expect([JSON.parse(received[0]?.body ?? '{}').type, isGenuine(received[0] as Received, secret)]).toEqual([
      'test',
      true,
    ]);
  });

  it('retries a failed delivery over a day, shows each attempt, and is disabled', async () => {
    answer = 503;
    const before = received.length;
    await page.keyboard.press('Escape');
    await analysed();
    await expect.poll(() => received.length).toBe(before + 1);
    await button(`Deliveries to ${host}`).click();
    const row = page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'job.completed' });
    await row.getByText('Waiting', { exact: true }).waitFor();
    await row.getByText('status 503').waitFor();
    await row.getByText(/next attempt/).waitFor();
    // A session lasts through the day: the browser refreshes its own.
    for (const [nth, delay] of RETRY_DELAYS_MS.entries()) {
      app.advance(delay);
      worker.wake();
      await row.getByText(`${nth + 2} attempts`).waitFor();
    }
    await row.getByText('Failed', { exact: true }).waitFor();
    await row.getByText('6 attempts').click();
    expect(await row.getByRole('listitem').allTextContents()).toEqual(
      Array.from({ length: 6 }, () => expect.stringContaining('status 503')),
    );
    await clean();
    expect(new Set(received.slice(1).map(({ headers }) => headers['x-seo-delivery'])).size).toBe(1);
    expect(received).toHaveLength(2 + RETRY_DELAYS_MS.length);
    await page.keyboard.press('Escape');
    await page.getByText('Turned off after a day of failures').waitFor();
    await clean();
  });

  it('continues after its receiver was fixed: a test, the failed one again, enabled again', async () => {
    answer = 200;
    await button(`Deliveries to ${host}`).click();
    const dialog = page.getByRole('dialog');
    const failed = dialog.getByRole('listitem').filter({ hasText: 'job.completed' });
    await failed.getByText('Failed', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await button(`Turn on ${host}`).click();
    await page.getByText('Turned off after a day of failures').waitFor({ state: 'detached' });
    await button(`Deliveries to ${host}`).click();
    await failed.getByRole('button', { name: 'Redeliver job.completed' }).click();
    await failed.getByText('Delivered', { exact: true }).waitFor();
    expect(received.at(-1)?.body).toBe(received[1]?.body);
    await page.keyboard.press('Escape');
    await page.getByText('Active', { exact: true }).waitFor();
  });

  it('is disabled by its owner, and notified of nothing meanwhile', async () => {
    await button(`Turn off ${host}`).click();
    await button(`Turn on ${host}`).waitFor();
    const before = received.length;
    await analysed();
    await button(`Turn on ${host}`).click();
    await button(`Turn off ${host}`).waitFor();
    app.advance(1_000);
    const jobId = await analysed();
    await expect.poll(() => received.length).toBe(before + 1);
    expect(JSON.parse(received.at(-1)?.body ?? '{}').data.job.id).toBe(jobId);
  });

  it('gets a new secret while the former one also signs for a day', async () => {
    await button(`New secret for ${host}`).click();
    await button('Create new secret').click();
    await asked().waitFor();
    const fresh = await copied('signing secret');
    await button('Done').click();
    const before = received.length;
    await analysed();
    await expect.poll(() => received.length).toBe(before + 1);
    const last = received.at(-1) as Received;
    expect([fresh === secret, isGenuine(last, fresh), isGenuine(last, secret)]).toEqual([false, true, true]);
  });

  it('is removed after a confirmation', async () => {
    await button(`Remove ${host}`).click();
    await asked().getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('No webhooks yet.').waitFor();
  });

  it('causes no script error and no violation of the content security policy', () => {
    expect(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });
});
