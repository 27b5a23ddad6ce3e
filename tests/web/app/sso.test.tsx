import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { IdentityView } from '../../../src/http/contract/logIn.ts';
import { leaveFor } from '../../../web/api/leaveFor.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, profileResponse, statusResponse } from '../given/views.ts';

// The test's browser goes to no other site.
vi.mock('../../../web/api/leaveFor.ts', () => ({ leaveFor: vi.fn() }));

const SSO = '/api/v1/auth/sso/corp';
const IDENTITIES = '/api/v1/auth/identities';
const CORP = { id: 'corp', label: 'Corp' };
const ELSEWHERE = 'https://id.example.com/authorize?state=1';
let server: FakeServer;

beforeEach(() => {
  vi.mocked(leaveFor).mockClear();
  server = fakeServer();
  fakeSockets();
  server.on('GET /api/v1/status', statusResponse({ log_in: { by_mail: false, providers: [CORP] } }));
});

describe('a provider of single sign-on', () => {
  it.each(['/login', '/signup'])('is offered at %s, and leads there', async (path) => {
    server.on(`POST ${SSO}/start`, { success: true, url: ELSEWHERE });
    const { user } = renderApp(path);
    await user.click(await screen.findByRole('button', { name: 'Continue with Corp' }));
    await vi.waitFor(() => expect(leaveFor).toHaveBeenCalledWith(ELSEWHERE));
  });

  it('is not offered where none is set up', async () => {
    server.on('GET /api/v1/status', statusResponse());
    renderApp('/login');
    await screen.findByRole('button', { name: 'Log in' });
    expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull();
  });

  it('that is away says so, and leaves the page', async () => {
    server.on(`POST ${SSO}/start`, refusal(503, 'We couldn’t reach this provider.', 'SSO_UNAVAILABLE'));
    const { user } = renderApp('/login');
    await user.click(await screen.findByRole('button', { name: 'Continue with Corp' }));
    expect(await screen.findByText('We couldn’t reach this provider.')).toBeVisible();
    expect(leaveFor).not.toHaveBeenCalled();
  });
});

describe('the page that a provider leads back to', () => {
  const BACK = '/login/sso/corp?code=c&state=s&iss=https%3A%2F%2Fid.example.com';
  const ANSWER = { code: 'c', state: 's', iss: 'https://id.example.com' };

  it('logs in, once', async () => {
    server.on(`POST ${SSO}/finish`, loginResponse());
    renderApp(BACK);
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked(`POST ${SSO}/finish`).map(({ body }) => body)).toEqual([ANSWER]);
  });

  it('asks for the second factor', async () => {
    server.on(`POST ${SSO}/finish`, { success: true, mfa_required: true, mfa_token: 'challenge', expires_in: 300 });
    server.on('POST /api/v1/auth/mfa/verify', loginResponse());
    const { user } = renderApp(BACK);
    await user.type(await screen.findByLabelText(/code/i), '123456{Enter}');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
  });

  it('says why it was refused, and leads back', async () => {
    const sentence = 'An account with your email address already exists.';
    server.on(`POST ${SSO}/finish`, refusal(409, sentence, 'IDENTITY_NOT_LINKED'));
    const { user } = renderApp(BACK);
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(server.asked(`POST ${SSO}/finish`)).toHaveLength(1);
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    await screen.findByRole('heading', { name: 'Log in' });
  });

  it('asks nothing where the provider refused', async () => {
    renderApp('/login/sso/corp?error=access_denied&state=s');
    expect(await screen.findByText('Corp didn’t log you in. Please try again.')).toBeVisible();
  });

  it('adds the identity where somebody is logged in', async () => {
    signedInBefore();
    server.on(`POST ${IDENTITIES}/corp/finish`, { success: true, identity: identity() });
    renderApp(BACK);
    await screen.findByRole('heading', { name: 'Sign-in' });
    expect(server.asked(`POST ${IDENTITIES}/corp/finish`).map(({ body }) => body)).toEqual([ANSWER]);
  });

  it('says why it was not added, and leads to the account', async () => {
    signedInBefore();
    const sentence = 'This identity already belongs to another account.';
    server.on(`POST ${IDENTITIES}/corp/finish`, refusal(409, sentence, 'identity_already_exists'));
    renderApp(BACK);
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to your account' })).toBeVisible();
  });
});

it('logging out leads to the provider that opened the session', async () => {
  signedInBefore();
  server.on('POST /api/v1/auth/logout', { success: true, message: 'Logged out', end_session_url: ELSEWHERE });
  const { user } = renderApp('/');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await vi.waitFor(() => expect(leaveFor).toHaveBeenCalledWith(ELSEWHERE));
});

describe('the identities of an account', () => {
  const region = async () => {
    const heading = await screen.findByRole('heading', { name: 'Single sign-on' });
    return within(heading.closest('section') as HTMLElement);
  };
  const have = (identities: readonly IdentityView[], providers = [CORP]): void =>
    server.on(`GET ${IDENTITIES}`, { success: true, identities, providers });
  beforeEach(() => signedInBefore());

  it('are not mentioned where there are neither identities nor providers', async () => {
    renderApp('/account');
    await screen.findByRole('heading', { name: 'Sign-in' });
    await vi.waitFor(() => expect(server.asked(`GET ${IDENTITIES}`)).toHaveLength(1));
    expect(screen.queryByRole('heading', { name: 'Single sign-on' })).toBeNull();
  });

  it('are added with the password, after a wrong one', async () => {
    have([]);
    server.on(`POST ${IDENTITIES}/corp/start`, refusal(400, 'That is not your current password.', 'WRONG_PASSWORD'));
    const { user } = renderApp('/account');
    await user.click((await region()).getByRole('button', { name: 'Add Corp' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Confirm your password'), 'wrong{Enter}');
    expect(await dialog.findByText('That is not your current password.')).toBeVisible();
    server.on(`POST ${IDENTITIES}/corp/start`, { success: true, url: ELSEWHERE });
    await user.click(dialog.getByRole('button', { name: 'Continue' }));
    await vi.waitFor(() => expect(leaveFor).toHaveBeenCalledWith(ELSEWHERE));
    expect(server.asked(`POST ${IDENTITIES}/corp/start`)[0]?.body).toEqual({ password: 'wrong' });
  });

  it('are added without one where there is none', async () => {
    const profile = profileResponse();
    server.on('GET /api/v1/auth/profile', { ...profile, profile: { ...profile.profile, has_password: false } });
    have([]);
    server.on(`POST ${IDENTITIES}/corp/start`, { success: true, url: ELSEWHERE });
    const { user } = renderApp('/account');
    await user.click((await region()).getByRole('button', { name: 'Add Corp' }));
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    await vi.waitFor(() => expect(leaveFor).toHaveBeenCalled());
    expect(server.asked(`POST ${IDENTITIES}/corp/start`)[0]?.body).toEqual({});
  });

  it('are listed, also what is no longer offered, and removed', async () => {
    have([identity(), identity({ id: 'old', provider: 'old', label: 'old', email: null, offered: false })]);
    const { user } = renderApp('/account');
    const part = await region();
    expect(part.getAllByRole('listitem')).toHaveLength(2);
    expect(part.getByText('No longer offered here')).toBeVisible();
    server.on(`DELETE ${IDENTITIES}/old`, { success: true, message: 'Removed' });
    await user.click(part.getByRole('button', { name: 'Remove old' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Confirm your password'), 'a good password');
    have([identity()]);
    await user.click(dialog.getByRole('button', { name: 'Remove' }));
    expect(await part.findByText('old removed.')).toBeInTheDocument();
    await vi.waitFor(() => expect(part.getAllByRole('listitem')).toHaveLength(1));
    expect(server.asked(`DELETE ${IDENTITIES}/old`)[0]?.body).toEqual({ password: 'a good password' });
  });

  it('stay where the only one cannot be removed, with the reason', async () => {
    have([identity()]);
    const sentence = 'This is your only way to log in.';
    server.on(`DELETE ${IDENTITIES}/id-1`, refusal(409, sentence, 'single_identity_not_deletable'));
    const { user } = renderApp('/account');
    await user.click((await region()).getByRole('button', { name: 'Remove Corp, ada@example.com' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Confirm your password'), 'a good password{Enter}');
    expect(await dialog.findByText(sentence)).toBeVisible();
  });
});

function identity(over: Partial<IdentityView> = {}): IdentityView {
  return {
    id: 'id-1',
    provider: 'corp',
    label: 'Corp',
    email: 'ada@example.com',
    added_at: '2026-03-01T10:00:00.000Z',
    last_used_at: null,
    offered: true,
    ...over,
  };
}
