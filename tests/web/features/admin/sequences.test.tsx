import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SequenceTemplateView, SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const API = '/api/v1/admin/email-sequences';
const PAGE = '/admin/email-sequences';
const template = (step: number, more: Partial<SequenceTemplateView> = {}): SequenceTemplateView => ({
  id: `t${step}`,
  sequence_id: 's',
  name: `Template ${step}`,
  subject: `Subject ${step}`,
  content: 'Hi {{user_name}}',
  step_number: step,
  delay_days: step - 1,
  is_active: true,
  version: 1,
  ...more,
});
const sequence = (more: Partial<SequenceView> = {}): SequenceView => ({
  id: 's',
  name: 'Welcome',
  description: 'For new users',
  trigger: 'sign_up',
  is_active: false,
  activated_at: null,
  created_at: '2026-03-10T12:00:00.000Z',
  templates: [template(1), template(2, { is_active: false })],
  ...more,
});
const figures = {
  success: true,
  enrolled: 12,
  under_way: 3,
  finished: 7,
  stopped: 2,
  turned_off: 1,
  steps: [
    {
      template_id: 't1',
      step_number: 1,
      name: 'Template 1',
      waiting: 3,
      sent: 8,
      failed: 1,
      skipped: 0,
      stopped: 0,
      turned_off: 1,
    },
    {
      template_id: 't0',
      step_number: null,
      name: 'Greetings',
      waiting: 0,
      sent: 5,
      failed: 0,
      skipped: 2,
      stopped: 0,
      turned_off: 0,
    },
  ],
  total: { waiting: 3, sent: 13, failed: 1, skipped: 2, stopped: 0, turned_off: 1 },
};

let server: FakeServer;
let shown: SequenceView;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  shown = sequence();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  server.on(`GET ${API}/sequences`, () => {
    return { success: true, sequences: [{ ...shown, template_count: shown.templates.length }], cursor: null };
  });
  server.on(`GET ${API}/sequences/s`, () => ({ success: true, sequence: shown, ...shown }));
  server.on(`GET ${API}/sequences/s/figures`, figures);
});

describe('the list of sequences', () => {
  it('describes each, and links to its templates', async () => {
    const { user, address } = renderApp(PAGE);
    expect(await screen.findByText('For new users')).toBeVisible();
    expect(screen.getByText('Inactive')).toBeVisible();
    expect(screen.getByText(/2 templates · Sign-up · Created/)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Welcome' }));
    await waitFor(() => expect(address()).toBe(`${PAGE}/s/templates`));
  });

  it('explains an error', async () => {
    server.on(`GET ${API}/sequences`, refusal(500, ''));
    renderApp(PAGE);
    expect(await screen.findByText('Failed to load sequences')).toBeVisible();
    expect(screen.getByText('HTTP error! status: 500')).toBeVisible();
  });

  it('has a form to add one', async () => {
    server.on(`POST ${API}/sequences`, { status: 201, body: { success: true, sequence: shown, ...shown } });
    const { user, address } = renderApp(PAGE);
    await user.click(await screen.findByRole('button', { name: 'New sequence' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    expect(within(dialog).getByText('Please enter a name')).toBeVisible();
    await user.type(within(dialog).getByLabelText('Name'), 'Welcome');
    await user.selectOptions(within(dialog).getByLabelText('Starts with'), 'First finished audit');
    await user.click(within(dialog).getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(address()).toBe(`${PAGE}/s/templates`));
    expect(server.asked(`POST ${API}/sequences`)[0]?.body).toEqual({
      name: 'Welcome',
      description: '',
      trigger: 'first_analysis',
    });
  });
});

describe('a sequence', () => {
  it('shows its templates by step, and its figures', async () => {
    renderApp(`${PAGE}/s/templates`);
    const items = within(
      (await screen.findAllByRole('list')).find((list) => list.tagName === 'OL') as HTMLElement,
    ).getAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringMatching(/Step 1.*Template 1.*Active.*Subject 1.*Delay: At once/),
      expect.stringMatching(/Step 2.*Template 2.*Inactive.*Subject 2.*Delay: 1 day/),
    ]);
    const row = await screen.findByRole('row', { name: /1\. Template 1/ });
    expect(
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['3', '8', '1', '0', '0', '1']);
    const cellsOf = (name: RegExp) =>
      within(screen.getByRole('row', { name }))
        .getAllByRole('cell')
        .map((cell) => cell.textContent);
    expect(cellsOf(/^Greetings ?Deleted template/)).toEqual(['0', '5', '0', '2', '0', '0']);
    expect(cellsOf(/^Total/)).toEqual(['3', '13', '1', '2', '0', '1']);
  });

  it('is enabled after a confirmation that says who will be enrolled', async () => {
    server.on(`PUT ${API}/sequences/s`, () => {
      shown = sequence({ is_active: true, activated_at: '2026-03-10T12:00:00.000Z' });
      return { success: true, sequence: shown, ...shown };
    });
    const { user } = renderApp(`${PAGE}/s/templates`);
    await user.click(await screen.findByRole('button', { name: 'Turn on' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent(
      'Users who sign up from now on are enrolled when they confirm their email address.',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByRole('button', { name: 'Turn off' })).toBeVisible();
    expect(server.asked(`PUT ${API}/sequences/s`)[0]?.body).toEqual({ is_active: true });
  });

  it('keeps its confirmation when it is switched elsewhere meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.on(`PUT ${API}/sequences/s`, () => ({ success: true, sequence: shown, ...shown }));
    const { user } = renderApp(`${PAGE}/s/templates`);
    await user.click(await screen.findByRole('button', { name: 'Turn on' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Turn “Welcome” on?' });
    shown = sequence({ is_active: true, activated_at: '2026-03-10T12:00:00.000Z' });
    await vi.advanceTimersByTimeAsync(30_000);
    await screen.findByText(/Active since/);
    await user.click(within(dialog).getByRole('button', { name: 'Turn on' }));
    await waitFor(() => expect(server.asked(`PUT ${API}/sequences/s`)[0]?.body).toEqual({ is_active: true }));
    vi.useRealTimers();
  });

  it('that was deleted disappears from the list at once', async () => {
    const { user } = renderApp(PAGE);
    await user.click(await screen.findByRole('link', { name: 'Welcome' }));
    server.on(`DELETE ${API}/sequences/s`, () => {
      server.on(`GET ${API}/sequences`, { success: true, sequences: [], cursor: null });
      return { success: true, message: 'Sequence deleted' };
    });
    await user.click(await screen.findByRole('button', { name: 'Delete sequence' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete sequence' }));
    expect(await screen.findByText('No sequences yet. Create one to email users automatically.')).toBeVisible();
  });

  it('that does not exist says so, other errors too', async () => {
    server.on(`GET ${API}/sequences/s`, refusal(404, 'There is no such sequence.', 'SEQUENCE_NOT_FOUND'));
    renderApp(`${PAGE}/s/templates`);
    expect(await screen.findByRole('heading', { name: 'Sequence Not Found' })).toBeVisible();
    server.on(`GET ${API}/sequences/s`, refusal(500, ''));
    renderApp(`${PAGE}/s/templates/create`);
    expect(await screen.findByText('Failed to load sequence')).toBeVisible();
  });

  it('asks before deleting a template, and reports a failure', async () => {
    server.on(`DELETE ${API}/templates/t1`, refusal(500, ''));
    const { user } = renderApp(`${PAGE}/s/templates`);
    await user.click(await screen.findByRole('button', { name: 'Delete Template 1' }));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog).toHaveTextContent('Are you sure you want to delete this template?');
    await user.click(within(dialog).getByRole('button', { name: 'Delete template' }));
    expect(await within(dialog).findByText('Failed to delete template')).toBeVisible();
    server.on(`DELETE ${API}/templates/t1`, () => {
      shown = sequence({ templates: [template(2)] });
      return { success: true, message: 'Template deleted' };
    });
    await user.click(within(dialog).getByRole('button', { name: 'Delete template' }));
    await waitFor(() => expect(screen.queryByText('Template 1', { exact: false, selector: 'span' })).toBeNull());
  });
});

it('shows what is stored of an unreadable template', async () => {
  server.on(`GET ${API}/templates/t1`, refusal(500, ''));
  renderApp(`${PAGE}/s/templates/t1/edit`);
  expect(await screen.findByText('Failed to load template')).toBeVisible();
});

describe('the template form', () => {
  const preview = {
    success: true,
    faults: [],
    preview: { subject: 'Hi Alex', text: 'Hi Alex, as text', html: '<body style="color:#111"><p>Hi Alex</p></body>' },
  };

  it('begins with the next step, and validates itself', async () => {
    server.on(`POST ${API}/templates/preview`, preview);
    const { user } = renderApp(`${PAGE}/s/templates/create`);
    expect(await screen.findByLabelText('Step number')).toHaveValue(3);
    expect(screen.getByLabelText('Delay in days')).toHaveValue(0);
    expect(screen.getByLabelText('Active')).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Create' }));
    for (const text of ['Please enter a name', 'Please enter a subject', 'Please enter the content'])
      expect(screen.getByText(text)).toBeVisible();
    expect(server.asked(`POST ${API}/sequences/s/templates`)).toEqual([]);
  });

  it('previews the email, saves changes, and sends a test', async () => {
    server.on(`GET ${API}/templates/t1`, { success: true, template: template(1) });
    server.on(`POST ${API}/templates/preview`, preview);
    server.on(`POST ${API}/templates/t1/test`, { status: 202, body: { success: true, sent_to: 'ann@example.com' } });
    server.on(
      `PUT ${API}/templates/t1`,
      refusal(409, 'Another template of this sequence is step 2 already.', 'STEP_TAKEN'),
    );
    const { user, address } = renderApp(`${PAGE}/s/templates/t1/edit`);
    const step = await screen.findByLabelText('Step number');
    await user.click(screen.getByRole('tab', { name: 'Text' }));
    expect(await screen.findByText('Hi Alex, as text')).toBeVisible();
    await user.clear(step);
    await user.type(step, '2');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Failed to update template')).toBeVisible();
    expect(screen.getByText('Another template of this sequence is step 2 already.')).toBeVisible();
    server.on(`PUT ${API}/templates/t1`, { success: true, template: template(2) });
    await user.click(screen.getByRole('button', { name: 'Send a test to yourself' }));
    expect(await screen.findByText('The saved template is on its way to ann@example.com.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(address()).toBe(`${PAGE}/s/templates`));
    expect(server.asked(`PUT ${API}/templates/t1`).at(-1)?.body).toEqual({
      name: 'Template 1',
      subject: 'Subject 1',
      content: 'Hi {{user_name}}',
      step_number: 2,
      delay_days: 0,
      is_active: true,
      version: 1,
    });
  });
});
