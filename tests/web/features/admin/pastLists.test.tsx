import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PastUserView } from '../../../../src/http/contract/admin/pastLists.ts';
import { exactTime } from '../../../../web/ui/text/time.ts';
import { type FakeServer, fakeServer } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { adminJob, completedJob, position, profileResponse } from '../../given/views.ts';

const PAST = '/api/v1/admin/history/past';
const TIME = '2026-11-17T09:05:00.000Z';
const moment = { position: position(2), time: TIME, requested: null, now: false };
const page = { success: true, moment, erased: 0, cursor: null };

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
});

const user = (over: Partial<PastUserView>): PastUserView => ({
  id: 'user-1',
  email: 'ann@example.com',
  created_at: TIME,
  is_admin: false,
  sign_in_enabled: true,
  plan: 'tier1',
  jobs: 3,
  erased_jobs: 0,
  items: 10,
  completed_items: 4,
  more: false,
  ...over,
});

describe('the past list of users', () => {
  it('shows role, plan, jobs and action items, and links to the jobs and bill at that moment', async () => {
    const data = [
      user({}),
      user({
        id: 'user-2',
        email: 'bob@example.com',
        is_admin: true,
        sign_in_enabled: false,
        plan: null,
        erased_jobs: 2,
        more: true,
        items: 0,
      }),
    ];
    server.on(`GET ${PAST}/users`, { ...page, data, erased: 2 });
    renderApp(`/admin/history?view=users&at=${TIME}`);
    const table = await screen.findByRole('table', { name: 'Users at that time' });
    const [, ann, bob] = within(table).getAllByRole('row');
    expect(ann).toHaveTextContent('Basic');
    expect(ann).toHaveTextContent('4 of 10 completed');
    expect(bob).toHaveTextContent(/Admin.*Disabled.*3\+.*2 deleted since/);
    const link = (name: string) =>
      new URLSearchParams(within(table).getByRole('link', { name }).getAttribute('href')?.split('?')[1]);
    expect(Object.fromEntries(link('ann@example.com'))).toEqual({
      view: 'jobs',
      status: 'all',
      at: position(2),
      user: 'user-1',
    });
    expect(Object.fromEntries(link('Basic'))).toEqual({ stream: 'billing-user-1', at: position(2) });
    expect(screen.getByText('2 accounts have been deleted since and cannot be listed.')).toBeVisible();
    expect(screen.getByText(`Snapshot of ${exactTime(TIME, 'seconds')}`)).toBeVisible();
  });

  it('can be searched by email', async () => {
    server.on(`GET ${PAST}/users`, ({ query }: { query: URLSearchParams }) => ({
      ...page,
      data: query.get('search') ? [] : [user({})],
    }));
    const { user: person, address } = renderApp(`/admin/history?view=users&at=${TIME}`);
    await person.type(await screen.findByLabelText('Email started with'), 'zoe{Enter}');
    expect(await screen.findByText('No matching users at that time.')).toBeVisible();
    expect(address()).toContain('search=zoe');
    await person.click(screen.getByRole('button', { name: 'Show all users' }));
    expect(await screen.findByRole('link', { name: 'ann@example.com' })).toBeVisible();
  });
});

describe('the other past lists', () => {
  it('are linked to each other, at the same moment', async () => {
    server.on(`GET ${PAST}/jobs`, { ...page, data: [adminJob({ ...completedJob() })] });
    server.on(`GET ${PAST}/users`, { ...page, data: [user({})] });
    const { user: person, address } = renderApp(`/admin/history?at=${TIME}`);
    const lists = within(await screen.findByRole('navigation', { name: 'Lists at this time' }));
    expect(lists.getByRole('link', { name: 'Jobs' })).toHaveAttribute('aria-current', 'page');
    await screen.findByRole('table', { name: 'Jobs at that time' });
    await person.click(lists.getByRole('link', { name: 'Users' }));
    expect(await screen.findByRole('table', { name: 'Users at that time' })).toBeVisible();
    expect(address()).toContain(`at=${position(2)}`);
  });

  it('search jobs by site', async () => {
    server.on(`GET ${PAST}/jobs`, { ...page, data: [adminJob({ ...completedJob() })] });
    const { user: person } = renderApp(`/admin/history?at=${TIME}`);
    await person.type(await screen.findByLabelText('Website starts with'), 'exam{Enter}');
    await waitFor(() => expect(server.asked(`GET ${PAST}/jobs`).at(-1)?.query.get('search')).toBe('exam'));
  });

  it('show prompts with their version and text at that moment', async () => {
    const prompt = {
      key: 'summary',
      name: 'Summary',
      description: '',
      category: 'summary',
      variables: [],
      content: 'Write two sentences.',
      is_active: true,
    };
    server.on(`GET ${PAST}/prompts`, { success: true, moment, data: [{ ...prompt, version: 2, updated_at: TIME }] });
    const { user: person } = renderApp(`/admin/history?view=prompts&at=${TIME}`);
    const list = within(await screen.findByRole('list', { name: 'Prompts at that time' }));
    expect(list.getByText(`Version 2, saved on ${exactTime(TIME, 'seconds')}`)).toBeVisible();
    await person.click(list.getByText('Text'));
    expect(list.getByText('Write two sentences.')).toBeVisible();
  });

  it('show email sequences with their templates at that moment', async () => {
    const template = {
      id: 't',
      sequence_id: 's',
      name: 'Hello',
      subject: 'Welcome!',
      content: 'Hi {{user_name}}',
      step_number: 1,
      delay_days: 1,
      is_active: false,
      version: 1,
    };
    const sequence = {
      id: 's',
      name: 'Welcome',
      description: '',
      trigger: 'sign_up',
      is_active: true,
      activated_at: TIME,
      created_at: TIME,
    };
    server.on(`GET ${PAST}/sequences`, {
      success: true,
      moment,
      data: [{ ...sequence, templates: [template] }],
      cursor: null,
    });
    const { user: person } = renderApp(`/admin/history?view=sequences&at=${TIME}`);
    const list = within(await screen.findByRole('list', { name: 'Email sequences at that time' }));
    await person.click(list.getByText('Step 1: Hello (inactive)'));
    expect(list.getByText('Hi {{user_name}}')).toBeVisible();
    expect(list.getByText('Welcome! · 1 day')).toBeVisible();
  });
});

describe('what was changed in the whole installation', () => {
  it('is a number by kind, and on demand a list that links to the history', async () => {
    const counts = [
      { type: 'JobSubmitted', title: 'Job submitted', count: 2 },
      { type: 'JobDeleted', title: 'Job deleted', count: 1 },
      { type: 'PromptSaved', title: 'Prompt saved', count: 1 },
    ];
    const counted = {
      success: true,
      from: moment,
      to: moment,
      events: 4,
      counts,
      money: [],
      next: null,
      reached: TIME,
    };
    server.on(`GET ${PAST}/changes`, counted);
    const row = { at: TIME, by: 'ann@example.com', position: position(1), revision: 0, detail: null };
    server.on(`GET ${PAST}/change-list`, ({ query }: { query: URLSearchParams }) =>
      query.get('cursor') === null
        ? {
            success: true,
            data: [{ ...row, type: 'JobDeleted', title: 'Job deleted', stream: 'job-2', revision: 9, what: null }],
            cursor: position(1),
          }
        : {
            success: true,
            data: [
              {
                ...row,
                type: 'JobSubmitted',
                title: 'Job submitted',
                stream: 'job-1',
                position: position(0),
                what: 'shop.example',
              },
            ],
            cursor: null,
          },
    );
    const { user: person } = renderApp('/admin/history?view=changes');
    const kinds = within(await screen.findByRole('list', { name: 'Changes by kind' }));
    const rows = kinds.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(rows).toEqual(expect.arrayContaining(['Users: 0 changes', 'Jobs: 3 changesShow', 'Prompts: 1 changeShow']));
    expect(kinds.getAllByRole('button')).toHaveLength(2);
    await person.click(kinds.getByRole('button', { name: 'Show: Jobs' }));
    const list = within(await screen.findByRole('list', { name: 'Changes: Jobs' }));
    expect(list.getByRole('listitem')).toHaveTextContent('Job deleted deleted since');
    expect(list.getByRole('link', { name: 'Job deleted' })).toHaveAttribute('href', '/admin/history?stream=job-2#9');
    await person.click(kinds.getByRole('button', { name: 'Load more' }));
    expect(await list.findByText('shop.example')).toBeVisible();
  });
});
