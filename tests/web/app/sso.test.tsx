import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, profileResponse, statusResponse } from '../given/views.ts';

const FINISH = 'POST /api/v1/auth/sso/work/finish';
const WORK = { id: 'work', label: 'Work' };
const IDENTITY = {
  id: 'one',
  provider: 'work',
  label: 'Work',
  email: 'ada@work.example',
  added_at: '2026-03-01T12:00:00.000Z',
  last_used_at: null,
  offered: true,
};
let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  server.on('GET /api/v1/status', statusResponse({ log_in: { by_mail: false, providers: [WORK] } }));
});

describe('single sign-on', () => {
  it.each(['/login', '/signup'])('is offered on %s once it is set up', async (path) => {
    const { user } = renderApp(path);
    server.on('POST /api/v1/auth/sso/work/start', refusal(503, 'We couldn’t reach this provider.', 'SSO_UNAVAILABLE'));
    await user.click(await screen.findByRole('button', { name: 'Continue with Work' }));
    expect(await screen.findByText('We couldn’t reach this provider.')).toBeVisible();
  });

  it('is not offered elsewhere', async () => {
    server.on('GET /api/v1/status', statusResponse({ log_in: { by_mail: false, providers: [] } }));
    renderApp('/login');
    await screen.findByRole('button', { name: 'Log in' });
    expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull();
  });

  it('finishes with what the provider’s redirect carried, once', async () => {
    server.on(FINISH, loginResponse());
    renderApp('/login/sso/work?code=abc&state=log-in.xyz&iss=https://work.example');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked(FINISH).map(({ body }) => body)).toEqual([
      { code: 'abc', state: 'log-in.xyz', iss: 'https://work.example' },
    ]);
  });

  it('asks for the second factor', async () => {
    server.on(FINISH, { success: true, mfa_required: true, mfa_token: 'a challenge', expires_in: 300 });
    renderApp('/login/sso/work?code=abc&state=log-in.xyz');
    expect(await screen.findByLabelText(/code/i)).toBeVisible();
  });

  it('says why it could not, and asks nothing without a code', async () => {
    server.on(FINISH, refusal(409, 'An account with your email address already exists.', 'IDENTITY_NOT_LINKED'));
    const first = renderApp('/login/sso/work?code=abc&state=log-in.xyz');
    expect(await screen.findByText('An account with your email address already exists.')).toBeVisible();
    first.unmount();
    renderApp('/login/sso/work?error=access_denied&state=log-in.xyz');
    expect(await screen.findByText(/has not logged you in/)).toBeVisible();
    expect(server.asked(FINISH)).toHaveLength(1);
  });
});

describe('the identities of an account', () => {
  const LIST = 'GET /api/v1/auth/identities';
  beforeEach(() => {
    signedInBefore();
    server.on('GET /api/v1/auth/profile', profileResponse());
  });

  it('are added with what the redirect carried', async () => {
    const PATH = 'POST /api/v1/auth/identities/work/finish';
    server.on(PATH, refusal(409, 'This identity already belongs to another account.', 'identity_already_exists'));
    renderApp('/login/sso/work?code=abc&state=add.xyz');
    expect(await screen.findByText('This identity already belongs to another account.')).toBeVisible();
    expect(server.asked(PATH).map(({ body }) => body)).toEqual([{ code: 'abc', state: 'add.xyz' }]);
  });

  it('are listed, also when they are no longer offered, and removed with the password', async () => {
    const gone = { ...IDENTITY, id: 'two', provider: 'old', label: 'old', email: null, offered: false };
    server.on(LIST, { success: true, identities: [IDENTITY, gone], providers: [WORK] });
    server.on('DELETE /api/v1/auth/identities/one', { success: true, message: 'Removed' });
    const { user } = renderApp('/account');
    expect(await screen.findByText(/No longer offered here/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove Work ada@work.example' }));
    server.on(LIST, { success: true, identities: [gone], providers: [WORK] });
    const form = await screen.findByRole('form', { name: 'Remove Work' });
    const field = form.querySelector('input[name="current_password"]');
    if (field) await user.type(field, 'a good password{Enter}');
    expect(await screen.findByRole('button', { name: 'Add Work' })).toBeVisible();
    expect(server.asked('DELETE /api/v1/auth/identities/one').map(({ body }) => body)).toEqual([
      { password: 'a good password' },
    ]);
    expect(screen.queryByText(/ada@work\.example/)).toBeNull();
  });

  it('are none where no provider is set up', async () => {
    server.on(LIST, { success: true, identities: [], providers: [] });
    renderApp('/account');
    expect(await screen.findByText(/no providers to log in with/)).toBeVisible();
  });
});
