import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { profileResponse } from '../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
});
const profile = (isAdmin: boolean) => server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: isAdmin }));

describe('the admin pages', () => {
  it('are reached by a link that admins alone have', async () => {
    profile(true);
    const { user } = renderApp('/');
    await user.click(await screen.findByRole('link', { name: 'Admin' }));
    expect(await screen.findByRole('heading', { name: 'Admin', level: 1 })).toBeVisible();
  });

  it('send everybody else home', async () => {
    profile(false);
    const { address } = renderApp('/admin');
    await waitFor(() => expect(address()).toBe('/'));
    expect(screen.queryByRole('link', { name: 'Admin' })).toBeNull();
  });
});
