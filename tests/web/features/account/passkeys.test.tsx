import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PasskeyView } from '../../../../src/http/contract/passkeys.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { loginResponse, profileResponse, statusResponse } from '../../given/views.ts';

const browser = vi.hoisted(() => ({ startRegistration: vi.fn(), startAuthentication: vi.fn() }));
vi.mock('@simplewebauthn/browser', () => browser);

const PATH = '/api/v1/auth/passkeys';
const OPTIONS = { challenge: 'a challenge' };
const MADE = { id: 'made' };
let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  vi.stubGlobal('PublicKeyCredential', class {});
  server.on('GET /api/v1/status', statusResponse());
  browser.startRegistration.mockReset().mockResolvedValue(MADE);
  browser.startAuthentication.mockReset().mockResolvedValue(MADE);
});
afterEach(() => vi.unstubAllGlobals());

const passkey = (over: Partial<PasskeyView> = {}): PasskeyView => ({
  id: 'p1',
  name: 'Phone',
  added_at: '2026-11-20T10:00:00.000Z',
  last_used_at: null,
  synced: true,
  ...over,
});
const listing = (...data: readonly PasskeyView[]) => ({ success: true, data, limit: 20, available: true });

async function openAccount() {
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse());
  const app = renderApp('/account');
  const section = (await screen.findByRole('heading', { name: 'Passkeys' })).closest('section')!;
  return { ...app, section: within(section) };
}

describe('the passkeys of an account', () => {
  it('are added with a name and the password', async () => {
    server.on(`GET ${PATH}`, listing());
    server.on(`POST ${PATH}/options`, refusal(403, 'That password isn’t right.', 'WRONG_PASSWORD'));
    const { user, section } = await openAccount();
    await user.click(await section.findByRole('button', { name: 'Add a passkey' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText('Name'), 'Phone');
    await user.type(dialog.getByLabelText('Confirm your password'), 'wrong');
    await user.click(dialog.getByRole('button', { name: 'Add passkey' }));
    expect(await dialog.findByText('That password isn’t right.')).toBeVisible();
    expect(browser.startRegistration).not.toHaveBeenCalled();
    server.on(`POST ${PATH}/options`, { success: true, options: OPTIONS });
    server.on(`POST ${PATH}`, { success: true, data: passkey() });
    server.on(`GET ${PATH}`, listing(passkey()));
    await user.click(dialog.getByRole('button', { name: 'Add passkey' }));
    expect(await section.findByText('Phone')).toBeVisible();
    expect(browser.startRegistration).toHaveBeenCalledWith({ optionsJSON: OPTIONS });
    expect(server.asked(`POST ${PATH}`).map(({ body }) => body)).toEqual([{ name: 'Phone', passkey: MADE }]);
  });

  it('are listed, renamed, and removed after a question', async () => {
    server.on(`GET ${PATH}`, listing(passkey(), passkey({ id: 'p2', name: 'Key', synced: false })));
    server.on(`PUT ${PATH}/p2`, { success: true, data: passkey() });
    server.on(`DELETE ${PATH}/p1`, refusal(409, 'This passkey is your only way to log in.', 'LAST_WAY_IN'));
    const { user, section } = await openAccount();
    expect(await section.findAllByText('Synced')).toHaveLength(1);
    await user.click(section.getByRole('button', { name: 'Rename Key' }));
    const renaming = within(await screen.findByRole('dialog'));
    await user.clear(renaming.getByLabelText('Name'));
    await user.type(renaming.getByLabelText('Name'), 'Blue key{Enter}');
    await vi.waitFor(() =>
      expect(server.asked(`PUT ${PATH}/p2`).map(({ body }) => body)).toEqual([{ name: 'Blue key' }]),
    );
    await user.click(await section.findByRole('button', { name: 'Remove Phone' }));
    const removing = within(await screen.findByRole('dialog'));
    await user.type(removing.getByLabelText('Confirm your password'), 'a good password');
    await user.click(removing.getByRole('button', { name: 'Remove passkey' }));
    expect(await screen.findByText('This passkey is your only way to log in.')).toBeVisible();
  });

  it('cannot be added where there are none, and the page says why', async () => {
    vi.unstubAllGlobals();
    server = fakeServer();
    fakeSockets();
    server.on('GET /api/v1/status', statusResponse());
    server.on(`GET ${PATH}`, listing());
    const { section } = await openAccount();
    expect(await section.findByText(/This browser has no passkeys/)).toBeVisible();
    expect(section.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });
});

describe('logging in with a passkey', () => {
  it('says what kept it from working, and logs in', async () => {
    server.on(`POST ${PATH}/log-in/options`, { success: true, options: OPTIONS });
    browser.startAuthentication.mockRejectedValueOnce(Object.assign(new Error('no'), { name: 'NotAllowedError' }));
    const { user } = renderApp('/login');
    const button = await screen.findByRole('button', { name: 'Use a passkey' });
    await user.click(button);
    expect(await screen.findByText('No passkey was used. You can try again.')).toBeVisible();
    server.on(`POST ${PATH}/log-in`, loginResponse());
    await user.click(button);
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked(`POST ${PATH}/log-in`).map(({ body }) => body)).toEqual([{ passkey: MADE }]);
  });

  it('is a second step, too', async () => {
    server.on('POST /api/v1/auth/login', {
      success: true,
      mfa_required: true,
      mfa_token: 'the token',
      expires_in: 300,
    });
    server.on('POST /api/v1/auth/mfa/verify/passkey-options', { success: true, options: OPTIONS });
    server.on('POST /api/v1/auth/mfa/verify', loginResponse());
    const { user } = renderApp('/login');
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'a good password{Enter}');
    await user.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked('POST /api/v1/auth/mfa/verify').map(({ body }) => body)).toEqual([
      { mfa_token: 'the token', passkey: MADE },
    ]);
  });
});
