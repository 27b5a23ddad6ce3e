/** Every screen of the product with data: a demo server, two audits of its demo site, completed items, shared links. */
import type { BrowserContext, Page } from 'playwright-core';
import type { LoginResponse } from '../../../src/http/contract/auth.ts';
import type { JobsResponse } from '../../../src/http/contract/jobs.ts';
import { NO_COUNTS } from '../../../src/model/liveFeed.ts';
import { type ApiClient, FINAL } from './apiClient.ts';

export type Screen = {
  readonly name: string;
  readonly path: string;
  readonly signedIn: boolean;
  readonly prepare?: (page: Page) => Promise<void>;
  /** Its initial state depends on the width of the window. */
  readonly beginsByWidth?: true;
};

async function audit(client: ApiClient, url: string): Promise<string> {
  const { id } = await client.submit(url);
  await client.waitForJob(id, ({ status }) => FINAL.has(status));
  return id;
}

async function share(client: ApiClient, jobId: string, shareMode: 'full' | 'preview'): Promise<string> {
  const asked = {
    jobId,
    title: 'Tea shop',
    description: 'What to do first',
    sharedContent: ['actions', 'executive_summary', 'job_metadata'],
    shareMode,
  };
  const { status, body } = await client.call<{ data: { shareUrl: string } }>('POST', '/api/v1/share/create', {
    ...asked,
    expiresIn: 168,
  });
  if (status >= 300) throw new Error(`No link was made: ${status} ${JSON.stringify(body)}`);
  return new URL(body.data.shareUrl).pathname.split('/').at(-1) ?? '';
}

/** Some items in progress, some completed. */
async function workOff(client: ApiClient, jobId: string): Promise<string> {
  const { body } = await client.call<{ actions: { id: string }[] }>('GET', `/api/v1/actions?jobId=${jobId}`);
  const ids = body.actions.map(({ id }) => id);
  for (const [at, status] of ['completed', 'completed', 'in-progress', 'in-progress'].entries())
    await client.call('PUT', `/api/v1/actions/${ids[at]}/progress?jobId=${jobId}`, { status });
  return ids[5] ?? '';
}

/** An API key, and a webhook to the demo site, which accepts none. */
async function connectPrograms(client: ApiClient, demoSite: string): Promise<void> {
  for (const asked of [
    { name: 'Nightly build', scope: 'read', expires_in_days: 90 },
    { name: 'Dashboard', scope: 'write' },
  ])
    await client.call('POST', '/api/v1/api-keys', asked);
  const { body } = await client.call<{ data: { id: string } }>('POST', '/api/v1/webhooks', {
    url: new URL('/hooks/seo', demoSite).href,
    events: ['job.completed', 'action.completed'],
  });
  await client.call('POST', `/api/v1/webhooks/${body.data.id}/test`);
}

/** Clicks a button and waits for its dialog, which may still have to load. */
const asking =
  (button: string | RegExp): NonNullable<Screen['prepare']> =>
  async (page) => {
    await page.getByRole('button', { name: button, exact: true }).first().click();
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
  };

/** A link to an issue scrolls to it: what is half behind the header then could not be measured. */
async function fromItsTop(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Findings by issue' }).waitFor();
  await comesToRest(page);
  await page.evaluate('scrollTo(0, 0)');
}

/** On a phone they are folded. */
async function openFilters(page: Page): Promise<void> {
  await page.getByRole('article').first().waitFor();
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  if (await filters.isVisible()) await filters.click();
}

/** As while its pages were read: its answers are changed on their way, since no audit of the demo site runs so long. */
const asRunning =
  (jobId: string): NonNullable<Screen['prepare']> =>
  async (page) => {
    await page.route(
      '**/api/v1/jobs?*',
      async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as JobsResponse;
        const { active, completed } = body.data;
        const running = completed
          .filter(({ id }) => id === jobId)
          .map((job) => ({
            ...job,
            status: 'executing_parallel_streams',
            progress: 20,
            completed_at: null,
            score: null,
            files: [],
            stages: job.stages.map((stage, nth) => ({ ...stage, state: nth === 0 ? 'running' : 'waiting' })),
            can: { cancel: true, delete: false },
          }));
        const others = completed.filter(({ id }) => id !== jobId);
        await route.fulfill({
          response,
          json: { ...body, data: { active: [...active, ...running], completed: others } },
        });
      },
      { times: 1 },
    );
    const rows = Array.from({ length: 30 }, (_, nth) => ({
      n: 30 - nth,
      url: `http://127.0.0.1:1/teas/${'a-long-name-'.repeat(nth % 7)}${nth}`,
      status: nth % 5 === 4 ? 404 : 200,
      ms: 40 * nth,
      words: nth % 5 === 4 ? null : 300,
      saw: nth % 5 === 4 ? ['client_error'] : nth % 3 === 0 ? ['noindex', 'no_title', 'no_description', 'no_h1'] : [],
      failure: null,
    }));
    const counts = {
      ...NO_COUNTS,
      all: 1_230,
      client_error: 6,
      noindex: 10,
      no_title: 10,
      no_description: 10,
      no_h1: 10,
    };
    await page.route(`**/api/v1/jobs/${jobId}/feed?*`, (route) =>
      route.fulfill({ json: { success: true, data: { from: 1, rows, counts } } }),
    );
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('region', { name: 'URLs read' }).getByRole('listitem').first().waitFor();
  };

/** Creates the data that they show, as `admin`. */
export async function screensOf(admin: ApiClient, demoSite: string): Promise<readonly Screen[]> {
  await audit(admin, demoSite);
  const jobId = await audit(admin, demoSite);
  const actionId = await workOff(admin, jobId);
  await connectPrograms(admin, demoSite);
  const [full, preview] = [await share(admin, jobId, 'full'), await share(admin, jobId, 'preview')];
  const job = `/dashboard/jobs/${jobId}`;
  const actions = `/dashboard/actions?jobId=${jobId}`;
  const visitor = (name: string, path: string): Screen => ({ name, path, signedIn: false });
  const user = (name: string, path: string, prepare?: Screen['prepare']): Screen => ({
    name,
    path,
    signedIn: true,
    ...(prepare ? { prepare } : {}),
  });
  const actionsAt = (name: string, path: string, prepare?: Screen['prepare']): Screen => ({
    ...user(name, path, prepare),
    beginsByWidth: true,
  });
  return [
    visitor('login', '/login'),
    visitor('signup', '/signup'),
    visitor('forgot-password', '/forgot-password'),
    visitor('reset-password', '/reset-password'),
    visitor('confirm-email', '/confirm-email#token=of-a-mail'),
    visitor('email-login', '/email-login#token=of-a-mail'),
    visitor('sample', '/sample'),
    visitor('shared-dashboard', `/shared/${full}`),
    visitor('shared-preview', `/shared/${preview}`),
    visitor('shared-texts', `/share/${full}`),
    visitor('shared-gone', '/shared/nothing-here'),
    user('home', '/'),
    user('report', `/?report=${jobId}`),
    ...['findings', 'pages', 'links', 'structure', 'report', 'compare', 'files'].map((tab) =>
      user(`job-${tab}`, `${job}?tab=${tab}`),
    ),
    user('job-graph', `${job}?tab=structure&view=graph`, async (page) => {
      await page.locator('section[aria-label="Link graph"][aria-busy="false"]').waitFor();
    }),
    user('job-running', job, asRunning(jobId)),
    user('job-columns', `${job}?tab=pages`, asking('Columns')),
    user('job-issue', `${job}?cause=title-missing`, fromItsTop),
    user('job-groups', `${job}?group=template`),
    user('job-page', `${job}/page?url=${encodeURIComponent(`${demoSite}/`)}`),
    actionsAt('actions', actions),
    actionsAt('actions-board', `${actions}&view=board`, openFilters),
    user('action', `${actions}&actionId=${actionId}`),
    user('share-dialog', actions, asking('Share')),
    user('shares', '/dashboard/shares'),
    user('share-revoke', '/dashboard/shares', asking(/^Revoke/)),
    user('account', '/account'),
    user('account-api', '/account/api'),
    user('api-key-new', '/account/api', asking('Create API key')),
    user('api-key-revoke', '/account/api', asking(/^Revoke/)),
    user('webhook-add', '/account/api', asking('Add webhook')),
    user('webhook-log', '/account/api', asking(/^Deliveries/)),
    user('webhook-secret', '/account/api', asking(/^New secret/)),
    user('webhook-remove', '/account/api', asking(/^Remove/)),
  ];
}

/** Opens the page, and waits until skeletons are gone and floating elements have settled. */
export async function open(page: Page, base: string, screen: Screen): Promise<void> {
  await page.goto(`${base}${screen.path}`, { waitUntil: 'networkidle' });
  await screen.prepare?.(page);
  await page.getByRole('status', { name: /^Loading/ }).waitFor({ state: 'detached' });
  await comesToRest(page);
}

/** Waits until the page is laid out and floating elements have settled. */
export async function comesToRest(page: Page): Promise<void> {
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  await page.evaluate(
    'Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)))',
  );
}

/**
 * All pages of the context are logged in, as the log-in page leaves a browser (`web/api/tokens.ts`). The log-in page
 * itself has its own tests.
 */
export async function signIn(
  context: BrowserContext,
  base: string,
  credentials: { readonly email: string; readonly password: string },
): Promise<void> {
  const answer = await context.request.post(`${base}/api/v1/auth/login`, { data: credentials });
  if (!answer.ok()) throw new Error(`Log-in failed with ${answer.status()}: ${await answer.text()}`);
  const { session } = (await answer.json()) as LoginResponse;
  const stored = {
    auth_refresh_token: session.refresh_token,
    auth_renewal_at: String(Date.now() + (session.expires_in / 2) * 1_000),
    auth_token: session.access_token,
  };
  const page = await context.newPage();
  // Any page of the origin has its storage: this one loads no scripts.
  await page.goto(`${base}/healthz`);
  await page.evaluate(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
  await page.close();
}
