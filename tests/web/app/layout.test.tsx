import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { fakeServer } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';

beforeEach(() => {
  const server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /share/list/all', { success: true, data: [], cursor: null });
  server.on('GET /api/v1/share/list/all', { success: true, data: [], cursor: null });
});

/** Classes that limit the width of the page. */
async function limitsOf(path: string): Promise<readonly string[]> {
  renderApp(path);
  await screen.findByRole('button', { name: 'Logout' });
  return [...screen.getByRole('main').classList].filter((name) => name.startsWith('max-w'));
}

describe('a page', () => {
  it.each(['/', '/dashboard/actions', '/dashboard/shares'])('at %s is as wide as the window', async (path) => {
    expect(await limitsOf(path)).toEqual([]);
  });

  it.each(['/account', '/account/api'])('at %s is a centered container', async (path) => {
    expect(await limitsOf(path)).toEqual(['max-w-6xl']);
  });
});
