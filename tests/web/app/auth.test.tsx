import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionEnded } from '../../../web/api/sessionEnded.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../given/renderApp.tsx';
import { loginResponse, profileResponse, statusResponse } from '../given/views.ts';

let server: FakeServer;

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
});

const down = (): never => {
  throw new NetworkDown();
};
const token = (): string | null => localStorage.getItem('auth_token');

describe('the start', () => {
  it('shows a spinner until the session is known', async () => {
    signedInBefore();
    renderApp('/');
    expect(screen.getByRole('status')).toHaveTextContent('Checking your session');
    expect(screen.queryByRole('link', { name: 'Login' })).toBeNull();
    await screen.findByRole('heading', { name: 'Recent Jobs' });
  });

  it('shows visitors the page at once: without a token there is nothing to load', async () => {
    renderApp('/login');
    expect(screen.queryByText('Checking your session')).toBeNull();
    await screen.findByRole('heading', { name: 'Log in' });
  });

  it('loads the status, then the profile of the stored token', async () => {
    signedInBefore();
    renderApp('/');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    const paths = server.calls.map((call) => call.path);
    expect(paths.indexOf('/api/v1/status')).toBeLessThan(paths.indexOf('/api/v1/auth/profile'));
    expect(server.asked('GET /api/v1/auth/profile')[0]?.token).toBe('session-1.access');
  });

  it('removes a token whose profile is refused', async () => {
    signedInBefore();
    server.on('GET /api/v1/auth/profile', refusal(404, 'Not found'));
    renderApp('/');
    await screen.findByRole('heading', { name: 'Log in' });
    expect(token()).toBeNull();
  });

  it('goes to log-in when the server does not answer, and recovers when it does', async () => {
    signedInBefore();
    server.on('GET /api/v1/auth/profile', down);
    const { address } = renderApp('/account');
    await screen.findByRole('heading', { name: 'Log in' });
    expect(token()).not.toBeNull();
    expect(screen.getByText('The server isn’t responding')).toBeVisible();
    server.on('GET /api/v1/auth/profile', profileResponse());
    await screen.findByRole('heading', { name: 'Your Account' });
    expect(address()).toBe('/account');
  });

  it('shows the server’s version and mode', async () => {
    renderApp('/login');
    expect(await screen.findByText(/DEV/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole('contentinfo')).toHaveTextContent('version 0.1.0'));
  });

  it('shows neither badge nor version when the server sends none', async () => {
    server.on('GET /api/v1/status', statusResponse({ auth_system: { development_mode: false } }));
    server.on('GET /api/version', down);
    renderApp('/login');
    await screen.findByRole('heading', { name: 'Log in' });
    expect(screen.queryByText(/DEV/)).toBeNull();
    expect(screen.getByRole('contentinfo')).toHaveTextContent('version 1.0.0');
  });
});

describe('addresses', () => {
  it.each(['/', '/account', '/dashboard/actions?jobId=job-1', '/nowhere', '/app'])(
    'redirect visitors from %s to log-in',
    async (path) => {
      const { address } = renderApp(path);
      await screen.findByRole('heading', { name: 'Log in' });
      expect(address()).toBe('/login');
    },
  );

  it.each(['/login', '/signup', '/nowhere', '/app'])('redirect logged-in users from %s home', async (path) => {
    signedInBefore();
    const { address } = renderApp(path);
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(address()).toBe('/');
  });
});

async function logIn(user: ReturnType<typeof renderApp>['user']): Promise<void> {
  await enter(user, await screen.findByLabelText('Email'), 'ada@example.com');
  await enter(user, screen.getByLabelText('Password'), 'secret-1');
  await user.click(screen.getByRole('button', { name: 'Log in' }));
}

describe('logging in', () => {
  it('clears the old token first, stores the new one and refreshes the profile', async () => {
    localStorage.setItem('auth_token', 'old');
    server.on('GET /api/v1/auth/profile', (call: { token: string }) =>
      call.token === 'old' ? refusal(500, 'x') : profileResponse(),
    );
    let during: string | null = 'unset';
    server.on('POST /api/v1/auth/login', () => {
      during = token();
      return loginResponse();
    });
    const { user, address } = renderApp('/login');
    await logIn(user);
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(address()).toBe('/');
    expect(during).toBeNull();
    expect(token()).toBe('session-1.access');
    expect(server.asked('POST /api/v1/auth/login')[0]?.body).toEqual({
      email: 'ada@example.com',
      password: 'secret-1',
    });
    expect(server.asked('GET /api/v1/auth/profile').at(-1)?.token).toBe('session-1.access');
  });

  it.each([
    [
      'the server’s words',
      refusal(401, 'Invalid email or password', 'INVALID_CREDENTIALS'),
      'Invalid email or password',
    ],
    ['words of its own when there are none', { status: 500, body: {} }, 'Login failed'],
    ['a lost network', down, 'Network error'],
  ])('explains a failure: %s', async (_, reply, text) => {
    server.on('POST /api/v1/auth/login', reply);
    const { user } = renderApp('/login');
    await logIn(user);
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(token()).toBeNull();
    if (text === 'Invalid email or password') expect(screen.getByLabelText('Password')).toHaveFocus();
    // A refused password is not an expired session.
    expect(server.asked('POST /api/v1/auth/refresh')).toHaveLength(0);
  });

  it('accepts a pasted address with spaces, and shows the password on request', async () => {
    const { user } = renderApp('/login');
    await user.click(await screen.findByLabelText('Email'));
    await user.paste(' \u00a0mailto:ada@example.com\u200b\t');
    const password = screen.getByLabelText('Password');
    await user.type(password, 'secret-1');
    expect(password).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Show' }));
    expect(password).toHaveAttribute('type', 'text');
    await user.click(screen.getByRole('button', { name: 'Hide' }));
    expect(password).toHaveAttribute('type', 'password');
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked('POST /api/v1/auth/login')[0]?.body).toEqual({
      email: 'ada@example.com',
      password: 'secret-1',
    });
  });

  it('shows progress and cannot be sent twice', async () => {
    let answer: (value: unknown) => void = () => undefined;
    server.on('POST /api/v1/auth/login', () => new Promise((resolve) => (answer = resolve)));
    const { user } = renderApp('/login');
    await logIn(user);
    const button = screen.getByRole('button', { name: 'Log in' });
    expect(button).toHaveAttribute('aria-busy', 'true');
    await user.click(button);
    expect(server.asked('POST /api/v1/auth/login')).toHaveLength(1);
    await act(async () => answer(loginResponse()));
    await screen.findByRole('heading', { name: 'Recent Jobs' });
  });

  it('returns to the requested page, but not after a log-out', async () => {
    const { user, address } = renderApp('/account');
    await logIn(user);
    await screen.findByRole('heading', { name: 'Your Account' });
    expect(address()).toBe('/account');
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await logIn(user);
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(address()).toBe('/');
  });
});

describe('logging out', () => {
  it('ends the session here at once and notifies the server with the token', async () => {
    signedInBefore();
    server.on('POST /api/v1/auth/logout', () => new Promise(() => undefined));
    const { user, store } = renderApp('/');
    await screen.findByText('No jobs yet');
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Log in' });
    expect({ ...localStorage }).toEqual({});
    expect(server.asked('POST /api/v1/auth/logout')[0]?.token).toBe('session-1.access');
    expect(JSON.stringify(store.getState())).not.toContain('ada@example.com');
  });

  it('leaves nothing on a page in the back/forward cache', async () => {
    signedInBefore();
    renderApp('/account');
    await screen.findByRole('heading', { name: 'Your Account' });
    // Another tab logged out while this one was in the browser's cache and heard nothing.
    localStorage.clear();
    act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeVisible();
    expect(screen.queryByText('ada@example.com')).toBeNull();
  });

  it('happens in every tab', async () => {
    signedInBefore();
    renderApp('/');
    await screen.findByText('No jobs yet');
    localStorage.clear();
    act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'auth_token', newValue: null })));
    await screen.findByRole('heading', { name: 'Log in' });
  });

  it('and logging in elsewhere updates this tab', async () => {
    renderApp('/');
    await screen.findByRole('heading', { name: 'Log in' });
    signedInBefore('session-2.access');
    act(
      () => void window.dispatchEvent(new StorageEvent('storage', { key: 'auth_token', newValue: 'session-2.access' })),
    );
    await screen.findByRole('heading', { name: 'Recent Jobs' });
  });
});

describe('an expired token', () => {
  const expired = (call: { token: string | null }) =>
    call.token === 'session-1.access' ? refusal(401, 'Authentication required', 'UNAUTHENTICATED') : null;

  it('is renewed once for all calls, which are then repeated', async () => {
    signedInBefore();
    for (const route of ['GET /api/v1/auth/profile', 'GET /api/v1/jobs', 'GET /api/v1/subscription/status']) {
      const fresh = await (await fetch(`http://localhost:3000${route.slice(4)}`)).json();
      server.on(route, (call: { token: string | null }) => expired(call) ?? fresh);
    }
    const renewed = loginResponse('session-1.second');
    server.on('POST /api/v1/auth/refresh', {
      success: true,
      token: renewed.token,
      session: { ...renewed.session, refresh_token: 'session-1.refresh-2' },
    });
    renderApp('/');
    await screen.findByText('No jobs yet');
    expect(server.asked('POST /api/v1/auth/refresh').map((call) => call.body)).toEqual([
      { refresh_token: 'session-1.refresh' },
    ]);
    expect(token()).toBe('session-1.second');
    expect(localStorage.getItem('auth_refresh_token')).toBe('session-1.refresh-2');
  });

  it('whose renewed one the profile refuses as well leaves nobody logged in', async () => {
    signedInBefore();
    server.on('GET /api/v1/auth/profile', refusal(401, 'Authentication required', 'UNAUTHENTICATED'));
    server.on('POST /api/v1/auth/refresh', loginResponse('session-1.second'));
    renderApp('/');
    await screen.findByRole('heading', { name: 'Log in' });
    expect({ ...localStorage }).toEqual({});
    expect(screen.queryByText(/Your session has ended/)).toBeNull();
  });

  it('of a session that ended elsewhere leads to the log-in, once a later call cannot renew it', async () => {
    signedInBefore();
    const { user } = renderApp('/');
    await screen.findByText('No jobs yet');
    server.on('POST /api/v1/process', refusal(401, 'Authentication required', 'UNAUTHENTICATED'));
    server.on('POST /api/v1/auth/refresh', loginResponse('session-1.second'));
    await user.type(screen.getByLabelText('Website address'), 'example.com');
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    await screen.findByText('Authentication required');
    expect(screen.getByRole('button', { name: 'Logout' })).toBeVisible();
    server.on('POST /api/v1/auth/refresh', refusal(401, 'Your session has ended.', 'SESSION_ENDED'));
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    await screen.findByRole('heading', { name: 'Log in' });
    expect(screen.getByRole('status')).toHaveTextContent('Your session has ended.');
  });

  it('that cannot be renewed ends the session', async () => {
    signedInBefore();
    const { user } = renderApp('/');
    await screen.findByText('No jobs yet');
    server.on('POST /api/v1/auth/refresh', refusal(401, 'Your session has ended.', 'SESSION_ENDED'));
    await user.type(screen.getByLabelText('Website address'), 'example.com');
    server.on('POST /api/v1/process', expired);
    await user.click(screen.getByRole('button', { name: 'Generate SEO Reports' }));
    await screen.findByRole('heading', { name: 'Log in' });
    expect({ ...localStorage }).toEqual({});
    expect(screen.getByRole('status')).toHaveTextContent(
      'Your session has ended. Log in to continue where you left off.',
    );
    await logIn(user);
    // Typed text is restored for the same user until they log out.
    expect(await screen.findByLabelText('Website address')).toHaveValue('example.com');
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Log in' });
    expect(screen.queryByText(/Your session has ended/)).toBeNull();
    await logIn(user);
    expect(await screen.findByLabelText('Website address')).toHaveValue('');
  });

  it('hides typed text from the next user', async () => {
    signedInBefore();
    const { user, store } = renderApp('/');
    await enter(user, await screen.findByLabelText('Website address'), 'secret.example');
    act(() => void store.dispatch(sessionEnded()));
    await screen.findByText(/Your session has ended/);
    server.on('POST /api/v1/auth/login', {
      ...loginResponse('session-2.access', 'bob@example.com'),
      user_id: 'user-2',
    });
    server.on('GET /api/v1/auth/profile', profileResponse({ id: 'user-2', email: 'bob@example.com' }));
    await logIn(user);
    expect(await screen.findByLabelText('Website address')).toHaveValue('');
  });
});

describe('signing up', () => {
  async function fill(
    user: ReturnType<typeof renderApp>['user'],
    password: string,
    confirmation: string,
  ): Promise<void> {
    await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await enter(user, screen.getByLabelText('Password'), password);
    await enter(user, screen.getByLabelText('Confirm password'), confirmation);
    await user.click(screen.getByRole('button', { name: 'Sign up' }));
  }

  it('lists the features', async () => {
    renderApp('/signup');
    const panel = within((await screen.findByRole('heading', { name: 'What you get' })).parentElement as HTMLElement);
    for (const point of [
      'Free SEO audit',
      '8 actionable fixes',
      'Instant health score',
      'AI recommendations',
      'Improvement plan',
      'Free forever for basic analysis',
    ])
      expect(panel.getByText(point)).toBeVisible();
    expect(panel.getAllByRole('listitem')).toHaveLength(6);
  });

  it('checks that passwords match and are long enough before calling the server', async () => {
    const { user } = renderApp('/signup');
    await fill(user, 'short', 'other');
    expect(screen.getByText('Password must be at least 6 characters long')).toBeVisible();
    expect(screen.getByText('Passwords do not match')).toBeVisible();
    expect(screen.getByLabelText('Password')).toHaveFocus();
    expect(screen.getByLabelText('Password')).toBeInvalid();
    expect(server.asked('POST /api/v1/auth/signup-first')).toHaveLength(0);
  });

  it('sends where the visitor came from', async () => {
    server.on('POST /api/v1/auth/signup-first', {
      status: 201,
      body: { ...loginResponse(), stripe_customer_id: null, next_step: 'submit_first_site' },
    });
    const { user } = renderApp('/signup?source=preview&utm_campaign=shared_preview&utm_content=abc&other=1');
    await fill(user, 'secret-1', 'secret-1');
    await screen.findByRole('heading', { name: 'Recent Jobs' });
    expect(server.asked('POST /api/v1/auth/signup-first')[0]?.body).toEqual({
      email: 'ada@example.com',
      password: 'secret-1',
      source: 'preview',
      utm_campaign: 'shared_preview',
      utm_content: 'abc',
    });
  });

  it.each([
    [
      refusal(409, 'An account with this email already exists.', 'EMAIL_TAKEN'),
      'An account with this email already exists.',
    ],
    [{ status: 500, body: 'oops' }, 'Signup failed'],
    [down, 'Network error'],
  ])('explains a failure', async (reply, text) => {
    server.on('POST /api/v1/auth/signup-first', reply);
    const { user } = renderApp('/signup');
    await fill(user, 'secret-1', 'secret-1');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    if (text.startsWith('An account')) {
      expect(screen.getByLabelText('Email')).toHaveFocus();
      expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(text);
    }
  });
});

it('logging in and out is reported to the operator’s own analytics, if any', async () => {
  const received: unknown[] = [];
  vi.stubGlobal('dataLayer', received);
  const { user } = renderApp('/login');
  await logIn(user);
  await screen.findByRole('heading', { name: 'Recent Jobs' });
  await user.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Log in' });
  expect(received).toEqual([
    { event: 'login', category: 'authentication', user_id: 'user-1' },
    { event: 'logout', category: 'authentication', user_id: null },
  ]);
});
