/**
 * `npm run screens [-- home,actions]`: pictures of every screen, on a phone and on a desktop, light and dark, into docs/screens/. Needs Chromium.
 * The state is made by the product itself: a demo server, two audits of its demo site, items worked off, links shared.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApiClient, FINAL, logIn } from '../tests/given/apiClient.ts';
import { launchBrowser } from '../tests/given/browser.ts';
import { startBuiltServer, temporaryData } from '../tests/given/builtServer.ts';

const FOLDER = fileURLToPath(new URL('../docs/screens/', import.meta.url));
const SIZES = { phone: { width: 360, height: 780 }, desktop: { width: 1440, height: 900 } } as const;
const THEMES = ['light', 'dark'] as const;
/** Tall enough to judge a long page by its beginning. */
const TALLEST = 1800;

type Screen = { readonly name: string; readonly path: string; readonly signedIn: boolean; readonly prepare?: (page: Page) => Promise<void> };

async function audit(client: ApiClient, url: string): Promise<string> {
  const { id } = await client.submit(url);
  await client.waitForJob(id, ({ status }) => FINAL.has(status));
  return id;
}

async function share(client: ApiClient, jobId: string, shareMode: 'full' | 'preview'): Promise<string> {
  const asked = { jobId, title: 'Tea shop', description: 'What to do first', sharedContent: ['actions', 'executive_summary', 'job_metadata'], shareMode };
  const { status, body } = await client.call<{ data: { shareUrl: string } }>('POST', '/api/v1/share/create', { ...asked, expiresIn: 168 });
  if (status >= 300) throw new Error(`No link was made: ${status} ${JSON.stringify(body)}`);
  return new URL(body.data.shareUrl).pathname.split('/').at(-1) ?? '';
}

/** Some items under way, some done. */
async function workOff(client: ApiClient, jobId: string): Promise<string> {
  const { body } = await client.call<{ actions: { id: string }[] }>('GET', `/api/v1/actions?jobId=${jobId}`);
  const ids = body.actions.map(({ id }) => id);
  for (const [at, status] of ['completed', 'completed', 'in-progress', 'in-progress'].entries())
    await client.call('PUT', `/api/v1/actions/${ids[at]}/progress?jobId=${jobId}`, { status });
  return ids[5] ?? '';
}

async function screensOf(admin: ApiClient, demoSite: string): Promise<readonly Screen[]> {
  await audit(admin, demoSite);
  const jobId = await audit(admin, demoSite);
  const actionId = await workOff(admin, jobId);
  const [full, preview] = [await share(admin, jobId, 'full'), await share(admin, jobId, 'preview')];
  const job = `/dashboard/jobs/${jobId}`;
  const actions = `/dashboard/actions?jobId=${jobId}`;
  const visitor = (name: string, path: string): Screen => ({ name, path, signedIn: false });
  const user = (name: string, path: string, prepare?: Screen['prepare']): Screen => ({ name, path, signedIn: true, ...(prepare ? { prepare } : {}) });
  return [
    ...[visitor('login', '/login'), visitor('signup', '/signup'), visitor('forgot-password', '/forgot-password'), visitor('reset-password', '/reset-password')],
    ...[visitor('sample', '/sample'), visitor('shared-dashboard', `/shared/${full}`), visitor('shared-preview', `/shared/${preview}`)],
    ...[visitor('shared-texts', `/share/${full}`), visitor('shared-gone', '/shared/nothing-here')],
    user('home', '/'),
    user('report', `/?report=${jobId}`),
    ...['findings', 'pages', 'report', 'compare', 'files'].map((tab) => user(`job-${tab}`, `${job}?tab=${tab}`)),
    ...[user('actions', actions), user('actions-board', `${actions}&view=board`), user('action', `${actions}&actionId=${actionId}`)],
    user('share-dialog', actions, (page) => page.getByRole('button', { name: 'Share', exact: true }).click()),
    ...[user('shares', '/dashboard/shares'), user('account', '/account'), user('account-api', '/account/api')],
  ];
}

async function picture(context: BrowserContext, base: string, screen: Screen, file: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${base}${screen.path}`, { waitUntil: 'networkidle' });
  await screen.prepare?.(page);
  // Skeletons have gone, and what floats stands still.
  await page.getByRole('status', { name: /^Loading/ }).waitFor({ state: 'detached' });
  await page.evaluate('Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))');
  const viewport = page.viewportSize() ?? SIZES.desktop;
  // What floats over a page stands in the middle of the window.
  const height = screen.prepare ? viewport.height : await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.screenshot({
    path: file,
    type: 'jpeg',
    quality: 70,
    fullPage: true,
    clip: { x: 0, y: 0, width: viewport.width, height: Math.min(height, TALLEST) },
  });
  await page.close();
}

async function signedIn(context: BrowserContext, base: string, credentials: { readonly email: string; readonly password: string }): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(credentials.email);
  await page.getByLabel('Password').fill(credentials.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Recent Jobs' }).waitFor();
  await page.close();
}

async function main(): Promise<void> {
  const only = process.argv[2]?.split(',');
  mkdirSync(FOLDER, { recursive: true });
  const data = temporaryData();
  const server = await startBuiltServer(data.dir);
  let browser: Browser | undefined;
  try {
    const admin = await logIn(server.url, server.admin);
    const screens = (await screensOf(admin, server.demoSite)).filter(({ name }) => only === undefined || only.includes(name));
    browser = await launchBrowser();
    for (const [size, viewport] of Object.entries(SIZES)) {
      for (const theme of THEMES) {
        const options = { viewport, colorScheme: theme, reducedMotion: 'reduce' } as const;
        const [visitors, users] = [await browser.newContext(options), await browser.newContext(options)];
        await signedIn(users, server.url, server.admin);
        for (const screen of screens)
          await picture(screen.signedIn ? users : visitors, server.url, screen, join(FOLDER, `${screen.name}-${size}-${theme}.jpg`));
        await Promise.all([visitors.close(), users.close()]);
        process.stderr.write(`${size}, ${theme}: ${screens.length} screens\n`);
      }
    }
  } finally {
    await browser?.close();
    await server.stop();
    data.remove();
  }
}

await main();
