import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { profileResponse, statusResponse } from '../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
});
const profile = (isAdmin: boolean) => server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: isAdmin }));

describe('the admin pages', () => {
  it('are linked for admins only', async () => {
    profile(true);
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('link', { name: 'Admin' }));
    expect(await screen.findByRole('heading', { name: 'Admin', level: 1 })).toBeVisible();
  });

  it('show an admin on /admin their details, on request, and never a token', async () => {
    profile(true);
    const { user } = renderApp('/admin');
    const panel = within(await screen.findByRole('region', { name: 'Auth debug' }));
    expect(panel.queryByText('authenticated')).toBeNull();
    await user.click(panel.getByRole('button', { name: 'Auth debug', expanded: false }));
    const shown = ['authenticated', 'user-1', 'ada@example.com', 'true', 'free', expect.stringMatching(/^in (1 hour|59 minutes)$/), 'on'];
    expect(panel.getAllByRole('definition').map((fact) => fact.textContent)).toEqual(shown);
    expect(document.body.textContent).not.toMatch(/session-1/);
  });

  it('show in production only whether somebody is signed in', async () => {
    profile(true);
    server.on('GET /api/v1/status', statusResponse({ auth_system: { development_mode: false } }));
    const { user } = renderApp('/admin');
    const panel = within(await screen.findByRole('region', { name: 'Auth debug' }));
    await user.click(panel.getByRole('button', { name: 'Auth debug' }));
    expect(panel.getAllByRole('definition').map((fact) => fact.textContent)).toEqual(['authenticated']);
  });

  it('link to the account where the second factor is missing, from the first page, too', async () => {
    profile(true);
    for (const path of ['overview', 'all-jobs'])
      server.on(`GET /api/v1/admin/${path}`, refusal(403, 'Admins need two-factor authentication here.', 'MFA_REQUIRED'));
    renderApp('/admin');
    expect(await screen.findByText('Admins need two-factor authentication here.')).toBeVisible();
    expect(screen.queryByText('Access Denied')).toBeNull();
  });

  it('redirect all others home', async () => {
    profile(false);
    const { address } = renderApp('/admin');
    await waitFor(() => expect(address()).toBe('/'));
    expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull();
  });
});
