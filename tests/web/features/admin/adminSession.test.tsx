/** The time limit of admin access, as an admin meets it. */
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { BUILT_IN_PROMPTS } from '../../../../src/model/prompts/builtIn.ts';
import { PROMPT_KEYS } from '../../../../src/model/prompts/prompt.ts';
// Loaded ahead, so that no test waits for it.
import '../../../../web/app/AdminArea.tsx';
import '../../../../web/app/pages/admin/AdminPromptsPage.tsx';
import '../../../../web/app/pages/AccountPage.tsx';
import { enter } from '../../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { loginResponse, profileResponse } from '../../given/views.ts';

const EXPIRED = refusal(
  401,
  'Your admin access has timed out. Please log in again to continue.',
  'ADMIN_SESSION_EXPIRED',
);
const IS_ADMIN = { is_admin: true } as const;

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, IS_ADMIN));
  server.on('POST /api/v1/auth/login', loginResponse('session-2.access', undefined, IS_ADMIN));
  const prompts = PROMPT_KEYS.map((key): PromptView => {
    const { name, description, content, variables, category } = BUILT_IN_PROMPTS[key];
    return {
      key,
      name,
      description,
      content,
      is_active: true,
      version: 1,
      variables: [...variables],
      category,
      updated_at: null,
    };
  });
  server.on('GET /api/v1/admin/prompts', { success: true, prompts });
});

const editor = () => screen.findByLabelText('Prompt', { selector: 'textarea' });
const again = () => screen.findByRole('button', { name: 'Log in again' });

describe('admin access that has timed out', () => {
  it('is asked for again, after which the page is back with what was typed', async () => {
    let ring = (): void => undefined;
    // The answer to what the admin did last comes when the test says so.
    server.on(
      'POST /api/v1/admin/session',
      () =>
        new Promise((resolve) => {
          ring = () => resolve(EXPIRED);
        }),
    );
    const { user, address } = renderApp('/admin/prompts');
    await user.clear(await editor());
    await user.type(await editor(), 'Half a sentence');
    ring();
    await user.click(await again());
    server.on('POST /api/v1/admin/session', { success: true, data: { seconds_left: 1_800 } });
    expect(address()).toBe('/login');
    expect(server.asked('POST /api/v1/auth/logout').map(({ token }) => token)).toEqual(['session-1.access']);
    await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
    await enter(user, screen.getByLabelText('Password'), 'a good password');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await editor()).toHaveValue('Half a sentence');
    expect(address()).toBe('/admin/prompts');
  });

  it('is noticed at its time without anything being done, and leaves the rest of the app open', async () => {
    server.on('POST /api/v1/admin/session', { success: true, data: { seconds_left: 0 } });
    server.on('GET /api/v1/admin/session', EXPIRED);
    const { user, address } = renderApp('/admin/prompts');
    expect(await again()).toBeVisible();
    expect(screen.queryByLabelText('Prompt', { selector: 'textarea' })).toBeNull();
    // Nothing was renewed, and nobody was logged out.
    expect(localStorage.getItem('auth_token')).toBe('session-1.access');
    await user.click(screen.getByRole('link', { name: 'Account' }));
    await waitFor(() => expect(address()).toBe('/account'));
    expect(await screen.findByRole('heading', { name: 'Two-factor authentication' })).toBeVisible();
  });

  it('stays open while another tab is active', async () => {
    server.on('POST /api/v1/admin/session', { success: true, data: { seconds_left: 0 } });
    renderApp('/admin/prompts');
    await editor();
    await waitFor(() => expect(server.asked('GET /api/v1/admin/session')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Log in again' })).toBeNull();
  });
});

describe('what the admin does', () => {
  it('is reported at most once a minute', async () => {
    const { user } = renderApp('/admin/prompts');
    await user.type(await editor(), 'A few words');
    await user.click(screen.getByRole('link', { name: 'Prompts' }));
    expect(server.asked('POST /api/v1/admin/session')).toHaveLength(1);
  });
});
