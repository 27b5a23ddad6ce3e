/** What a user whose email is not confirmed sees where that matters. */
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { type FakeServer, fakeServer, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../given/renderApp.tsx';
import { failedJob, jobsResponse, profileResponse } from '../given/views.ts';

const FREE =
  'Confirm your email address to use more than your first free audit. Open the link we emailed you, or have it sent again.';
const FUTURE = '2199-12-31T00:00:00.000Z';
const PAST = '2026-01-01T00:00:00.000Z';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs', jobsResponse([failedJob()]));
  server.on('POST /api/v1/auth/resend-confirmation', { success: true, sent_to: 'ada@example.com' });
});

function unconfirmed(over: object = {}): void {
  const answer = profileResponse();
  server.on('GET /api/v1/auth/profile', {
    ...answer,
    profile: { ...answer.profile, email_state: 'unconfirmed', email_required_from: PAST, ...over },
  });
}

async function opened(path = '/') {
  const app = renderApp(path);
  await screen.findByRole('tab', { name: /^All/ });
  await subscriptionAnswered(app);
  return app;
}

describe('a refusal for an unconfirmed email', () => {
  it.each([
    [
      'of one site',
      'POST /api/v1/process',
      async ({ user }: ReturnType<typeof renderApp>) =>
        user.type(screen.getByLabelText('Website address'), 'a.example{Enter}'),
    ],
    [
      'of a batch',
      'POST /api/v1/process/batch',
      async ({ user }: ReturnType<typeof renderApp>) => {
        await user.click(screen.getByRole('tab', { name: 'Batch' }));
        await user.type(await screen.findByLabelText('Website addresses, one per line'), 'a.example');
        await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
      },
    ],
    [
      'of another run',
      'POST /api/v1/process',
      async ({ user }: ReturnType<typeof renderApp>) =>
        user.click(screen.getByRole('button', { name: /^Run .*again/i })),
    ],
  ])('%s says what to do, and sends the link again', async (_, route, act) => {
    unconfirmed();
    server.on(route, refusal(403, FREE, 'EMAIL_NOT_CONFIRMED'));
    const app = await opened();
    await act(app);
    const refused = within((await screen.findByText(FREE)).parentElement as HTMLElement);
    await app.user.click(await refused.findByRole('button', { name: 'Resend link' }));
    expect(await refused.findByText('Sent. Please check your spam folder, too.')).toBeVisible();
    expect(server.asked('POST /api/v1/auth/resend-confirmation')).toHaveLength(1);
  });

  it('leads to the account page where no link can be sent', async () => {
    unconfirmed({ email_state: 'lost' });
    server.on('POST /api/v1/process', refusal(403, FREE, 'EMAIL_NOT_CONFIRMED'));
    const { user } = await opened();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await user.type(screen.getByLabelText('Website address'), 'a.example{Enter}');
    expect(await screen.findByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
    expect(screen.queryByRole('button', { name: 'Resend link' })).toBeNull();
  });

  it('is the only one with that button', async () => {
    unconfirmed();
    server.on('POST /api/v1/process', refusal(400, 'Please enter a valid URL', 'INVALID_URL'));
    const { user } = await opened();
    await user.type(screen.getByLabelText('Website address'), 'a.example{Enter}');
    const refused = within((await screen.findByText('Please enter a valid URL')).parentElement as HTMLElement);
    expect(refused.queryByRole('button', { name: 'Resend link' })).toBeNull();
  });
});

describe('the banner', () => {
  const TEXT =
    /Please do this by December 31, 2199\. After that, you’ll need a confirmed address to share audits or use more than your first free audit\./;

  it('says on every page until when an account from before the rule has time, and sends the link again', async () => {
    unconfirmed({ email_required_from: FUTURE });
    const { user } = await opened();
    const banner = within((await screen.findByText(TEXT)).parentElement as HTMLElement);
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull();
    await user.click(banner.getByRole('button', { name: 'Resend link' }));
    expect(await banner.findByText('Sent. Please check your spam folder, too.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Account' }));
    // Beside the email, and only there.
    await screen.findByRole('heading', { name: 'Your Account' });
    expect(await screen.findAllByText(TEXT)).toHaveLength(1);
  });

  it('is not shown to others: what is missing without the proof stands in their note', async () => {
    unconfirmed();
    await opened();
    expect(
      await screen.findByText(/Until then, you can’t share audits or use more than your first free audit\./),
    ).toBeVisible();
    expect(screen.queryByText(/Please do this by/)).toBeNull();
  });

  it('is not shown where nothing is asked for', async () => {
    unconfirmed({ email_required_from: undefined });
    await opened();
    expect(
      await screen.findByText('We sent a link to ada@example.com. Confirm your address to get emails.'),
    ).toBeVisible();
  });
});
