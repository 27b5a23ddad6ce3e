/**
 * Pages that read the routes below `/auth` take the shortest answers that the specification allows: another server of
 * the same dialect may send no more.
 */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { statusResponse } from '../given/views.ts';

const USER = { id: 'user-1', email: 'ada@example.com' };
const PROFILE = { id: 'user-1', is_admin: false, plan: 'free', credits: 0, funds: 0 };
const LINK = '/reset-password#access_token=user-1.access&refresh_token=user-1.refresh';

let server: FakeServer;
beforeEach(() => {
  sessionStorage.clear();
  server = fakeServer();
  fakeSockets();
  server.on('GET /api/v1/status', { success: true, data: { auth_system: { development_mode: false } } });
  server.on('GET /api/v1/auth/profile', { user: USER, profile: PROFILE });
});

describe('with the shortest answers', () => {
  it('home and account open', async () => {
    signedInBefore();
    server.on('GET /api/v1/auth/subscription/history', { success: true, data: { transactions: [], pagination: {} } });
    const { user } = renderApp('/');
    await screen.findByText('No jobs yet');
    expect(screen.queryByText('Need Help?')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Account' }));
    expect(await screen.findByText('ada@example.com', { selector: 'dd' })).toBeVisible();
    expect(await screen.findByText(/^No payments yet/)).toBeVisible();
    expect(screen.queryByText(/Confirm your address|We sent a link/)).toBeNull();
  });

  it('a log-in opens the home page', async () => {
    server.on('POST /api/v1/auth/login', {
      token: 'session-1.access',
      user_id: 'user-1',
      email: USER.email,
      profile: PROFILE,
    });
    const { user } = renderApp('/login');
    await enter(user, await screen.findByLabelText('Email'), USER.email);
    await enter(user, screen.getByLabelText('Password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    await screen.findByText('No jobs yet');
    expect(localStorage.getItem('auth_token')).toBe('session-1.access');
    expect(localStorage.getItem('auth_refresh_token')).toBeNull();
  });

  it('a sign-up opens the home page', async () => {
    server.on('POST /api/v1/auth/signup-first', {
      token: 'session-1.access',
      user_id: 'user-1',
      email: USER.email,
      stripe_customer_id: null,
      next_step: 'submit_first_site',
    });
    const { user } = renderApp('/signup');
    await enter(user, await screen.findByLabelText('Email'), USER.email);
    await enter(user, screen.getByLabelText('Password'), 'correct horse');
    await enter(user, screen.getByLabelText('Confirm password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Sign up' }));
    await screen.findByText('No jobs yet');
  });

  it('a forgotten password is asked for', async () => {
    server.on('POST /api/v1/auth/reset-password', { success: true });
    const { user } = renderApp('/forgot-password');
    await enter(user, await screen.findByLabelText('Email'), USER.email);
    await user.click(screen.getByRole('button', { name: 'Send reset email' }));
    expect(await screen.findByText(/^If an account exists with this email/)).toBeVisible();
  });

  it('a reset link is verified and sets a password', async () => {
    server.on('POST /api/v1/auth/verify-recovery-token', { success: true });
    server.on('POST /api/v1/auth/update-password', { success: true });
    const { user, address } = renderApp(LINK);
    await enter(user, await screen.findByLabelText('New password'), 'correct horse');
    expect(screen.getByText(/^Choose a new password for your account\./)).toBeVisible();
    await enter(user, screen.getByLabelText('Confirm password'), 'correct horse');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(await screen.findByText('Your password was changed. Please log in with it.')).toBeVisible();
  });

  it('a reset link that was verified before goes on with its cookie', async () => {
    server.on('GET /api/v1/auth/session', { user: USER });
    renderApp('/reset-password');
    expect(await screen.findByLabelText('New password')).toBeVisible();
  });

  it('a purchase shows its price and its discount', async () => {
    signedInBefore();
    vi.stubGlobal('Stripe', undefined);
    server.on('GET /api/v1/status', statusResponse({ payments: 'sandbox' }));
    server.on('GET /api/v1/auth/stripe-config', {
      success: true,
      data: { publishable_key: 'pk_sandbox', mode: 'sandbox', sandbox_url: 'http://localhost:3000/sandbox' },
    });
    server.on('GET /api/v1/auth/stripe-price-info', { success: true, price: { unit_amount: 5_000 } });
    server.on('GET /api/v1/auth/customer-info', { success: true, customer: null });
    server.on('POST /api/v1/auth/customer-session', { success: true, clientSecret: null });
    server.on('POST /api/v1/auth/validate-discount', { success: true, valid: true, id: 'promo_1', percentOff: 10 });
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('button', { name: /^Buy reports/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Buy reports' });
    expect(await within(dialog).findByRole('button', { name: 'Pay $50.00' })).toBeVisible();
    await enter(user, within(dialog).getByLabelText(/Discount code/), 'TENTH');
    await user.click(within(dialog).getByRole('button', { name: 'Apply' }));
    expect(await within(dialog).findByText('TENTH: 10% off')).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Pay $45.00' })).toBeVisible();
  });
});
