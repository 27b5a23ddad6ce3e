import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { completedJob, jobsResponse, loginResponse, statusResponse } from '../given/views.ts';

let server: FakeServer;
const FILE = 'GET /api/v1/jobs/job-1/files/seo-audit-report.md';
const file = (content: unknown, name = 'seo-audit-report.md') => ({
  success: true,
  data: { jobId: 'job-1', name, content },
});

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/status', statusResponse({ auth_system: { development_mode: false } }));
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on(FILE, file('# Audit of example.com\n\n[safe](https://example.com) [bad](javascript:alert(1))'));
});

const viewer = () => screen.findByRole('dialog', { name: /Report/ });

describe('the file viewer', () => {
  it('opens from a row, shows rendered markdown and returns focus on Escape', async () => {
    const { user, address } = renderApp('/?filter=completed');
    const link = await screen.findByRole('link', { name: 'Report of example.com' });
    await user.click(link);
    const dialog = await viewer();
    expect(dialog).toHaveAccessibleName(/^Report of example\.com/);
    expect(await within(dialog).findByRole('heading', { name: 'Audit of example.com' })).toBeVisible();
    expect(within(dialog).getByRole('link', { name: 'safe' })).toHaveAttribute(
      'rel',
      expect.stringContaining('noopener'),
    );
    expect(within(dialog).queryByRole('link', { name: 'bad' })).toBeNull();
    expect(address()).toBe('/?filter=completed&report=job-1');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(address()).toBe('/?filter=completed');
    expect(link).toHaveFocus();
  });

  it('has a tab for each file; data is shown as it is', async () => {
    server.on('GET /api/v1/jobs/job-1/files/findings.json', file('[{"id":"title-missing"}]', 'findings.json'));
    server.on('GET /api/v1/jobs/job-1/files/pages.csv', file('url,status\n<b>x</b>,200', 'pages.csv'));
    const { user, address } = renderApp('/?report=job-1');
    const dialog = await viewer();
    await within(dialog).findByRole('heading', { name: 'Audit of example.com' });
    expect(
      within(dialog)
        .getAllByRole('tab')
        .map((tab) => tab.textContent),
    ).toEqual(['Audit report', 'Executive summary', 'Action items', 'Findings (JSON)', 'Pages (CSV)']);
    await user.click(within(dialog).getByRole('tab', { name: 'Findings (JSON)' }));
    expect((await within(dialog).findByText(/title-missing/)).textContent).toBe(
      '[\n  {\n    "id": "title-missing"\n  }\n]',
    );
    await user.click(within(dialog).getByRole('tab', { name: 'Pages (CSV)' }));
    expect((await within(dialog).findByText(/url,status/)).textContent).toBe('url,status\n<b>x</b>,200');
    expect(address()).toBe('/?report=job-1&file=pages.csv');
  });

  it('opens at the file in its address', async () => {
    server.on('GET /api/v1/jobs/job-1/files/executive-summary.md', file('Short.', 'executive-summary.md'));
    renderApp('/?report=job-1&file=executive-summary.md');
    const dialog = await viewer();
    expect(await within(dialog).findByText('Short.')).toBeVisible();
    expect(within(dialog).getByRole('tab', { name: 'Executive summary' })).toHaveAttribute('aria-selected', 'true');
  });

  it('offers the text as a download', async () => {
    const saved: Blob[] = [];
    const names: string[] = [];
    vi.stubGlobal(
      'URL',
      Object.assign(URL, {
        createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`,
        revokeObjectURL: () => undefined,
      }),
    );
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      if (this.download) names.push(this.download);
    });
    const { user } = renderApp('/?report=job-1');
    const dialog = await viewer();
    await within(dialog).findByRole('heading', { name: 'Audit of example.com' });
    await user.click(within(dialog).getByRole('button', { name: 'Download' }));
    expect(names).toEqual(['example.com-seo-audit-report.md']);
    expect(saved[0]?.type).toContain('text/markdown');
  });

  it.each([
    [
      'the server’s words with the status',
      refusal(404, 'This job has no such file'),
      'This job has no such file (404)',
    ],
    ['the status alone', { status: 500, body: {} }, 'Failed to load file: 500'],
    ['an answer without content', { success: true, data: {} }, 'Invalid response format'],
    ['an answer that is no JSON', () => new Response('<html>'), 'Invalid response format'],
    [
      'no answer',
      () => {
        throw new NetworkDown();
      },
      'Network error',
    ],
  ])('explains an error: %s', async (_, reply, text) => {
    server.on(FILE, reply);
    renderApp('/?report=job-1');
    const dialog = await viewer();
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(text);
    expect(within(dialog).getByRole('button', { name: 'Download' })).toBeDisabled();
  });

  it('says when it is empty, and when no job is named', async () => {
    server.on(FILE, file('  \n'));
    const { unmount } = renderApp('/?report=job-1');
    expect(await within(await viewer()).findByText('No content available')).toBeVisible();
    unmount();
    renderApp('/?report=');
    expect(await within(await viewer()).findByRole('alert')).toHaveTextContent('Job ID not found');
  });

  it('asks for authentication when its call is refused with renewed tokens, too; the session goes on', async () => {
    server.on(FILE, refusal(401, 'Authentication required', 'UNAUTHENTICATED'));
    server.on('POST /api/v1/auth/refresh', loginResponse('session-1.second'));
    const { user, address } = renderApp('/?report=job-1');
    const dialog = await viewer();
    const alert = await within(dialog).findByRole('alert');
    expect(alert).toHaveTextContent('Authentication required');
    expect(alert).not.toHaveTextContent('401');
    expect(within(dialog).getByRole('link', { name: 'Refresh the page' })).toBeVisible();
    expect(server.asked(FILE).map((call) => call.token)).toEqual(['session-1.access', 'session-1.second']);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(address()).toBe('/'));
    expect(screen.getByRole('button', { name: 'Logout' })).toBeVisible();
    expect(localStorage.getItem('auth_token')).toBe('session-1.second');
  });

  it('offers to refresh the page when access was lost', async () => {
    server.on(FILE, refusal(403, 'Access denied'));
    renderApp('/?report=job-1');
    const dialog = await viewer();
    expect(await within(dialog).findByRole('link', { name: 'Refresh the page' })).toBeVisible();
    expect(within(dialog).getByRole('alert')).not.toHaveTextContent('development mode');
  });

  it('mentions development mode on errors', async () => {
    server.on('GET /api/v1/status', statusResponse());
    server.on(FILE, refusal(404, 'Job not found'));
    renderApp('/?report=job-1');
    const dialog = await viewer();
    expect(await within(dialog).findByText(/development mode/)).toBeVisible();
    expect(within(dialog).queryByRole('button', { name: 'Get a demo token' })).toBeNull();
  });

  it('links to a new token in development mode, and back to the file', async () => {
    server.on('GET /api/v1/status', statusResponse());
    server.on(FILE, refusal(403, 'Access denied'));
    const { user, address } = renderApp('/?report=job-1');
    await user.click(await within(await viewer()).findByRole('button', { name: 'Get a demo token' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByLabelText('Email')).toBeVisible();
  });
});
