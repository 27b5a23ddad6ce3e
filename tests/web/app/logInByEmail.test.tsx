import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, profileResponse, statusResponse } from '../given/views.ts';

const PATH = '/api/v1/auth/log-in-mail';
const INVALID = 'That code isn’t right, or it no longer works. You can ask for a new one.';
let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  server.on('GET /api/v1/status', statusResponse({ log_in: { by_mail: true, providers: [] } }));
});

describe('an emailed code', () => {
  it('is not offered where no email is sent', async () => {
    server.on('GET /api/v1/status', statusResponse({ log_in: { by_mail: false, providers: [] } }));
    renderApp('/login');
    await screen.findByRole('button', { name: 'Log in' });
    expect(screen.queryByRole('button', { name: 'Use an emailed code' })).toBeNull();
  });

  it('logs in, with what was typed before, after a wrong one', async () => {
    server.on(`POST ${PATH}`, { success: true, message: '' });
    server.on(`POST ${PATH}/code`, refusal(401, INVALID, 'LOG_IN_CODE_INVALID'));
    const { user } = renderApp('/login');
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.click(await screen.findByRole('button', { name: 'Use an emailed code' }));
    await user.click(await screen.findByRole('button', { name: 'Email me a code' }));
    const code = await screen.findByLabelText('6-digit code');
    expect(code).toHaveFocus();
    expect(server.asked(`POST ${PATH}`).map(({ body }) => body)).toEqual([{ email: 'ada@example.com' }]);
    await user.type(code, '000000{Enter}');
    expect(await screen.findByText(INVALID)).toBeVisible();
    expect(code).toHaveFocus();
    server.on(`POST ${PATH}/code`, loginResponse());
    await user.type(code, '123456{Enter}');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked(`POST ${PATH}/code`).at(-1)?.body).toMatchObject({ email: 'ada@example.com' });
  });

  it('signs up', async () => {
    server.on(`POST ${PATH}`, { success: true, message: '' });
    server.on(`POST ${PATH}/code`, loginResponse());
    const { user } = renderApp('/signup');
    await user.click(await screen.findByRole('button', { name: 'Use an emailed code' }));
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.click(await screen.findByRole('button', { name: 'Email me a code' }));
    await user.type(await screen.findByLabelText('6-digit code'), '123456{Enter}');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked(`POST ${PATH}`)[0]?.body).toEqual({ email: 'ada@example.com', create: true });
  });

  it('says what kept the email from being sent', async () => {
    server.on(`POST ${PATH}`, refusal(429, 'Too many requests. Try again in 5 minutes.', 'RATE_LIMITED'));
    const { user } = renderApp('/login');
    await user.click(await screen.findByRole('button', { name: 'Use an emailed code' }));
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.click(await screen.findByRole('button', { name: 'Email me a code' }));
    expect(await screen.findByText('Too many requests. Try again in 5 minutes.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Use a password' }));
    await screen.findByLabelText('Password');
  });
});

describe('the link of the email', () => {
  it('names the account, and logs in after a press', async () => {
    server.on(`POST ${PATH}/open`, { success: true, email: 'ada@example.com' });
    server.on(`POST ${PATH}/link`, loginResponse());
    const { user } = renderApp('/email-login#token=of-a-mail');
    expect(await screen.findByText('ada@example.com')).toBeVisible();
    expect(server.asked(`POST ${PATH}/link`)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked(`POST ${PATH}/link`).map(({ body }) => body)).toEqual([{ token: 'of-a-mail' }]);
  });

  it('asks for the second factor, and goes on after it, also for somebody who is logged in', async () => {
    signedInBefore();
    server.on(`POST ${PATH}/open`, { success: true, email: 'ada@example.com' });
    server.on(`POST ${PATH}/link`, { success: true, mfa_required: true, mfa_token: 'challenge', expires_in: 300 });
    server.on('POST /api/v1/auth/mfa/verify', loginResponse());
    const { user } = renderApp('/email-login#token=of-a-mail');
    await user.click(await screen.findByRole('button', { name: 'Log in' }));
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
  });

  it('that was used says so, and leads back', async () => {
    server.on(`POST ${PATH}/open`, refusal(401, 'This link has expired or was already used.', 'LOG_IN_LINK_INVALID'));
    const { user } = renderApp('/email-login#token=of-a-mail');
    expect(await screen.findByText('This link has expired or was already used.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    await screen.findByRole('heading', { name: 'Log in' });
  });

  it('without its token asks to open it again', async () => {
    renderApp('/email-login');
    expect(await screen.findByText('This link is incomplete. Please open it again from the email.')).toBeVisible();
  });
});

it('an account without a password offers to set one, and asks for none', async () => {
  signedInBefore();
  const profile = profileResponse();
  server.on('GET /api/v1/auth/profile', { ...profile, profile: { ...profile.profile, has_password: false } });
  server.on('POST /api/v1/auth/reset-password', { success: true, message: '' });
  const { user } = renderApp('/account');
  expect(await screen.findByText(/Your account has no password/)).toBeVisible();
  expect(screen.queryByLabelText('Your password')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Email me a link' }));
  expect(await screen.findByText(/We’ve sent the link to/)).toBeVisible();
});
