/**
 * While the lists are behind what was written: calls are repeated, after five seconds a line says so, and nothing that
 * was typed is lost.
 */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SequenceView } from '../../../src/http/contract/admin/emailSequences.ts';
import type { PromptView } from '../../../src/http/contract/admin/prompts.ts';
import { BUILT_IN_PROMPTS } from '../../../src/model/prompts/builtIn.ts';
import { enter } from '../given/enter.ts';
import { type FakeServer, fakeServer, NetworkDown, refusal } from '../given/fakeServer.ts';
import { fakeSockets } from '../given/fakeSocket.ts';
import { held } from '../given/held.ts';
import { holdTime, later, NOT_SHOWN_TEXT, notShownYet, shownAfter } from '../given/notShown.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../given/renderApp.tsx';
import {
  failedJob,
  jobsResponse,
  position,
  profileResponse,
  runningJob,
  subscriptionResponse,
} from '../given/views.ts';

const LINE = 'This takes a moment to show up. Nothing is lost.';
const SUBMIT = 'POST /api/v1/process';
const SEQUENCES = '/api/v1/admin/email-sequences/sequences';
const PROMPTS = '/api/v1/admin/prompts';
const CANCEL = 'POST /api/v1/jobs/job-1/cancel';

const sequence: SequenceView = {
  id: 's',
  name: 'Welcome',
  description: 'For new users',
  trigger: 'sign_up',
  is_active: false,
  activated_at: null,
  created_at: '2026-03-10T12:00:00.000Z',
  templates: [],
};
const { variables, ...builtIn } = BUILT_IN_PROMPTS.summary;
const prompt: PromptView = {
  ...builtIn,
  key: 'summary',
  variables: [...variables],
  is_active: true,
  version: 1,
  updated_at: null,
};

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on('GET /api/v1/subscription/status', subscriptionResponse());
  server.on(`GET ${SEQUENCES}`, { success: true, sequences: [], cursor: null });
  server.on(`GET ${SEQUENCES}/s`, { success: true, sequence, ...sequence });
  server.on(`GET ${SEQUENCES}/s/figures`, refusal(500, ''));
  server.on(`GET ${PROMPTS}`, { success: true, prompts: [prompt] });
});

const keysOf = (route: string) => server.asked(route).map(({ headers }) => headers.get('idempotency-key'));
const oneKey = (route: string) => new Set(keysOf(route)).size === 1 && keysOf(route)[0] !== null;

async function newSequence(name: string) {
  const app = renderApp('/admin/email-sequences');
  await app.user.click(await screen.findByRole('button', { name: 'New sequence' }));
  const dialog = within(await screen.findByRole('dialog'));
  await enter(app.user, dialog.getByLabelText('Name'), name);
  holdTime();
  const press = () => app.user.click(dialog.getByRole('button', { name: 'Create' }));
  await press();
  return { ...app, dialog, press };
}

describe('what was typed stays until the answer is there', () => {
  it('in the dialog of a sequence', async () => {
    server.on(`POST ${SEQUENCES}`, shownAfter(3, { status: 201, body: { success: true, sequence, ...sequence } }));
    const { dialog, address } = await newSequence('Welcome');
    for (const asked of [1, 2, 3]) {
      await waitFor(() => expect(server.asked(`POST ${SEQUENCES}`)).toHaveLength(asked));
      expect(dialog.getByLabelText('Name')).toHaveValue('Welcome');
      expect(dialog.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-busy', 'true');
      expect(screen.queryByRole('alert')).toBeNull();
      await later(2_000);
    }
    await waitFor(() => expect(address()).toBe('/admin/email-sequences/s/templates'));
    expect(server.asked(`POST ${SEQUENCES}`)).toHaveLength(4);
    expect(oneKey(`POST ${SEQUENCES}`)).toBe(true);
  });

  it('in a prompt', async () => {
    const save = `PUT ${PROMPTS}/summary`;
    server.on(save, shownAfter(3, { success: true, prompt: { ...prompt, content: 'Be brief.', version: 2 } }));
    const { user } = renderApp('/admin/prompts?prompt=summary');
    const editor = await screen.findByLabelText('Prompt', { selector: 'textarea' });
    await user.clear(editor);
    await enter(user, editor, 'Be brief.');
    holdTime();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await later(5_500);
    expect(editor).toHaveValue('Be brief.');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-busy', 'true');
    await user.type(editor, ' Please.');
    await later(1_000);
    expect(await screen.findByText('Version 2')).toBeVisible();
    expect(editor).toHaveValue('Be brief. Please.');
    expect(server.asked(save)).toHaveLength(4);
    expect(oneKey(save)).toBe(true);
  });

  it('in the form for an address', async () => {
    const job = runningJob({ status: 'pending', progress: 0 });
    server.on(SUBMIT, shownAfter(3, { status: 202, body: { success: true, data: job, job } }));
    const app = renderApp('/');
    const field = await screen.findByLabelText('Website address');
    await subscriptionAnswered(app);
    await enter(app.user, field, 'www.example.com');
    holdTime();
    await app.user.keyboard('{Enter}');
    await later(5_500);
    expect(field).toHaveValue('www.example.com');
    expect(screen.getByRole('button', { name: 'Generate SEO Reports' })).toHaveAttribute('aria-busy', 'true');
    await later(1_000);
    expect(await screen.findByText('Audit of example.com started.')).toBeVisible();
    expect(field).toHaveValue('');
    expect(server.asked(SUBMIT)).toHaveLength(4);
    expect(oneKey(SUBMIT)).toBe(true);
  });
});

describe('the line', () => {
  it('is there after five seconds, above an open dialog too, until the answer is', async () => {
    server.on(`POST ${SEQUENCES}`, shownAfter(3, { status: 201, body: { success: true, sequence, ...sequence } }));
    await newSequence('Welcome');
    await later(4_900);
    expect(screen.queryByText(LINE)).toBeNull();
    await later(200);
    // By its role: what a dialog hides from screen readers has none.
    expect(screen.getByRole('status')).toHaveTextContent(LINE);
    expect(screen.getByRole('status').parentElement).toHaveAttribute('aria-live', 'polite');
    await later(1_500);
    await waitFor(() => expect(screen.queryByText(LINE)).toBeNull());
  });

  it('is one for all that is asked for again, and stays for the last', async () => {
    const keys = { success: true, data: [], limit: 20 };
    const hooks = { success: true, data: [], limit: 10 };
    server.on('GET /api/v1/api-keys', shownAfter(4, keys));
    server.on('GET /api/v1/webhooks', shownAfter(6, hooks));
    holdTime();
    renderApp('/account/api');
    await waitFor(() => expect(server.asked('GET /api/v1/webhooks')).toHaveLength(1));
    await later(5_100);
    expect(screen.getAllByText(LINE)).toHaveLength(1);
    await later(3_000);
    expect(await screen.findByText('No API keys yet.')).toBeVisible();
    expect(screen.queryByText('No webhooks yet.')).toBeNull();
    expect(screen.getAllByText(LINE)).toHaveLength(1);
    await later(4_000);
    expect(await screen.findByText('No webhooks yet.')).toBeVisible();
    expect(screen.queryByText(LINE)).toBeNull();
  });

  it('does not appear for a slow answer or another failure', async () => {
    const slow = held({ success: true, data: [], limit: 20 });
    server.on('GET /api/v1/api-keys', () => slow.answer);
    server.on('GET /api/v1/webhooks', refusal(503, 'Under maintenance', 'UNAVAILABLE'));
    holdTime();
    renderApp('/account/api');
    expect(await screen.findByText('Under maintenance')).toBeVisible();
    await later(60_000);
    expect(screen.queryByText(LINE)).toBeNull();
    slow.letGo();
    expect(await screen.findByText('No API keys yet.')).toBeVisible();
  });
});

describe('an answer that does not come', () => {
  it('is given up after two minutes, in the server’s words; pressed again, the same is sent with the same key', async () => {
    server.on(`POST ${SEQUENCES}`, () => notShownYet('10'));
    const { dialog, press, address } = await newSequence('Welcome');
    await later(119_000);
    expect(dialog.getByRole('button', { name: 'Create' })).toHaveAttribute('aria-busy', 'true');
    await later(11_000);
    expect(await dialog.findByText(NOT_SHOWN_TEXT)).toBeVisible();
    expect(dialog.getByLabelText('Name')).toHaveValue('Welcome');
    expect(screen.queryByText(LINE)).toBeNull();
    server.on(`POST ${SEQUENCES}`, { status: 201, body: { success: true, sequence, ...sequence } });
    await press();
    await waitFor(() => expect(address()).toBe('/admin/email-sequences/s/templates'));
    expect(oneKey(`POST ${SEQUENCES}`)).toBe(true);
  });

  it('is asked for with a new token once the old one has expired', async () => {
    server.on('POST /api/v1/auth/refresh', {
      success: true,
      session: { access_token: 'session-1.newer', refresh_token: 'session-1.refresh-2', expires_in: 3600 },
    });
    const answers = [notShownYet(), refusal(401, 'Expired', 'UNAUTHENTICATED'), notShownYet()];
    server.on(
      `POST ${SEQUENCES}`,
      () => answers.shift() ?? { status: 201, body: { success: true, sequence, ...sequence } },
    );
    const { address } = await newSequence('Welcome');
    await later(4_500);
    await waitFor(() => expect(address()).toBe('/admin/email-sequences/s/templates'));
    expect(server.asked(`POST ${SEQUENCES}`).map(({ token }) => token)).toEqual([
      'session-1.access',
      'session-1.access',
      'session-1.newer',
      'session-1.newer',
    ]);
    expect(oneKey(`POST ${SEQUENCES}`)).toBe(true);
  });

  it('is not asked for any more when nobody waits for it', async () => {
    localStorage.clear();
    server.on('GET /api/v1/share/token-1', () => notShownYet());
    holdTime();
    const { unmount } = renderApp('/shared/token-1');
    await waitFor(() => expect(server.asked('GET /api/v1/share/token-1')).toHaveLength(1));
    await later(6_500);
    expect(screen.getByText(LINE)).toBeVisible();
    const asked = server.asked('GET /api/v1/share/token-1').length;
    unmount();
    await later(60_000);
    expect(server.asked('GET /api/v1/share/token-1')).toHaveLength(asked);
    renderApp('/login');
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeVisible();
    expect(screen.queryByText(LINE)).toBeNull();
  });
});

describe('a key', () => {
  const KEYS = 'POST /api/v1/api-keys';
  const HOOK = {
    id: 'w1',
    url: 'https://hooks.example.com/',
    events: ['job.completed'],
    active: true,
    disabled_reason: null,
    disabled_at: null,
  };
  const apiPage = async () => {
    const webhook = { ...HOOK, created_at: '2026-03-01T00:00:00.000Z', last_success_at: null, failing_since: null };
    server.on('GET /api/v1/api-keys', { success: true, data: [], limit: 20 });
    server.on('GET /api/v1/webhooks', { success: true, data: [webhook], limit: 10 });
    const { user } = renderApp('/account/api');
    const open = async (button: string) => {
      await user.click(await screen.findByRole('button', { name: button }));
      return within(await screen.findByRole('dialog'));
    };
    return { user, open };
  };
  const lost = () => {
    throw new NetworkDown();
  };

  it.each([
    { what: 'an API key', route: KEYS, opens: 'Create API key', field: 'Name', sends: 'Create key' },
    { what: 'a webhook', route: 'POST /api/v1/webhooks', opens: 'Add webhook', field: 'URL', sends: 'Add webhook' },
    {
      what: 'a secret',
      route: 'POST /api/v1/webhooks/w1/secret',
      opens: 'New secret for hooks.example.com',
      field: null,
      sends: 'Create new secret',
    },
  ])(
    'of $what stays the same after a lost network, and the form says what to do when the secret is gone',
    async ({ route, opens, field, sends }) => {
      const gone = 'This has been done, and a secret is shown only once. Make a new one.';
      server.on(route, lost);
      const { user, open } = await apiPage();
      const dialog = await open(opens);
      if (field) await enter(user, dialog.getByLabelText(field), 'https://example.com/');
      await user.click(dialog.getByRole('button', { name: sends }));
      expect(await dialog.findByText('Network error')).toBeVisible();
      server.on(route, refusal(409, gone, 'ALREADY_SHOWN'));
      await user.click(dialog.getByRole('button', { name: sends }));
      expect(await dialog.findByText(gone)).toBeVisible();
      if (field) expect(dialog.getByLabelText(field)).toHaveValue('https://example.com/');
      expect(keysOf(route)).toHaveLength(2);
      expect(oneKey(route)).toBe(true);
    },
  );

  it('whose secret is gone is in the list, to be revoked', async () => {
    server.on(KEYS, refusal(409, 'Revoke it and create another.', 'ALREADY_SHOWN'));
    const { user, open } = await apiPage();
    const dialog = await open('Create API key');
    await enter(user, dialog.getByLabelText('Name'), 'Nightly');
    const key = {
      id: 'k1',
      name: 'Nightly',
      scope: 'read',
      hint: 'wxyz',
      created_at: '2026-03-01T00:00:00.000Z',
      expires_at: null,
      last_used_at: null,
    };
    server.on('GET /api/v1/api-keys', { success: true, data: [key], limit: 20 });
    await user.click(dialog.getByRole('button', { name: 'Create key' }));
    expect(await screen.findByText('seo_live_…wxyz')).toBeVisible();
  });

  it('is another one for other content, and after a refusal', async () => {
    server.on(KEYS, lost);
    const { user, open } = await apiPage();
    const dialog = await open('Create API key');
    await enter(user, dialog.getByLabelText('Name'), 'Nightly');
    const press = () => user.click(dialog.getByRole('button', { name: 'Create key' }));
    await press();
    expect(await dialog.findByText('Network error')).toBeVisible();
    server.on(KEYS, refusal(409, 'An account has at most 20 API keys.', 'TOO_MANY_API_KEYS'));
    await user.type(dialog.getByLabelText('Name'), '!');
    await press();
    expect(await dialog.findByText('An account has at most 20 API keys.')).toBeVisible();
    await press();
    await waitFor(() => expect(new Set(keysOf(KEYS)).size).toBe(3));
  });

  it('is another one for the same address once its audit has started', async () => {
    const job = runningJob({ status: 'pending', progress: 0 });
    server.on(SUBMIT, lost);
    const app = renderApp('/');
    const field = await screen.findByLabelText('Website address');
    await subscriptionAnswered(app);
    await enter(app.user, field, 'example.com');
    await app.user.keyboard('{Enter}');
    expect(await screen.findByText('Network error')).toBeVisible();
    server.on(SUBMIT, { status: 202, body: { success: true, data: job, job } });
    await app.user.keyboard('{Enter}');
    await waitFor(() => expect(field).toHaveValue(''));
    await enter(app.user, field, 'example.com');
    await app.user.keyboard('{Enter}');
    await waitFor(() => expect(field).toHaveValue(''));
    const [first, second, third] = keysOf(SUBMIT);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });
});

/** As a client without a key is answered. */
const ACCEPTED = {
  status: 202,
  body: { success: true, accepted: true, ids: {}, message: 'This was accepted and will be shown in a moment.' },
};

describe('a write that is only said to be accepted is done, and read again', () => {
  it('a new sequence', async () => {
    server.on(`POST ${SEQUENCES}`, ACCEPTED);
    server.on(`GET ${SEQUENCES}`, { success: true, sequences: [], cursor: null });
    await newSequence('Welcome');
    server.on(`GET ${SEQUENCES}`, {
      success: true,
      sequences: [{ ...sequence, templates: [], template_count: 0 }],
      cursor: null,
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(server.asked(`GET ${SEQUENCES}`)).toHaveLength(2));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('a prompt', async () => {
    server.on(`PUT ${PROMPTS}/summary`, ACCEPTED);
    const { user } = renderApp('/admin/prompts?prompt=summary');
    await user.type(await screen.findByLabelText('Prompt', { selector: 'textarea' }), ' Be brief.');
    server.on(`GET ${PROMPTS}`, {
      success: true,
      prompts: [{ ...prompt, content: `${prompt.content} Be brief.`, version: 2 }],
    });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Version 2')).toBeVisible();
    expect(screen.getByLabelText('Prompt', { selector: 'textarea' })).toHaveValue(`${prompt.content} Be brief.`);
  });

  it('a cancelled audit', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([runningJob()]));
    server.on('GET /api/v1/jobs/job-1/runs', { success: true, runs: [], cursor: null });
    server.on(CANCEL, ACCEPTED);
    const { user } = renderApp('/dashboard/jobs/job-1');
    await user.click(await screen.findByRole('button', { name: 'Cancel audit' }));
    server.on(
      'GET /api/v1/jobs',
      jobsResponse([failedJob({ reason: 'Cancelled', reason_code: 'CANCELLED', position: position(30) })]),
    );
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel audit' }));
    expect(await screen.findByText(/^Canceled\. You can run it again/)).toBeVisible();
  });
});
