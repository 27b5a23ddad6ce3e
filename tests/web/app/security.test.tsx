import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { exactTime } from '../../../web/ui/text/time.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { session, sessionsResponse } from '../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
});

const phone = session({ id: 'session-2', agent: 'Chrome on Android', network: '198.51.100.x', current: false });

describe('the sessions', () => {
  it('are listed, with the current one, and end one by one', async () => {
    server.on('GET /api/v1/auth/sessions', sessionsResponse(session(), phone));
    server.on('DELETE /api/v1/auth/sessions/session-2', () => {
      server.on('GET /api/v1/auth/sessions', sessionsResponse(session()));
      return { success: true, message: 'Session ended' };
    });
    const { user } = renderApp('/account');
    const [own, other] = await screen
      .findAllByText(/ on (Linux|Android)/)
      .then((names) => names.map((name) => name.closest('li')!));
    expect(own).toHaveTextContent('This device');
    expect(within(own!).queryByRole('button')).toBeNull();
    expect(other).toHaveTextContent('198.51.100.x');
    await user.click(within(other!).getByRole('button', { name: /Log out:/ }));
    await waitFor(() => expect(screen.queryByText('Chrome on Android')).toBeNull());
    expect(own).toHaveFocus();
    expect(screen.getByText('Logged out: Chrome on Android.')).toHaveAttribute('role', 'status');
    expect(screen.getByText('Firefox on Linux')).toBeVisible();
  });

  it('of one browser differ by their start and last use', async () => {
    const now = Date.now();
    const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
    const [early, late] = [
      session({ id: 'session-2', current: false, created_at: '2026-03-08T07:30:00.000Z', last_used_at: ago(5.5) }),
      session({ id: 'session-3', current: false, created_at: '2026-03-09T19:45:00.000Z', last_used_at: ago(0.5) }),
    ];
    server.on('GET /api/v1/auth/sessions', sessionsResponse(session(), late, early));
    server.on('DELETE /api/v1/auth/sessions/session-2', { success: true, message: 'Session ended' });
    const { user } = renderApp('/account');
    const rows = (await screen.findAllByText('Firefox on Linux')).map((name) => name.closest('li')!);
    expect(rows[0]).toHaveTextContent('in use now');
    expect(rows[1]).toHaveTextContent('used within the last hour');
    expect(rows[2]).toHaveTextContent('last used 5 hours ago');
    await user.click(
      screen.getByRole('button', { name: `Log out: Firefox on Linux, logged in ${exactTime(early!.created_at)}` }),
    );
    await waitFor(() => expect(server.asked('DELETE /api/v1/auth/sessions/session-2')).toHaveLength(1));
  });

  it('that are many begin with the current one, and are all shown on request', async () => {
    const others = Array.from({ length: 8 }, (_, nth) =>
      session({ id: `other-${nth}`, agent: `Program ${nth}`, current: false }),
    );
    server.on('GET /api/v1/auth/sessions', sessionsResponse(...others, session()));
    const { user } = renderApp('/account');
    expect((await screen.findByText('Firefox on Linux')).closest('li')).toBe(
      screen.getByText('Program 0').closest('ul')?.firstElementChild,
    );
    expect(screen.queryByText('Program 7')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Show all 9' }));
    expect(screen.getByText('Program 7')).toBeVisible();
    expect(screen.getByText('Program 4').closest('li')).toHaveFocus();
  });

  it('say when they cannot be loaded, and offer a retry', async () => {
    server.on('GET /api/v1/auth/sessions', refusal(503, 'The server cannot reach its data at the moment.'));
    const { user } = renderApp('/account');
    const panel = await screen.findByText('Failed to load your sessions');
    server.on('GET /api/v1/auth/sessions', sessionsResponse(session()));
    await user.click(within(panel.closest('[role=alert]')!).getByRole('button', { name: 'Retry' }));
    await screen.findByText('Firefox on Linux');
  });

  it('end everywhere after a confirmation, and this browser is logged out', async () => {
    server.on('GET /api/v1/auth/sessions', sessionsResponse(session(), phone));
    server.on('POST /api/v1/auth/logout-everywhere', { success: true, message: 'Logged out everywhere' });
    const { user } = renderApp('/account');
    await user.click(await screen.findByRole('button', { name: 'Log out everywhere' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent('This ends all 2 of your sessions, including this one.');
    await user.click(within(dialog).getByRole('button', { name: 'Log out everywhere' }));
    await screen.findByRole('heading', { name: 'Log in' });
    expect({ ...localStorage }).toEqual({});
  });
});

describe('a new password', () => {
  it('requires the current one and obeys the two rules', async () => {
    server.on(
      'POST /api/v1/auth/change-password',
      refusal(403, 'That is not your current password.', 'WRONG_PASSWORD'),
    );
    const { user } = renderApp('/account');
    const form = within(await screen.findByRole('form', { name: 'Change password' }));
    await user.type(form.getByLabelText('Current password'), 'old one');
    await user.type(form.getByLabelText('New password'), '12345');
    await user.type(form.getByLabelText('Confirm password'), 'x');
    await user.click(form.getByRole('button', { name: 'Change password' }));
    expect(form.getByText('Password must be at least 6 characters long')).toBeVisible();
    expect(form.getByText('Passwords do not match')).toBeVisible();
    expect(server.asked('POST /api/v1/auth/change-password')).toHaveLength(0);
    await user.type(form.getByLabelText('New password'), '67');
    await user.clear(form.getByLabelText('Confirm password'));
    await user.type(form.getByLabelText('Confirm password'), '1234567');
    await user.click(form.getByRole('button', { name: 'Change password' }));
    expect(await form.findByText('That is not your current password.')).toBeVisible();
    expect(form.getByLabelText('Current password')).toBeInvalid();
    expect(form.getByLabelText('Current password')).toHaveFocus();
    expect(server.asked('POST /api/v1/auth/change-password')[0]?.body).toEqual({
      current_password: 'old one',
      password: '1234567',
    });
    server.on('POST /api/v1/auth/change-password', { success: true, message: 'ok' });
    await user.click(form.getByRole('button', { name: 'Change password' }));
    expect(await form.findByText('Password changed. Your other sessions were logged out.')).toBeVisible();
    expect(form.getByLabelText('New password')).toHaveValue('');
  });
});

describe('a new address', () => {
  it('requires the password, and is shown at once where no link is sent', async () => {
    server.on(
      'POST /api/v1/auth/change-email',
      refusal(409, 'An account with this email already exists.', 'EMAIL_TAKEN'),
    );
    const { user } = renderApp('/account');
    const form = within(await screen.findByRole('form', { name: 'Change email' }));
    await enter(user, form.getByLabelText('New email'), 'ada@next.example');
    await user.type(form.getByLabelText('Your password'), 'secret');
    await user.click(form.getByRole('button', { name: 'Change email' }));
    expect(await form.findByText('An account with this email already exists.')).toBeVisible();
    expect(form.getByLabelText('New email')).toHaveFocus();
    server.on('POST /api/v1/auth/change-email', refusal(403, 'That is not your current password.', 'WRONG_PASSWORD'));
    await user.click(form.getByRole('button', { name: 'Change email' }));
    expect(await form.findByText('That is not your current password.')).toBeVisible();
    expect(form.getByLabelText('New email')).toBeValid();
    expect(form.getByLabelText('Your password')).toHaveFocus();
    server.on('POST /api/v1/auth/change-email', { success: true, email: 'ada@next.example', pending: false });
    await user.click(form.getByRole('button', { name: 'Change email' }));
    expect(await form.findByText(/Your email is now ada@next.example/)).toBeVisible();
    expect(screen.getAllByText('ada@next.example').length).toBeGreaterThan(1);
    expect(server.asked('POST /api/v1/auth/change-email')[0]?.body).toEqual({
      email: 'ada@next.example',
      password: 'secret',
    });
  });
});

describe('the present address', () => {
  it('is not changed to itself', async () => {
    const { user } = renderApp('/account');
    const form = within(await screen.findByRole('form', { name: 'Change email' }));
    await enter(user, form.getByLabelText('New email'), 'Ada@example.com');
    await user.type(form.getByLabelText('Your password'), 'secret');
    await user.click(form.getByRole('button', { name: 'Change email' }));
    expect(await form.findByText('This is already your email.')).toBeVisible();
    expect(form.getByLabelText('New email')).toHaveFocus();
    expect(server.asked('POST /api/v1/auth/change-email')).toEqual([]);
  });
});

describe('the email preference', () => {
  it('is shown as chosen at once, and reverted when the server refuses', async () => {
    server.on('PUT /api/v1/auth/mail-preferences', { success: true, data: { job_done: false } });
    const { user } = renderApp('/account');
    const box = await screen.findByRole('checkbox', { name: 'When an audit is done' });
    expect(box).toBeChecked();
    await user.click(box);
    expect(box).not.toBeChecked();
    expect(server.asked('PUT /api/v1/auth/mail-preferences')[0]?.body).toEqual({ job_done: false });
    server.on('PUT /api/v1/auth/mail-preferences', { status: 500, body: {} });
    await user.click(box);
    expect(await screen.findByText('Couldn’t save this. Please try again.')).toBeVisible();
    expect(box).not.toBeChecked();
  });
});
