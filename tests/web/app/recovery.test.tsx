import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, statusResponse } from '../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  sessionStorage.clear();
  server = fakeServer();
  fakeSockets();
  server.on('POST /api/v1/auth/verify-recovery-token', VERIFIED);
  server.on('GET /api/v1/auth/session', { success: true, user: null, recovery: false });
});
const down = (): never => {
  throw new NetworkDown();
};
const VERIFIED = { success: true, user: { id: 'user-1', email: 'ada@example.com' } };
const LINK = '/reset-password#access_token=user-1.access&refresh_token=user-1.refresh';
const SENT = 'If an account exists with this email, you will receive password reset instructions.';
const INVALID = 'Invalid or expired reset link. Please request a new password reset.';

describe('a forgotten password', () => {
  async function ask() {
    const app = renderApp('/login');
    await app.user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
    // Until the page has loaded, the field on the screen is that of the log-in page.
    const send = await screen.findByRole('button', { name: 'Send reset email' });
    await app.user.type(screen.getByLabelText('Email'), ' ada@example.com');
    await app.user.click(send);
    return app;
  }

  it('takes over the address typed in the log-in form', async () => {
    const { user } = renderApp('/login');
    await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    expect(await screen.findByRole('button', { name: 'Send reset email' })).toBeVisible();
    expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
  });

  it('is reset by address, and the answer is always the same', async () => {
    server.on('POST /api/v1/auth/reset-password', { success: true, message: SENT });
    const { address } = await ask();
    expect(await screen.findByText(SENT)).toBeVisible();
    expect(address()).toBe('/forgot-password');
    const [call] = server.asked('POST /api/v1/auth/reset-password');
    expect([call?.body, call?.token]).toEqual([{ email: 'ada@example.com' }, null]);
  });

  it.each([
    [
      'the server’s words',
      refusal(429, 'Too many requests. Please try again in 9 seconds.'),
      'Too many requests. Please try again in 9 seconds.',
    ],
    ['words of its own when there are none', { status: 500, body: {} }, 'Failed to send reset email'],
    ['a lost network', down, 'Network error. Please try again.'],
  ])('explains a failure: %s', async (_, reply, text) => {
    server.on('POST /api/v1/auth/reset-password', reply);
    await ask();
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.queryByText(SENT)).toBeNull();
  });

  it('reports an invalid address at the field and focuses it', async () => {
    const text = 'Please enter a valid email address';
    server.on(
      'POST /api/v1/auth/reset-password',
      refusal(400, text, 'INVALID_INPUT', { issues: [{ path: 'email', message: text }] }),
    );
    await ask();
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(screen.getByLabelText('Email')).toBeInvalid();
    expect(screen.getByLabelText('Email')).toHaveFocus();
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(text);
  });

  it('refers to support where no email is sent', async () => {
    server.on('GET /api/v1/status', statusResponse({ mail: 'none' }));
    renderApp('/forgot-password');
    expect(await screen.findByRole('link', { name: 'support@example.com' })).toHaveAttribute(
      'href',
      'mailto:support@example.com',
    );
    expect(screen.queryByRole('button', { name: 'Send reset email' })).toBeNull();
  });

  it('says where the email is when the server stores it instead of sending it', async () => {
    server.on('GET /api/v1/status', statusResponse({ mail: 'kept' }));
    renderApp('/forgot-password');
    expect(await screen.findByText(/saved in its outbox folder/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Send reset email' })).toBeVisible();
  });
});

describe('the emailed link', () => {
  it('is verified first, and its tokens are removed from the address', async () => {
    let answer: (value: unknown) => void = () => undefined;
    server.on('POST /api/v1/auth/verify-recovery-token', () => new Promise((resolve) => (answer = resolve)));
    const { address } = renderApp(LINK);
    expect(await screen.findByText('Verifying reset link...')).toBeVisible();
    await waitFor(() => expect(server.asked('POST /api/v1/auth/verify-recovery-token')).toHaveLength(1));
    const [call] = server.asked('POST /api/v1/auth/verify-recovery-token');
    expect([call?.body, call?.token]).toEqual([
      { access_token: 'user-1.access', refresh_token: 'user-1.refresh' },
      null,
    ]);
    answer(VERIFIED);
    await screen.findByLabelText('New password');
    expect(screen.getByText('ada@example.com')).toBeVisible();
    expect(address()).toBe('/reset-password');
    expect({ ...sessionStorage }).toMatchObject({
      recovery_token: 'user-1.access',
      recovery_refresh_token: 'user-1.refresh',
    });
    expect({ ...localStorage }).toEqual({});
  });

  it.each([
    ['refused', LINK],
    ['without tokens', '/reset-password'],
  ])('that is %s offers a new request', async (_, path) => {
    server.on('POST /api/v1/auth/verify-recovery-token', refusal(401, INVALID, 'RESET_INVALID'));
    const { user, address } = renderApp(path);
    expect(await screen.findByRole('alert')).toHaveTextContent(INVALID);
    expect({ ...sessionStorage }).toEqual({});
    // A link opened twice has usually set the password already.
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
    await user.click(screen.getByRole('link', { name: 'Request a new password reset' }));
    await screen.findByRole('button', { name: 'Send reset email' });
    expect(address()).toBe('/forgot-password');
  });

  it('that cannot be verified now offers a retry', async () => {
    server.on('POST /api/v1/auth/verify-recovery-token', down);
    const { user } = renderApp(LINK);
    expect(await screen.findByRole('alert')).toHaveTextContent('Unable to verify reset link. Please try again.');
    server.on('POST /api/v1/auth/verify-recovery-token', VERIFIED);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByLabelText('New password');
  });

  it('still opens after a reload, from the tab’s storage or the cookie', async () => {
    sessionStorage.setItem('recovery_token', 'user-1.access');
    sessionStorage.setItem('recovery_refresh_token', 'user-1.refresh');
    const first = renderApp('/reset-password');
    await screen.findByLabelText('New password');
    first.unmount();
    sessionStorage.clear();
    server.on('GET /api/v1/auth/session', {
      success: true,
      user: { id: 'user-1', email: 'ada@example.com' },
      recovery: true,
    });
    renderApp('/reset-password');
    await screen.findByLabelText('New password');
  });
});

describe('the new password', () => {
  async function choose(password: string, confirmation: string, path = LINK) {
    const app = renderApp(path);
    await enter(app.user, await screen.findByLabelText('New password'), password);
    await enter(app.user, screen.getByLabelText('Confirm password'), confirmation);
    await app.user.click(screen.getByRole('button', { name: 'Reset password' }));
    return app;
  }

  it('has two rules', async () => {
    const { user } = await choose('12345', '123456');
    expect(screen.getByText('Password must be at least 6 characters long')).toBeVisible();
    expect(screen.getByText('Passwords do not match')).toBeVisible();
    await user.type(screen.getByLabelText('New password'), '6');
    expect(screen.queryByText('Passwords do not match')).toBeNull();
    expect(server.asked('POST /api/v1/auth/update-password')).toHaveLength(0);
  });

  it('is set with the link’s token, and goes where the server says, with a message', async () => {
    server.on('POST /api/v1/auth/update-password', {
      success: true,
      message: 'Your password was changed.',
      data: { redirect: '/login' },
    });
    signedInBefore();
    const { address } = await choose('a new secret', 'a new secret');
    await screen.findByRole('heading', { name: 'Log in' });
    expect(address()).toBe('/login');
    expect(screen.getByText('Your password was changed.')).toBeVisible();
    const [call] = server.asked('POST /api/v1/auth/update-password');
    expect([call?.body, call?.token]).toEqual([{ password: 'a new secret' }, 'user-1.access']);
    expect([{ ...sessionStorage }, { ...localStorage }]).toEqual([{}, {}]);
  });

  it('follows no redirect out of the app', async () => {
    server.on('POST /api/v1/auth/update-password', {
      success: true,
      message: 'Done',
      data: { redirect: '//evil.example/login' },
    });
    const { address } = await choose('a new secret', 'a new secret');
    await screen.findByRole('heading', { name: 'Log in' });
    expect(address()).toBe('/login');
  });

  it.each([
    [
      'the server’s words',
      refusal(503, 'Too many people are logging in at this moment.'),
      'Too many people are logging in at this moment.',
    ],
    ['words of its own when there are none', { status: 500, body: {} }, 'Failed to reset password'],
    ['a lost network', down, 'Network error. Please try again.'],
    ['a link used meanwhile', refusal(401, INVALID, 'RESET_INVALID'), INVALID],
  ])('explains a failure: %s', async (_, reply, text) => {
    server.on('POST /api/v1/auth/update-password', reply);
    await choose('a new secret', 'a new secret');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
  });
});

describe('a visitor from a shared preview', () => {
  const SHARED = '/shared/abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
  const QUERY = `?source=preview&utm_campaign=shared_preview&utm_content=${SHARED.slice(8)}`;

  it('returns to it by signing up, and the sign-up records where they came from', async () => {
    server.on('POST /api/v1/auth/signup-first', {
      ...loginResponse(),
      stripe_customer_id: null,
      next_step: 'submit_first_site',
    });
    server.on(`GET /api/v1/share/${SHARED.slice(8)}`, refusal(404, 'x'));
    const { user, address } = renderApp(`/signup${QUERY}`);
    await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
    await enter(user, screen.getByLabelText('Password'), 'a good password');
    await enter(user, screen.getByLabelText('Confirm password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Sign up' }));
    await waitFor(() => expect(server.asked('POST /api/v1/auth/signup-first')).toHaveLength(1));
    expect(server.asked('POST /api/v1/auth/signup-first')[0]?.body).toMatchObject({
      source: 'preview',
      utm_campaign: 'shared_preview',
      utm_content: SHARED.slice(8),
    });
    await waitFor(() => expect(address().startsWith('/signup')).toBe(false));
  });

  it('keeps the destination when logging in instead', async () => {
    const { user, address } = renderApp(`/signup${QUERY}`);
    await user.click(await within(await screen.findByRole('main')).findByRole('link', { name: 'Log in' }));
    await screen.findByRole('heading', { name: 'Log in' });
    expect(address()).toBe(`/login${QUERY}`);
  });
});

describe('unsubscribing by the link in an email', () => {
  it('takes a button, and no log-in', async () => {
    server.on('POST /api/v1/mail/unsubscribe', { success: true, message: 'You’ll get no more tips and news.' });
    const { user } = renderApp('/unsubscribe?token=mail-1.secret');
    const button = await screen.findByRole('button', { name: 'Unsubscribe' });
    expect(server.asked('POST /api/v1/mail/unsubscribe')).toHaveLength(0);
    await user.click(button);
    // The server knows the kind of email: there are several.
    expect(await screen.findByText('You’ll get no more tips and news.')).toBeVisible();
    expect(screen.queryByText(/finished/)).toBeNull();
    expect(server.asked('POST /api/v1/mail/unsubscribe')[0]?.body).toEqual({ token: 'mail-1.secret' });
  });

  it('reports an invalid link', async () => {
    server.on('POST /api/v1/mail/unsubscribe', refusal(404, 'This link is not complete.', 'UNSUBSCRIBE_INVALID'));
    const { user } = renderApp('/unsubscribe');
    await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is not complete.');
  });
});
