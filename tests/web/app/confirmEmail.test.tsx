/** An unconfirmed address: the note, sending the email again, and the page of its link. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/http/contract/auth.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { profileResponse, statusResponse } from '../given/views.ts';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
});
const profileIs = (profile: Partial<Profile>, email = 'ada@example.com') =>
  server.on('GET /api/v1/auth/profile', profileResponse({ email }, profile));
const NOTE = 'We sent a link to ada@example.com. Confirm your address to get emails.';
const RESEND = 'POST /api/v1/auth/resend-confirmation';

describe('an unconfirmed address', () => {
  beforeEach(() => {
    signedInBefore();
    profileIs({ email_state: 'unconfirmed' });
  });

  it('shows a note above the jobs until dismissed, and restricts nothing', async () => {
    const app = renderApp('/');
    expect(await screen.findByText(NOTE)).toBeVisible();
    await app.user.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByText(NOTE)).toBeNull();
    app.unmount();
    renderApp('/');
    expect(await screen.findByText('Recent Jobs')).toBeVisible();
    expect(screen.queryByText(NOTE)).toBeNull();
  });

  it('is found in the outbox where the server sends no email', async () => {
    server.on('GET /api/v1/status', statusResponse({ mail: 'kept' }));
    renderApp('/');
    expect(await screen.findByText(/saved in its outbox folder/)).toBeVisible();
  });

  it('gets the link again from the account page, within a limit that is shown', async () => {
    server.on(RESEND, { success: true, sent_to: 'ada@example.com' });
    const { user } = renderApp('/account');
    expect(await screen.findByText(NOTE)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Resend link' }));
    expect(await screen.findByText('Sent. Please check your spam folder, too.')).toBeVisible();
    server.on(RESEND, refusal(409, 'We’ve already sent several links.', 'TOO_MANY_CONFIRMATIONS'));
    await user.click(screen.getByRole('button', { name: 'Resend link' }));
    expect(await screen.findByText('We’ve already sent several links.')).toBeVisible();
  });

  it('loses its note when it was confirmed elsewhere and the tab gets focus', async () => {
    renderApp('/');
    await screen.findByText(NOTE);
    profileIs({ email_state: 'confirmed' });
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(screen.queryByText(NOTE)).toBeNull());
  });

  it('of an older account is explained; a released one asks for another address and sends nothing to it', async () => {
    profileIs({ email_state: 'contended' });
    const app = renderApp('/');
    expect(await screen.findByText(/until then it belongs to an older account/)).toBeVisible();
    app.unmount();
    profileIs({ email_state: 'lost' });
    renderApp('/');
    const note = (await screen.findByText(/ada@example.com was confirmed by another account/)).closest('div')
      ?.parentElement as HTMLElement;
    expect(within(note).queryByRole('button', { name: 'Resend link' })).toBeNull();
    expect(within(note).getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
  });
});

it('a confirmed address shows no note', async () => {
  signedInBefore();
  renderApp('/');
  expect(await screen.findByText('Recent Jobs')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Resend link' })).toBeNull();
});

it('a new address waits for its link: the account page says so, the old one stays', async () => {
  signedInBefore();
  server.on('POST /api/v1/auth/change-email', () => {
    profileIs({ pending_email: 'ada@next.example' });
    return { success: true, email: 'ada@next.example', pending: true };
  });
  const { user } = renderApp('/account');
  const form = within(await screen.findByRole('form', { name: 'Change email' }));
  await enter(user, form.getByLabelText('New email'), 'ada@next.example');
  await user.type(form.getByLabelText('Your password'), 'secret');
  await user.click(form.getByRole('button', { name: 'Change email' }));
  await waitFor(() =>
    expect(
      screen.getAllByText('We sent a link to ada@next.example. Your email changes once you confirm it.'),
    ).toHaveLength(2),
  );
  expect(screen.getAllByText('ada@example.com').length).toBeGreaterThan(0);
  expect(screen.getByRole('button', { name: 'Resend link' })).toBeVisible();
  // The link is opened in another tab.
  profileIs({ pending_email: null }, 'ada@next.example');
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(screen.queryByText(/^We sent a link/)).toBeNull());
  expect(screen.getAllByText('ada@next.example').length).toBeGreaterThan(0);
});

it('a new password voids that link, and its note is gone', async () => {
  signedInBefore();
  profileIs({ pending_email: 'ada@next.example' });
  server.on('POST /api/v1/auth/change-password', () => {
    profileIs({ pending_email: null });
    return { success: true, message: 'ok' };
  });
  const { user } = renderApp('/account');
  await screen.findByText(/^We sent a link to ada@next.example/);
  const form = within(await screen.findByRole('form', { name: 'Change password' }));
  await enter(user, form.getByLabelText('Current password'), 'old one');
  for (const field of ['New password', 'Confirm password']) await enter(user, form.getByLabelText(field), 'a new one');
  await user.click(form.getByRole('button', { name: 'Change password' }));
  await waitFor(() => expect(screen.queryByText(/^We sent a link/)).toBeNull());
});

describe('the page of the confirmation link', () => {
  const CONFIRM = 'POST /api/v1/auth/confirm-email';
  const LINK = '/confirm-email#token=user-1.secret';

  it('confirms by a button, never by a visit, with or without a session', async () => {
    server.on(CONFIRM, { success: true, message: 'Your email address is confirmed.', email: 'ada@example.com' });
    const { user } = renderApp(LINK);
    const button = await screen.findByRole('button', { name: 'Confirm email address' });
    expect(server.asked(CONFIRM)).toHaveLength(0);
    await user.click(button);
    expect(await screen.findByText('ada@example.com is confirmed.')).toBeVisible();
    expect(server.asked(CONFIRM).map(({ body, token }) => [body, token])).toEqual([[{ token: 'user-1.secret' }, null]]);
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/');
  });

  const CHOOSE = 'POST /api/v1/auth/confirm-email/choose-password';
  const OFFER = 'Not your password? Choose your own';
  const needsPassword = (reason: string) =>
    refusal(403, 'Enter the password of your account.', 'PASSWORD_REQUIRED', { reason });

  it('sends the session of whoever is logged in', async () => {
    signedInBefore();
    server.on(CONFIRM, { success: true, message: 'ok', email: 'ada@example.com' });
    const { user } = renderApp(LINK);
    await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
    expect(await screen.findByText('ada@example.com is confirmed.')).toBeVisible();
    expect(server.asked(CONFIRM)[0]?.token).not.toBeNull();
  });

  it('asks for the password where the server needs it, and names a wrong one', async () => {
    server.on(CONFIRM, needsPassword('own_address'));
    const { user } = renderApp(LINK);
    await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
    const field = await screen.findByLabelText('Password');
    expect(field).toHaveFocus();
    server.on(CONFIRM, refusal(401, 'Invalid email or password', 'INVALID_CREDENTIALS'));
    await user.type(field, 'wrong');
    await user.click(screen.getByRole('button', { name: 'Confirm email address' }));
    expect(await screen.findByText('That’s not the password of this account.')).toBeVisible();
    server.on(CONFIRM, { success: true, message: 'ok', email: 'ada@example.com' });
    await user.clear(field);
    await user.type(field, 'right one{Enter}');
    expect(await screen.findByText('ada@example.com is confirmed.')).toBeVisible();
    expect(server.asked(CONFIRM).at(-1)?.body).toEqual({ token: 'user-1.secret', password: 'right one' });
  });

  it('offers a password of one’s own to somebody who did not sign up', async () => {
    server.on(CONFIRM, needsPassword('own_address'));
    server.on(CHOOSE, {
      success: true,
      message: 'If an account exists with this email, you will receive password reset instructions.',
    });
    const { user } = renderApp(LINK);
    expect(screen.queryByRole('button', { name: OFFER })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
    await user.click(await screen.findByRole('button', { name: OFFER }));
    expect(
      await screen.findByText('If an account exists with this email, you will receive password reset instructions.'),
    ).toBeVisible();
    expect(server.asked(CHOOSE).map(({ body }) => body)).toEqual([{ token: 'user-1.secret' }]);
  });

  it('of a change of address belongs to another account, and offers nothing else', async () => {
    server.on(CONFIRM, needsPassword('new_address'));
    const { user } = renderApp(LINK);
    await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
    expect(await screen.findByText(/^This link belongs to another account, or you’re not logged in\./)).toBeVisible();
    expect(screen.getByLabelText('Password')).toBeVisible();
    expect(screen.queryByText(OFFER)).toBeNull();
  });

  it('offers a retry, and after a used link the log-in', async () => {
    server.on(CONFIRM, () => {
      throw new NetworkDown();
    });
    const { user } = renderApp(LINK);
    await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
    expect(await screen.findByText('Network error. Please try again.')).toBeVisible();
    server.on(CONFIRM, refusal(404, 'This link has expired or was already used.', 'CONFIRMATION_INVALID'));
    await user.click(screen.getByRole('button', { name: 'Confirm email address' }));
    expect(await screen.findByText('This link has expired or was already used.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Confirm email address' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/account');
  });

  it('leads whoever is logged in from a used link to the account', async () => {
    signedInBefore();
    server.on(CONFIRM, refusal(404, 'This link has expired or was already used.', 'CONFIRMATION_INVALID'));
    const { user } = renderApp(LINK);
    await user.click(await screen.findByRole('button', { name: 'Confirm email address' }));
    expect(await screen.findByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
  });

  it('without its token asks for the whole link', async () => {
    renderApp('/confirm-email');
    expect(await screen.findByText('This link is incomplete. Please open it again from the email.')).toBeVisible();
  });
});
