import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiKeyView } from '../../../src/http/contract/apiKeys.ts';
import type { WebhookDeliveryView, WebhookView } from '../../../src/http/contract/webhooks.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { statusResponse } from '../given/views.ts';

const KEY: ApiKeyView = {
  id: 'k1',
  name: 'Nightly build',
  scope: 'read',
  hint: 'wxyz',
  created_at: '2026-03-01T00:00:00.000Z',
  expires_at: null,
  last_used_at: null,
};
const HOOK: WebhookView = {
  id: 'w1',
  url: 'https://hooks.example.com/seo',
  events: ['job.completed'],
  active: true,
  disabled_reason: null,
  disabled_at: null,
  created_at: '2026-03-01T00:00:00.000Z',
  last_success_at: null,
  failing_since: null,
};
const DELIVERY: WebhookDeliveryView = {
  id: 'd1',
  event: 'job.completed',
  status: 'failed',
  queued_at: '2026-03-01T00:00:00.000Z',
  next_try_at: null,
  tries: [
    { at: '2026-03-01T00:00:00.000Z', ok: false, status: null, ms: 10, error: 'The connection was refused.' },
    { at: '2026-03-01T00:01:00.000Z', ok: false, status: 503, ms: 87, error: 'The receiver answered 503.' },
  ],
};
const keys = (...data: ApiKeyView[]) => ({ success: true, data, limit: 20 });
const hooks = (...data: WebhookView[]) => ({ success: true, data, limit: 10 });
let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/api-keys', keys());
  server.on('GET /api/v1/webhooks', hooks());
});

describe('API keys', () => {
  it('are created with a name, and shown once', async () => {
    server.on('POST /api/v1/api-keys', { status: 201, body: { success: true, key: 'seo_live_secretwxyz', data: KEY } });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Create API key' }));
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    expect(screen.getByText('Please give the key a name')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveFocus();
    await user.keyboard('Nightly build');
    server.on('GET /api/v1/api-keys', keys(KEY));
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    expect(await screen.findByText('seo_live_secretwxyz')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Copy key' })).toHaveFocus());
    expect(server.asked('POST /api/v1/api-keys')[0]?.body).toEqual({
      name: 'Nightly build',
      scope: 'read',
      expires_in_days: 90,
    });
    await user.click(screen.getByRole('button', { name: 'Copy key' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('seo_live_secretwxyz');
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('seo_live_…wxyz')).toBeVisible();
    expect(screen.queryByText('seo_live_secretwxyz')).toBeNull();
    // The button that opened it is gone.
    await waitFor(() => expect(screen.getByText('Nightly build').closest('li')?.matches(':focus-within')).toBe(true));
  });

  it('are not lost by Escape before they were copied', async () => {
    server.on('POST /api/v1/api-keys', { status: 201, body: { success: true, key: 'seo_live_secretwxyz', data: KEY } });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Create API key' }));
    await user.type(screen.getByLabelText('Name'), 'Nightly build');
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Copy key' })).toHaveFocus());
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('alert')).toHaveTextContent('You haven’t copied the key. Close anyway?');
    expect(screen.getByText('seo_live_secretwxyz')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Keep it open' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Done' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Copy key' }));
    expect(await screen.findByText('Copied')).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByText('seo_live_secretwxyz')).toBeNull());
  });

  it('show what assistants did with them, if anything', async () => {
    const calls = [
      { tool: 'get_audit', calls: 12, last_at: '2026-03-02T10:00:00.000Z' },
      { tool: 'verify_fix', calls: 1, last_at: '2026-03-01T10:00:00.000Z' },
    ];
    server.on(
      'GET /api/v1/api-keys',
      keys({ ...KEY, assistant_calls: calls }, { ...KEY, id: 'k2', name: 'Unused', assistant_calls: [] }),
    );
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByText('What assistants did: 13 calls'));
    const rows = within(screen.getByRole('list', { name: 'Calls by tool' })).getAllByRole('listitem');
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^get_audit12 calls, last /),
      expect.stringMatching(/^verify_fix1 call, last /),
    ]);
    expect(screen.getAllByText(/What assistants did/)).toHaveLength(1);
  });

  it('are listed with their scope and last use, and revoked after a confirmation', async () => {
    server.on(
      'GET /api/v1/api-keys',
      keys({
        ...KEY,
        scope: 'write',
        last_used_at: '2026-03-02T10:00:00.000Z',
        expires_at: '2020-01-01T00:00:00.000Z',
      }),
    );
    server.on('DELETE /api/v1/api-keys/k1', { success: true, message: 'API key revoked' });
    const { user } = renderApp('/account/api');
    expect(await screen.findByText('Read and write')).toBeVisible();
    expect(screen.getByText('Expired')).toBeVisible();
    expect(screen.getByText(/last used/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Revoke Nightly build' }));
    server.on('GET /api/v1/api-keys', keys());
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Revoke key' }));
    expect(await screen.findByText('No API keys yet.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'API keys' })).toHaveFocus());
  });

  it('leave the focus to the next one when revoked, and say so', async () => {
    server.on('GET /api/v1/api-keys', keys(KEY, { ...KEY, id: 'k2', name: 'Reports' }));
    server.on('DELETE /api/v1/api-keys/k1', { success: true, message: 'API key revoked' });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Revoke Nightly build' }));
    server.on('GET /api/v1/api-keys', keys({ ...KEY, id: 'k2', name: 'Reports' }));
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Revoke key' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Revoke Reports' })).toHaveFocus());
    expect(screen.getByText('Key “Nightly build” revoked.')).toHaveAttribute('role', 'status');
  });

  it('that cannot be loaded or created say so', async () => {
    server.on('GET /api/v1/api-keys', refusal(500, 'Broken'));
    const { user } = renderApp('/account/api');
    expect(await screen.findByText('Failed to load API keys')).toBeVisible();
    server.on('GET /api/v1/api-keys', keys());
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await user.click(await screen.findByRole('button', { name: 'Create API key' }));
    server.on(
      'POST /api/v1/api-keys',
      refusal(409, 'An account has at most 20 API keys. Revoke one first.', 'TOO_MANY_API_KEYS'),
    );
    await user.type(screen.getByLabelText('Name'), 'x');
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    expect(await screen.findByText('An account has at most 20 API keys. Revoke one first.')).toBeVisible();
    server.on('POST /api/v1/api-keys', refusal(403, 'Feature access denied', 'FEATURE_ACCESS_DENIED'));
    await user.click(screen.getByRole('button', { name: 'Create key' }));
    expect(await screen.findByText(/^New keys and webhooks are part of the Power plan\./)).toBeVisible();
    expect(within(screen.getByRole('dialog')).getByRole('link', { name: 'See plans' })).toHaveAttribute(
      'href',
      '/account/upgrade',
    );
  });

  it('say beforehand which plan has them, where plans are sold', async () => {
    server.on('GET /api/v1/status', statusResponse({ payments: 'sandbox' }));
    renderApp('/account/api');
    expect(await screen.findByText(/^New keys and webhooks are part of the Power plan\./)).toBeVisible();
    expect(screen.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/account/upgrade');
  });
});

describe('webhooks', () => {
  it('are added with their events, and their secret is shown once', async () => {
    server.on('POST /api/v1/webhooks', refusal(400, 'A webhook needs an https address.', 'INVALID_INPUT'));
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Add webhook' }));
    await enter(user, screen.getByLabelText('URL'), 'http://hooks.example.com/seo');
    await user.click(screen.getByRole('checkbox', { name: /Task completed/ }));
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    expect(await screen.findByText('A webhook needs an https address.')).toBeVisible();
    expect(screen.getByLabelText('URL')).toHaveFocus();
    server.on('POST /api/v1/webhooks', refusal(403, 'Feature access denied', 'FEATURE_ACCESS_DENIED'));
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    expect(await screen.findByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/account/upgrade');
    server.on('POST /api/v1/webhooks', { status: 201, body: { success: true, secret: 'whsec_abc', data: HOOK } });
    server.on('GET /api/v1/webhooks', hooks(HOOK));
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    expect(await screen.findByText('whsec_abc')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Copy signing secret' })).toHaveFocus());
    expect(server.asked('POST /api/v1/webhooks').at(-1)?.body).toEqual({
      url: 'http://hooks.example.com/seo',
      events: ['job.completed'],
    });
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(await screen.findByText('https://hooks.example.com/seo')).toBeVisible();
    expect(screen.queryByText('whsec_abc')).toBeNull();
  });

  it('disabled after failures say so, and can be enabled again', async () => {
    server.on(
      'GET /api/v1/webhooks',
      hooks({ ...HOOK, active: false, disabled_reason: 'failing', disabled_at: '2026-03-02T00:00:00.000Z' }),
    );
    server.on('PUT /api/v1/webhooks/w1', { success: true, data: HOOK });
    const { user } = renderApp('/account/api');
    expect(await screen.findByText('Turned off after a day of failures')).toBeVisible();
    server.on('GET /api/v1/webhooks', hooks(HOOK));
    await user.click(screen.getByRole('button', { name: 'Turn on hooks.example.com' }));
    await waitFor(() => expect(screen.queryByText('Turned off after a day of failures')).toBeNull());
  });

  it('have a log with status, code and time, a test and a resend', async () => {
    server.on('GET /api/v1/webhooks', hooks(HOOK));
    server.on('GET /api/v1/webhooks/w1/deliveries', { success: true, data: [DELIVERY], cursor: null });
    server.on('POST /api/v1/webhooks/w1/test', { status: 202, body: { success: true, delivery_id: 'd2' } });
    server.on('POST /api/v1/webhooks/w1/deliveries/d1/redeliver', {
      status: 202,
      body: { success: true, delivery_id: 'd1' },
    });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Deliveries to hooks.example.com' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('Failed')).toBeVisible();
    expect(dialog.getByText('status 503', { selector: 'div > span' })).toBeVisible();
    expect(dialog.getByText('87 ms', { selector: 'div > span' })).toBeVisible();
    await user.click(dialog.getByText('2 attempts'));
    const tries = dialog.getAllByRole('listitem').filter((item) => item.closest('ol'));
    expect(tries.map((item) => item.textContent)).toEqual([
      expect.stringContaining('no response10 msThe connection was refused.'),
      expect.stringContaining('status 50387 ms'),
    ]);
    await user.click(dialog.getByRole('button', { name: 'Redeliver job.completed' }));
    await user.click(dialog.getByRole('button', { name: 'Send a test' }));
    server.on('GET /api/v1/webhooks', hooks({ ...HOOK, failing_since: '2026-03-01T00:00:00.000Z' }));
    await waitFor(() => expect(server.asked('POST /api/v1/webhooks/w1/test')).toHaveLength(1));
    expect(server.asked('POST /api/v1/webhooks/w1/deliveries/d1/redeliver')).toHaveLength(1);
    await user.keyboard('{Escape}');
    expect(await screen.findByText('Failing')).toBeVisible();
  });

  it('are asked about again only while a delivery is waiting', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.on('GET /api/v1/webhooks', hooks(HOOK));
    server.on('GET /api/v1/webhooks/w1/deliveries', {
      success: true,
      data: [{ ...DELIVERY, status: 'waiting' }],
      cursor: null,
    });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Deliveries to hooks.example.com' }));
    const asked = () => server.asked('GET /api/v1/webhooks/w1/deliveries').length;
    await screen.findByText('Waiting');
    server.on('GET /api/v1/webhooks/w1/deliveries', {
      success: true,
      data: [{ ...DELIVERY, status: 'delivered' }],
      cursor: null,
    });
    await act(() => vi.advanceTimersByTimeAsync(2_500));
    await screen.findByText('Delivered');
    const before = asked();
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(asked()).toBe(before);
  });

  it('get a new secret, shown once; a failure is explained', async () => {
    server.on('GET /api/v1/webhooks', hooks(HOOK));
    server.on('POST /api/v1/webhooks/w1/secret', refusal(500, ''));
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'New secret for hooks.example.com' }));
    await user.click(screen.getByRole('button', { name: 'Create new secret' }));
    expect(await screen.findByText('Failed to create a new secret')).toBeVisible();
    server.on('POST /api/v1/webhooks/w1/secret', { success: true, secret: 'whsec_new', former_until: null });
    await user.selectOptions(screen.getByLabelText('Current secret'), 'Stops working at once');
    await user.click(screen.getByRole('button', { name: 'Create new secret' }));
    expect(await screen.findByText('whsec_new')).toBeVisible();
    expect(screen.getByText('The previous secret no longer signs messages.')).toBeVisible();
    expect(server.asked('POST /api/v1/webhooks/w1/secret').map(({ body }) => body)).toEqual([
      { former: 'a_day' },
      { former: 'stop' },
    ]);
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByText('whsec_new')).toBeNull();
  });

  it('are removed after a confirmation', async () => {
    server.on('GET /api/v1/webhooks', hooks(HOOK));
    server.on('DELETE /api/v1/webhooks/w1', { success: true, message: 'Webhook removed' });
    const { user } = renderApp('/account/api');
    await user.click(await screen.findByRole('button', { name: 'Remove hooks.example.com' }));
    server.on('GET /api/v1/webhooks', hooks());
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove webhook' }));
    expect(await screen.findByText('No webhooks yet.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Webhooks' })).toHaveFocus());
    expect(screen.getByText('Webhook to hooks.example.com removed.')).toHaveAttribute('role', 'status');
  });
});
