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
    const shown = [
      'authenticated',
      'user-1',
      'ada@example.com',
      'true',
      'free',
      expect.stringMatching(/^in (1 hour|59 minutes)$/),
      'on',
    ];
    expect(panel.getAllByRole('definition').map((fact) => fact.textContent)).toEqual(shown);
    expect(document.body.textContent).not.toMatch(/session-1/);
  });

  it('show in production only whether somebody is logged in', async () => {
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
      server.on(
        `GET /api/v1/admin/${path}`,
        refusal(403, 'Admins need two-factor authentication here.', 'MFA_REQUIRED'),
      );
    renderApp('/admin');
    expect(await screen.findByText('Admins need two-factor authentication here.')).toBeVisible();
    expect(screen.queryByText('Access Denied')).toBeNull();
  });

  it('ask for a code once in a session that was opened without one, and go on', async () => {
    server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true, mfa: 'on' }));
    const refused = refusal(403, 'Admins need two-factor authentication here.', 'MFA_REQUIRED');
    server.on('POST /api/v1/admin/session', refused);
    const STEP_UP = 'POST /api/v1/auth/mfa/step-up';
    server.on(STEP_UP, refusal(403, 'That code isn’t right.', 'MFA_CODE_INVALID'));
    const { user } = renderApp('/admin');
    const form = within(await screen.findByRole('form', { name: 'Enter a code' }));
    await user.type(form.getByLabelText('Code'), '000000');
    await user.click(form.getByRole('button', { name: 'Continue' }));
    expect(await form.findByText('That code isn’t right.')).toBeVisible();
    await user.click(form.getByRole('button', { name: 'Use a recovery code' }));
    server.on(STEP_UP, { success: true, message: 'ok' });
    server.on('POST /api/v1/admin/session', { success: true, data: { seconds_left: 1_800 } });
    await user.type(form.getByLabelText('Recovery code'), 'abcd{Enter}');
    expect(await screen.findByRole('heading', { name: 'Admin', level: 1 })).toBeVisible();
    expect(server.asked(STEP_UP).map(({ body }) => body)).toEqual([{ code: '000000' }, { recovery_code: 'abcd' }]);
  });

  it('redirect all others home', async () => {
    profile(false);
    const { address } = renderApp('/admin');
    await waitFor(() => expect(address()).toBe('/'));
    expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull();
  });
});
