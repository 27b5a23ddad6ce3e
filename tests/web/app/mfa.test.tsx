/** Two-factor authentication in the browser: at log-in, in the account, and before the admin pages. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, mfaResponse, profileResponse } from '../given/views.ts';

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CODES = Array.from({ length: 10 }, (_, nth) => `code-${nth}`);

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  server.on('POST /api/v1/auth/mfa/enrol', {
    success: true,
    data: { secret: SECRET, uri: `otpauth://totp/SEO%20Workbench:ada%40example.com?secret=${SECRET}` },
  });
  server.on('POST /api/v1/auth/mfa/confirm', ({ body }: { body: { code: string } }) =>
    body.code === '123456'
      ? { success: true, data: { recovery_codes: CODES } }
      : refusal(403, 'That code isn’t right.', 'MFA_CODE_INVALID'),
  );
});

type User = ReturnType<typeof renderApp>['user'];

async function setUp(user: User): Promise<void> {
  await enter(user, await screen.findByLabelText('Confirm your password'), 'a good password');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await user.type(await screen.findByLabelText('Code'), '000000');
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(await screen.findByText('That code isn’t right.')).toBeVisible();
  await user.clear(screen.getByLabelText('Code'));
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(screen.getByRole('button', { name: 'Turn on' }));
}

describe('the log-in', () => {
  beforeEach(() =>
    server.on('POST /api/v1/auth/login', {
      success: true,
      mfa_required: true,
      mfa_token: 'challenge',
      expires_in: 300,
    }),
  );

  async function password(user: User): Promise<void> {
    await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
    await enter(user, screen.getByLabelText('Password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  }

  it('asks for the code after the password, reports a wrong one, and continues', async () => {
    server.on('POST /api/v1/auth/mfa/verify', refusal(403, 'That code isn’t right.', 'MFA_CODE_INVALID'));
    const { user, address } = renderApp('/login');
    await password(user);
    expect(screen.getByLabelText('Code')).toHaveFocus();
    expect(localStorage.getItem('auth_token')).toBeNull();
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText('That code isn’t right.')).toBeVisible();
    server.on('POST /api/v1/auth/mfa/verify', loginResponse());
    // Selected, ready to be typed over.
    await user.keyboard('123456{Enter}');
    await waitFor(() => expect(address()).toBe('/'));
    expect(server.asked('POST /api/v1/auth/mfa/verify').map(({ body }) => body)).toEqual([
      { mfa_token: 'challenge', code: '000000' },
      { mfa_token: 'challenge', code: '123456' },
    ]);
  });

  it('takes a recovery code instead', async () => {
    server.on('POST /api/v1/auth/mfa/verify', loginResponse());
    const { user, address } = renderApp('/login');
    await password(user);
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    expect(screen.getByLabelText('Recovery code')).toHaveFocus();
    await user.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-ijkl-mnop{Enter}');
    await waitFor(() => expect(address()).toBe('/'));
    expect(server.asked('POST /api/v1/auth/mfa/verify')[0]?.body).toEqual({
      mfa_token: 'challenge',
      recovery_code: 'abcd-efgh-ijkl-mnop',
    });
  });

  it('returns to the password when it took too long', async () => {
    server.on(
      'POST /api/v1/auth/mfa/verify',
      refusal(401, 'That took too long. Please log in again.', 'MFA_CHALLENGE_ENDED'),
    );
    const { user } = renderApp('/login');
    await password(user);
    await user.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('That took too long. Please log in again.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Log in' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Back to log in' }));
    expect(screen.getByLabelText('Password')).toBeVisible();
  });
});

describe('the account', () => {
  beforeEach(() => signedInBefore());
  const section = async () =>
    within((await screen.findByRole('heading', { name: 'Two-factor authentication' })).closest('section')!);

  it('turns it on by password, app and code, and shows the recovery codes once', async () => {
    const { user } = renderApp('/account');
    await user.click(await (await section()).findByRole('button', { name: 'Turn on' }));
    expect(screen.getByLabelText('Confirm your password')).toHaveFocus();
    server.on(
      'GET /api/v1/auth/mfa',
      mfaResponse({ enabled: true, enabled_at: '2026-11-20T09:00:00.000Z', recovery_codes_left: 10 }),
    );
    await setUp(user);
    const shown = within(await screen.findByRole('list', { name: 'Recovery codes' })).getAllByRole('listitem');
    expect(shown.map((item) => item.textContent)).toEqual(CODES);
    // Nothing else can be clicked, and neither Escape nor leaving the page loses them silently.
    expect(screen.queryByRole('link', { name: 'Return to Dashboard' })).toBeNull();
    expect(leaving()).toBe(true);
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('alert')).toHaveTextContent('You haven’t saved the codes. Close anyway?');
    await user.click(screen.getByRole('button', { name: 'Keep it open' }));
    await user.click(screen.getByRole('button', { name: 'I’ve saved them' }));
    expect(leaving()).toBe(false);
    expect(await (await section()).findByText('since November 20, 2026')).toBeVisible();
    expect((await section()).getByRole('button', { name: 'Turn off' })).toHaveFocus();
    expect((await section()).getByText(/10 recovery codes left/)).toBeVisible();
    expect(screen.queryByText(CODES[0]!)).toBeNull();
  });

  /** Whether the browser would ask before leaving. */
  const leaving = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

  it('shows the key beside the QR code for manual entry', async () => {
    const { user } = renderApp('/account');
    await user.click(await (await section()).findByRole('button', { name: 'Turn on' }));
    await enter(user, await screen.findByLabelText('Confirm your password'), 'a good password');
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
    expect(screen.getByLabelText('Code')).toHaveFocus();
    expect(screen.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeVisible();
  });

  it('turns it off by the password, and reports a wrong one', async () => {
    server.on('GET /api/v1/auth/mfa', mfaResponse({ enabled: true, recovery_codes_left: 1 }));
    server.on('POST /api/v1/auth/mfa/remove', ({ body }: { body: { password: string } }) => {
      if (body.password === 'wrong') return refusal(403, 'That is not your current password.', 'WRONG_PASSWORD');
      server.on('GET /api/v1/auth/mfa', mfaResponse());
      return { success: true, message: 'Two-factor authentication is off.' };
    });
    const { user } = renderApp('/account');
    expect(await (await section()).findByText(/1 recovery code left/)).toBeVisible();
    await user.click((await section()).getByRole('button', { name: 'Turn off' }));
    await user.type(await screen.findByLabelText('Confirm your password'), 'wrong{Enter}');
    expect(await screen.findByText('That is not your current password.')).toBeVisible();
    await user.clear(screen.getByLabelText('Confirm your password'));
    await enter(user, screen.getByLabelText('Confirm your password'), 'a good password');
    await user.keyboard('{Enter}');
    expect(await (await section()).findByRole('button', { name: 'Turn on' })).toBeVisible();
  });

  it('says where it is unavailable', async () => {
    server.on('GET /api/v1/auth/mfa', mfaResponse({ available: false }));
    renderApp('/account');
    expect(await (await section()).findByText(/Not available here/)).toBeVisible();
    expect((await section()).queryByRole('button')).toBeNull();
  });
});

describe('the log-in of an admin without it, where it is required', () => {
  const missing = { is_admin: true, mfa: 'required' } as const;
  beforeEach(() => {
    server.on('POST /api/v1/auth/login', loginResponse(undefined, undefined, missing));
    server.on('GET /api/v1/auth/profile', profileResponse({}, missing));
  });

  async function logIn(user: User): Promise<void> {
    await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
    await enter(user, screen.getByLabelText('Password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText(/Admins need two-factor authentication on this installation/)).toBeVisible();
  }

  it('leads to the setup, and then to the page that was asked for', async () => {
    const { user, address } = renderApp('/account');
    await logIn(user);
    await setUp(user);
    server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true, mfa: 'on' }));
    await user.click(await screen.findByRole('button', { name: 'I’ve saved them' }));
    await waitFor(() => expect(address()).toBe('/account'));
  });

  it('can be followed by the rest of the app without it; the admin pages ask again', async () => {
    const { user, address } = renderApp('/account');
    await logIn(user);
    await user.click(screen.getByRole('link', { name: 'Set up later' }));
    await waitFor(() => expect(address()).toBe('/account'));
    await user.click(await screen.findByRole('link', { name: 'Admin' }));
    expect(await screen.findByText(/Admins need two-factor authentication on this installation/)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Set up later' }));
    await waitFor(() => expect(address()).toBe('/'));
  });
});

describe('the admin pages where it is required', () => {
  it('open after turning it on', async () => {
    signedInBefore();
    server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true, mfa: 'required' }));
    const { user } = renderApp('/admin');
    expect(await screen.findByText(/Admins need two-factor authentication on this installation/)).toBeVisible();
    expect(screen.queryByRole('navigation', { name: 'Admin' })).toBeNull();
    await setUp(user);
    server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true, mfa: 'on' }));
    await user.click(await screen.findByRole('button', { name: 'I’ve saved them' }));
    expect(await screen.findByRole('navigation', { name: 'Admin' })).toBeVisible();
  });
});
