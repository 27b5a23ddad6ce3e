/** The past at moments of which the server has nothing to show: each page still leads to another moment. */
import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { localTime } from '../../../../web/features/admin/past/pastAddress.ts';
import { exactTime } from '../../../../web/ui/text/time.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { position, profileResponse } from '../../given/views.ts';

const PAST = '/api/v1/admin/history/past';
const EARLY = '2025-11-25T10:00:00.999Z';
const LATER = '2026-11-17T09:05:00.000Z';
const NOTHING_YET = refusal(404, 'There were no events yet at that time.', 'NOTHING_YET');
const INVALID = 'Give a position of the log, or a time in UTC like 2026-03-10T12:00:00Z';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
});

const field = (name: string) => screen.getByLabelText(name, { selector: 'input' });

describe('a moment before everything', () => {
  it.each([
    ['view=jobs', 'jobs', 'All jobs'],
    ['view=jobs&user=user-1', 'users/user-1/jobs', 'Jobs of a user'],
    ['view=users', 'users', 'All users'],
    ['view=prompts', 'prompts', 'Prompts'],
    ['view=sequences', 'sequences', 'Email sequences'],
    ['stream=job-job-1', 'jobs/job-1', 'A job'],
    ['stream=billing-user-1', 'bills/user-1', 'Bill of a user'],
  ])('keeps heading, banner and form of %s', async (view, path, heading) => {
    server.on(`GET ${PAST}/${path}`, NOTHING_YET);
    renderApp(`/admin/history?${view}&at=${EARLY}`);
    expect(await screen.findByText('There were no events yet at that time.')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(screen.getByText(`Snapshot of ${exactTime(EARLY, 'seconds')}`)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to live' })).toBeVisible();
    expect(field('Point in time')).toHaveAttribute('value', localTime(EARLY));
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('hides what a later one showed, and leads to another', async () => {
    server.on(`GET ${PAST}/jobs`, ({ query }: { query: URLSearchParams }) =>
      query.get('at')?.startsWith('2025')
        ? NOTHING_YET
        : {
            success: true,
            moment: { position: position(2), time: LATER, requested: null, now: false },
            data: [],
            erased: 0,
            cursor: null,
          },
    );
    const { user } = renderApp(`/admin/history?view=jobs&at=${LATER}`);
    expect(await screen.findByText('No jobs at that time.')).toBeVisible();
    const show = within(screen.getByRole('form', { name: 'Point in time' })).getByRole('button', { name: 'Show' });
    fireEvent.change(field('Point in time'), { target: { value: '2025-11-25T10:00:00' } });
    await user.click(show);
    expect(await screen.findByText('There were no events yet at that time.')).toBeVisible();
    expect(screen.queryByText('No jobs at that time.')).toBeNull();
    fireEvent.change(field('Point in time'), { target: { value: localTime(LATER) } });
    await user.click(show);
    expect(await screen.findByText('No jobs at that time.')).toBeVisible();
    expect(show).toHaveFocus();
  });

  it('cannot be compared with, but with others', async () => {
    for (const path of ['changes', 'changes/user-1']) server.on(`GET ${PAST}/${path}`, NOTHING_YET);
    for (const [more, heading] of [
      ['', 'What changed in the whole installation'],
      ['&user=user-1&of=bill', 'What changed in the bill of a user'],
    ] as const) {
      const { unmount } = renderApp(`/admin/history?view=changes&from=5&to=${EARLY}${more}`);
      expect(await screen.findByText('There were no events yet at that time.')).toBeVisible();
      expect(screen.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      expect([field('From'), field('To')].map((each) => each.getAttribute('value'))).toEqual(['', localTime(EARLY)]);
      unmount();
    }
  });
});

describe('an invalid moment', () => {
  it('leaves the form empty, and says what a moment is', async () => {
    server.on(`GET ${PAST}/jobs`, refusal(400, INVALID, 'INVALID_INPUT'));
    renderApp('/admin/history?at=banana');
    expect(await screen.findByText(INVALID)).toBeVisible();
    expect(screen.getByText('Snapshot')).toBeVisible();
    expect(field('Point in time')).toHaveValue('');
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });

  it('leaves the form of two moments', async () => {
    server.on(`GET ${PAST}/changes`, refusal(400, INVALID, 'INVALID_INPUT'));
    renderApp('/admin/history?view=changes&from=2026-01-01&to=2026-12-31');
    expect(await screen.findByText(INVALID)).toBeVisible();
    expect(screen.getByRole('form', { name: 'Two points in time' })).toBeVisible();
  });
});

describe('something that is not there', () => {
  it('is said to be missing, and no more', async () => {
    server.on(`GET ${PAST}/bills/user-1`, refusal(404, 'Account not found', 'ACCOUNT_NOT_FOUND'));
    renderApp(`/admin/history?stream=billing-user-1&at=${LATER}`);
    expect(await screen.findByText('There is no such bill.')).toBeVisible();
  });
});

describe('a deleted account', () => {
  it('leads back to the list of users, since it has no page', async () => {
    const moment = { position: position(2), time: LATER, requested: null, now: false };
    server.on(`GET ${PAST}/users/user-1/jobs`, {
      success: true,
      moment,
      email: null,
      data: [],
      erased: 0,
      cursor: null,
    });
    renderApp('/admin/history?view=jobs&user=user-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Jobs of a deleted account' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to live' })).toHaveAttribute('href', '/admin/users');
  });
});
