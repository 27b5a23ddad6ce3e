import { screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp } from '../given/renderApp.tsx';
import { action } from '../given/views.ts';

let server: FakeServer;
const SAMPLE = {
  success: true,
  data: {
    site: 'http://demo-shop.example/',
    generated_at: '2026-03-10T12:00:00.000Z',
    score: 61,
    pages: 14,
    findings: 102,
    analyst: 'Built-in analyst',
    summary: '# Summary\n\nAll in all.',
    report: '# Report\n\nThe whole report.',
    actions: [action({ id: 'a', title: 'Give every page a title' })],
  },
};
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  server.on('GET /api/v1/sample', SAMPLE);
});

describe('the sample report', () => {
  it('is open to visitors, explains itself, and shows score, items and report', async () => {
    const { user } = renderApp('/sample');
    expect(await screen.findByText(/real audit of our demo shop/)).toBeVisible();
    expect(screen.getByRole('img', { name: 'Score 61 of 100' })).toBeVisible();
    expect(screen.getAllByText('demo-shop.example')).toHaveLength(2);
    expect((await screen.findAllByText('Give every page a title'))[0]).toBeVisible();
    expect(screen.getByRole('link', { name: 'Audit your own site' })).toHaveAttribute('href', '/signup');
    expect(screen.queryByRole('button', { name: 'Start Task' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Report' }));
    expect(await screen.findByText('The whole report.')).toBeVisible();
  });

  it('is linked from log-in and sign-up', async () => {
    for (const path of ['/login', '/signup']) {
      const { unmount } = renderApp(path);
      expect(await screen.findByRole('link', { name: 'See a sample report' })).toHaveAttribute('href', '/sample');
      unmount();
    }
  });

  it('that cannot be loaded says so, and offers a retry', async () => {
    server.on('GET /api/v1/sample', refusal(404, 'This installation has no sample report.', 'NOT_FOUND'));
    const { user } = renderApp('/sample');
    expect(await screen.findByText('Couldn’t load the sample report')).toBeVisible();
    server.on('GET /api/v1/sample', SAMPLE);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText(/real audit of our demo shop/)).toBeVisible();
  });
});
