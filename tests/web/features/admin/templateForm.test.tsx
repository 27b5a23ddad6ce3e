/**
 * The form of an email sequence template: placeholders checked while typing, changes that are left and found again, and
 * two admins who save. A plain field replaces the editor.
 */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SequenceTemplateView, SequenceView } from '../../../../src/http/contract/admin/emailSequences.ts';
import { enter } from '../../given/enter.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const API = '/api/v1/admin/email-sequences';
const PAGE = '/admin/email-sequences/s/templates';
const SAVE = `PUT ${API}/templates/t`;
const CREATE = `POST ${API}/sequences/s/templates`;

let server: FakeServer;
/** As the server has it. */
let kept: SequenceTemplateView;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  kept = {
    id: 't',
    sequence_id: 's',
    name: 'Getting started',
    subject: 'Hi',
    content: 'Welcome',
    step_number: 1,
    delay_days: 0,
    is_active: true,
    version: 1,
  };
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
  const described = {
    id: 's',
    name: 'Welcome',
    description: '',
    trigger: 'sign_up',
    is_active: false,
    activated_at: null,
  } as const;
  const row = { ...described, created_at: '2026-03-10T12:00:00.000Z' };
  server.on(`GET ${API}/sequences`, {
    success: true,
    sequences: [{ ...row, templates: [kept], template_count: 1 }],
    cursor: null,
  });
  server.on(`GET ${API}/sequences/s`, () => {
    const sequence: SequenceView = { ...row, templates: [kept] };
    return { success: true, sequence, ...sequence };
  });
  server.on(`GET ${API}/sequences/s/figures`, refusal(503, 'away'));
  server.on(`GET ${API}/templates/t`, () => ({ success: true, template: kept }));
  server.on(`POST ${API}/templates/preview`, { success: true, faults: [], preview: null });
  server.on(SAVE, ({ body }: { body: SequenceTemplateView }) => {
    if (body.version !== kept.version) return refusal(409, `Version ${kept.version} was saved.`, 'TEMPLATE_CHANGED');
    kept = { ...kept, ...body, version: kept.version + 1 };
    return { success: true, template: kept };
  });
});

const subject = () => screen.findByLabelText('Subject');
const press = (name: string) => screen.getByRole('button', { name });

async function opened(page = 't/edit') {
  const app = renderApp(`${PAGE}/${page}`);
  const field = await subject();
  const write = async (text: string): Promise<void> => {
    await app.user.clear(field);
    await enter(app.user, field, text);
  };
  return { ...app, write };
}

describe('placeholders', () => {
  it('that do not exist are named while typing, with their place', async () => {
    const { user, write } = await opened();
    await write('Hi {{user_nam}}, from {{company_name}}');
    expect(screen.getByText('Character 4: There is no placeholder {{user_nam}}.')).toBeVisible();
    await write('Hi {{user_name}}, from {{company_name}}');
    expect(screen.queryByText(/There is no placeholder/)).toBeNull();
    const content = screen.getByLabelText('Content');
    await user.clear(content);
    await user.type(content, 'Dear user,{Enter}bye from {{{{nobody}}{Enter}{{% for i in (1..3) %}{{{{i}}{{% endfor %}');
    expect(screen.getByText('Line 2: There is no placeholder {{nobody}}.')).toBeVisible();
    expect(screen.queryByText(/\{\{i\}\}\./)).toBeNull();
  });

  it('do not make the subject too long', async () => {
    const { user } = await opened();
    await user.click(await subject());
    await user.paste('x'.repeat(200));
    await user.click(press('Save'));
    expect(screen.getByText('At most 200 characters')).toBeVisible();
    expect(await subject()).toHaveFocus();
    expect(server.asked(SAVE)).toEqual([]);
  });
});

describe('unsaved changes', () => {
  it('are kept while another page is open, say so, and can be discarded', async () => {
    const { user, write } = await opened();
    await write('Half a subj');
    expect(screen.getByText('Not saved yet')).toBeVisible();
    expect(screen.queryByText('Your changes from earlier are still here')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Email Sequences' }));
    await user.click(await screen.findByRole('link', { name: 'Welcome' }));
    await user.click(await screen.findByRole('link', { name: 'Edit Getting started' }));
    expect(await subject()).toHaveValue('Half a subj');
    expect(screen.getByText('Your changes from earlier are still here')).toBeVisible();
    await user.click(press('Discard changes'));
    expect(await subject()).toHaveValue('Hi');
    expect(screen.queryByText('Your changes from earlier are still here')).toBeNull();
    expect(screen.queryByText('Not saved yet')).toBeNull();
  });

  it('survive a reload until they are discarded', async () => {
    const { write, unmount } = await opened();
    await write('Half a subj');
    unmount();
    const { user } = await opened();
    expect(await subject()).toHaveValue('Half a subj');
    expect(screen.getByText('Your changes from earlier are still here')).toBeVisible();
    await user.click(press('Discard changes'));
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it('of a new template survive a reload and a failed creation, until it is created', async () => {
    server.on(CREATE, refusal(409, 'Another template of this sequence is step 2 already.', 'STEP_TAKEN'));
    const { user: first, write, unmount } = await opened('create');
    await write('Step two');
    await first.type(screen.getByLabelText('Name'), 'Second');
    unmount();
    const { user, address } = await opened('create');
    expect(await subject()).toHaveValue('Step two');
    expect(screen.getByLabelText('Name')).toHaveValue('Second');
    await user.type(screen.getByLabelText('Content'), 'Hi again');
    await user.click(press('Create'));
    expect(await screen.findByText('Failed to create template')).toBeVisible();
    expect(screen.getByText('Another template of this sequence is step 2 already.')).toBeVisible();
    expect(await subject()).toHaveValue('Step two');
    server.on(CREATE, { status: 201, body: { success: true, template: kept } });
    await user.click(press('Create'));
    await waitFor(() => expect(address()).toBe(PAGE));
    expect(server.asked(CREATE).at(-1)?.body).toEqual({
      name: 'Second',
      subject: 'Step two',
      content: 'Hi again',
      step_number: 2,
      delay_days: 0,
      is_active: true,
    });
    expect(sessionStorage).toHaveLength(0);
  });

  it('are gone once saved or canceled', async () => {
    const { user, write, address, unmount } = await opened();
    await write('Saved');
    await user.click(press('Save'));
    await waitFor(() => expect(address()).toBe(PAGE));
    expect([kept.subject, sessionStorage.length]).toEqual(['Saved', 0]);
    unmount();
    const again = await opened();
    expect(await subject()).toHaveValue('Saved');
    await again.write('Not this');
    await again.user.click(press('Cancel'));
    await waitFor(() => expect(again.address()).toBe(PAGE));
    expect([kept.subject, sessionStorage.length]).toEqual(['Saved', 0]);
  });

  it('are forgotten when their author logs out, on whichever page', async () => {
    const { user, write } = await opened();
    await write('Half a subj');
    await user.click(screen.getByRole('link', { name: 'Account' }));
    expect(sessionStorage).toHaveLength(1);
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it('are not shown to another admin in the same tab', async () => {
    const { write, unmount } = await opened();
    await write('Half a subj');
    unmount();
    server.on('GET /api/v1/auth/profile', profileResponse({ id: 'user-2' }, { is_admin: true }));
    await opened();
    expect(await subject()).toHaveValue('Hi');
  });
});

describe('a template that another admin saved meanwhile', () => {
  const theySave = () => {
    kept = { ...kept, subject: 'Theirs', delay_days: 3, version: 2 };
  };

  it('is not overwritten: both versions are compared, and the changes can be kept', async () => {
    const { user, write, address } = await opened();
    expect(screen.getByText('Version 1')).toBeVisible();
    await write('Mine');
    theySave();
    await user.click(press('Save'));
    expect(await screen.findByText('Version 2 was saved while you were editing version 1')).toBeVisible();
    expect(await subject()).toHaveValue('Mine');
    await user.click(press('Compare with version 2'));
    const diff = screen.getByRole('region', { name: 'Difference between version 2 and your text' });
    expect(within(diff).getByText('Theirs', { selector: 'del' })).toBeVisible();
    expect(within(diff).getByText('Mine', { selector: 'ins' })).toBeVisible();
    await user.click(press('Keep my changes'));
    await user.click(press('Save'));
    await waitFor(() => expect(address()).toBe(PAGE));
    // The field that was not edited here is as the other admin saved it.
    expect(server.asked(SAVE).at(-1)?.body).toMatchObject({ subject: 'Mine', delay_days: 3, version: 2 });
  });

  it('replaces changes that are discarded', async () => {
    const { user, write } = await opened();
    await write('Mine');
    theySave();
    await user.click(press('Save'));
    await user.click(await screen.findByRole('button', { name: 'Discard my changes' }));
    expect(await subject()).toHaveValue('Theirs');
    expect(screen.getByLabelText('Delay in days')).toHaveValue(3);
    expect(screen.queryByText(/was saved while/)).toBeNull();
  });

  it('is reported as soon as unsaved changes are opened again', async () => {
    const { write, unmount } = await opened();
    await write('Mine');
    unmount();
    theySave();
    await opened();
    expect(await subject()).toHaveValue('Mine');
    expect(screen.getByText('Version 2 was saved while you were editing version 1')).toBeVisible();
  });
});
