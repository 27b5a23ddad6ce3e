/** Where every account has everything, no screen mentions plans, money or allowances. */
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobAccess } from '../../../src/model/jobs.ts';
import { type FakeServer, fakeServer } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import {
  actionsResponse,
  adminJobResponse,
  completedJob,
  jobsResponse,
  profileResponse,
  runningJob,
  statusResponse,
  subscriptionResponse,
} from '../given/views.ts';

const MONEY =
  /\bfree\b|upgrade|credit|funds|allowance|subscription|payment|\bprice|\$\d|\bplans\b|(your|paid) plan|paid|purchase|charged/i;
let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  server.on('GET /api/v1/status', statusResponse({ unlimited: true }));
});

function nothingOfMoney(): void {
  expect(document.body.textContent).not.toMatch(MONEY);
}

describe('a visitor who signs up', () => {
  it('reads what the product does', async () => {
    renderApp('/signup');
    expect(await screen.findByText('SEO audit')).toBeVisible();
    expect(screen.getAllByRole('listitem')).toHaveLength(5);
    nothingOfMoney();
  });
});

describe('a logged-in user', () => {
  beforeEach(() => signedInBefore());

  function analysis(access: JobAccess): void {
    const job = completedJob({ access });
    server.on('GET /api/v1/jobs', jobsResponse([job]));
    server.on('GET /api/v1/jobs/job-1', { success: true, data: job });
    server.on('GET /api/v1/actions/analyses', {
      success: true,
      analyses: [
        {
          id: 'job-1',
          jobId: 'job-1',
          domain: 'www.example.com',
          analysis_timestamp: '2026-11-20T10-01-00Z',
          created_at: '2026-11-20T10:00:00.000Z',
          actions_count: 1,
          score: 82,
        },
      ],
      cursor: null,
    });
  }

  it('sees no plan panel at home, and no cost of a cancelled audit', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([runningJob({ id: 'run' }), completedJob({ id: 'done' })]));
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: 'Delete All' }));
    expect(await screen.findByRole('alertdialog')).toHaveTextContent('1 running audit is canceled.');
    nothingOfMoney();
  });

  it('sees neither subscription nor history nor emails about them on the account page', async () => {
    const data = {
      jobs: 1,
      running_jobs: 0,
      sessions: 1,
      api_keys: 0,
      webhooks: 0,
      shares: 0,
      subscription: null,
      funds: null,
      last_admin: false,
    };
    server.on('GET /api/v1/account/deletion', { success: true, data: { ...data, confirmation: 'DELETE' } });
    const { user } = renderApp('/account');
    expect(await screen.findByLabelText('When an audit is done')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Delete my account…' }));
    expect(await screen.findByText('This cannot be undone. We keep anonymous usage totals.')).toBeVisible();
    nothingOfMoney();
  });

  it('is redirected from the plans to the account', async () => {
    const { address } = renderApp('/account/upgrade');
    expect(await screen.findByRole('heading', { name: 'Your Account' })).toBeVisible();
    expect(address()).toBe('/account');
    nothingOfMoney();
  });

  it('shares all of an audit, without a choice', async () => {
    analysis('full');
    server.on('POST /api/v1/share/create', {
      success: true,
      data: { id: 's-1', shareUrl: 'http://localhost:3000/shared/abc' },
    });
    const { user } = renderApp('/dashboard/actions?jobId=job-1');
    await user.click(await screen.findByRole('button', { name: 'Share' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).queryByRole('radio')).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Create share link' }));
    await screen.findByText('Your link is ready');
    expect(server.asked('POST /api/v1/share/create')[0]?.body).toMatchObject({ shareMode: 'full' });
    nothingOfMoney();
  });

  it('unlocks an earlier preview for free', async () => {
    analysis('preview');
    server.on('GET /api/v1/actions', actionsResponse({ isFreemiumPreview: true, totalActionsAvailable: 5 }));
    server.on('POST /api/v1/jobs/job-1/unlock', { success: true, data: completedJob({ access: 'full' }) });
    const { user } = renderApp('/dashboard/actions?jobId=job-1');
    const locked = await screen.findByRole('region', { name: 'Locked tasks' });
    expect(locked).toHaveTextContent('1 of 5 unlocked. This audit was made as a preview.Unlock all 5 actions');
    await user.click(screen.getByRole('button', { name: 'Share' }));
    expect(await screen.findByRole('radio', { name: /^Full access/ })).toBeDisabled();
    nothingOfMoney();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Unlock all 5 actions' }));
    expect(server.asked('POST /api/v1/jobs/job-1/unlock')).toHaveLength(1);
  });

  it('sees, as an admin, no bill of a user', async () => {
    const USER = '/api/v1/admin/users/user-2';
    const account = {
      id: 'user-2',
      email: 'bob@example.com',
      name: 'Bob',
      email_state: 'confirmed',
      created_at: '2026-11-20T10:00:00.000Z',
    };
    const data = {
      account: { ...account, is_admin: false, sign_in_enabled: true },
      billing: subscriptionResponse().data,
      sessions: [],
      shares: [],
    };
    server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
    server.on(`GET ${USER}`, { success: true, data });
    for (const list of ['jobs', 'mails']) server.on(`GET ${USER}/${list}`, { success: true, data: [], cursor: null });
    renderApp('/admin/users/user-2');
    expect(await screen.findByText('No emails yet.')).toBeVisible();
    nothingOfMoney();
  });

  it('sees, as an admin, no bill of a job', async () => {
    server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
    server.on('GET /api/v1/admin/jobs/job-1', adminJobResponse());
    server.on('GET /api/v1/admin/jobs/job-1/events', { success: true, data: [], cursor: null });
    renderApp('/admin/jobs/job-1');
    expect(await screen.findByRole('heading', { name: 'Work' })).toBeVisible();
    nothingOfMoney();
  });
});
