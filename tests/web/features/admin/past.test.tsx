import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type {
  ChangesResponse,
  PastJobResponse,
  PastReportResponse,
  StepsResponse,
} from '../../../../src/http/contract/admin/past.ts';
import { mergeChanges } from '../../../../web/features/admin/past/mergeChanges.ts';
import {
  hasPast,
  localTime,
  pastRequestIn,
  searchOf,
  utcTime,
} from '../../../../web/features/admin/past/pastAddress.ts';
import { exactTime } from '../../../../web/ui/text/time.ts';
import { type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import {
  action,
  adminJob,
  adminJobResponse,
  completedJob,
  position,
  profileResponse,
  subscriptionResponse,
} from '../../given/views.ts';

const PAST = '/api/v1/admin/history/past';
const JOB = `${PAST}/jobs/job-1`;
const TIMES = ['2026-11-17T09:00:00.000Z', '2026-11-17T09:05:00.000Z', '2026-11-20T16:30:00.000Z'] as const;
const moment = (nth: number) => ({
  position: position(nth + 1),
  time: TIMES[nth] ?? '',
  requested: null,
  now: nth === 2,
});
const momentOf = (at: string | null) =>
  moment(
    at === null
      ? 2
      : Math.max(
          0,
          TIMES.findIndex((_, nth) => position(nth + 1) === at),
        ),
  );
const emails = { userEmail: 'ann@example.com', user_email: 'ann@example.com' };

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
});

const steps: StepsResponse = {
  success: true,
  erased: null,
  data: ['Job submitted: https://example.com/', 'Job completed', 'Action item completed'].map((title, nth) => ({
    position: position(nth + 1),
    at: TIMES[nth] ?? '',
    title,
    by: 'its owner',
  })),
  earlier: false,
};

function jobThen(at: string | null): PastJobResponse {
  const { job, own, owner, paid, shares } = adminJobResponse({ job: adminJob({ ...completedJob(), ...emails }) }).data;
  return {
    success: true,
    moment: momentOf(at),
    erased: null,
    data: { job, own, owner, paid, shares, report: true, parked: false },
  };
}

function reportThen(at: string | null): PastReportResponse {
  const done = momentOf(at).now;
  return {
    success: true,
    moment: momentOf(at),
    erased: null,
    data: {
      files: ['executive-summary.md'],
      found: null,
      items: [action({ title: 'Write titles', status: done ? 'completed' : 'todo' })],
      items_by: 'Built-in analyst',
    },
  };
}

function serveJob(): void {
  server.on(`GET ${JOB}`, ({ query }: { query: URLSearchParams }) => jobThen(query.get('at')));
  server.on(`GET ${JOB}/report`, ({ query }: { query: URLSearchParams }) => reportThen(query.get('at')));
  server.on(`GET ${JOB}/shares`, ({ query }: { query: URLSearchParams }) => ({
    success: true,
    moment: momentOf(query.get('at')),
    erased: null,
    data: [],
  }));
  server.on(`GET ${JOB}/steps`, steps);
}

describe('a past job', () => {
  it('is marked as past, with the way back, and cannot be changed', async () => {
    serveJob();
    renderApp(`/admin/history?stream=job-job-1&at=${position(2)}`);
    expect(await screen.findByText(`Snapshot of ${exactTime(TIMES[1], 'seconds')}`)).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to live' })).toHaveAttribute('href', '/admin/jobs/job-1');
    expect(screen.queryByRole('button', { name: /Cancel|Run again|Delete/ })).toBeNull();
  });

  it('follows the slider’s keys and buttons, announcing the event and its time', async () => {
    serveJob();
    const { user, address } = renderApp(`/admin/history?stream=job-job-1&at=${position(3)}`);
    const slider = await screen.findByRole('slider', { name: 'Event' });
    expect(slider).toHaveAttribute(
      'aria-valuetext',
      `Action item completed, by its owner, ${exactTime(TIMES[2], 'seconds')}`,
    );
    await user.click(screen.getByRole('button', { name: 'Open report' }));
    const items = await screen.findByRole('list', { name: 'Action items' });
    expect(within(items).getByText('Completed')).toBeVisible();
    // jsdom's slider has no keys: the browser test presses them.
    fireEvent.change(slider, { target: { value: '1' } });
    await waitFor(() => expect(address()).toContain(`at=${position(2)}`));
    expect(await within(await screen.findByRole('list', { name: 'Action items' })).findByText('Todo')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Earlier' }));
    await waitFor(() => expect(address()).toContain(`at=${position(1)}`));
    expect(screen.getByRole('button', { name: 'Earlier' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Earlier' })).toHaveFocus();
  });

  it('shows the moment of the slider once it rests, without blocking it', async () => {
    serveJob();
    renderApp(`/admin/history?stream=job-job-1&at=${position(3)}`);
    const slider = await screen.findByRole('slider', { name: 'Event' });
    const slow = held(jobThen(position(1)));
    server.on(`GET ${JOB}`, () => slow.answer);
    for (const value of ['1', '0']) fireEvent.change(slider, { target: { value } });
    expect(slider).toHaveValue('0');
    await waitFor(() => expect(server.asked(`GET ${JOB}`)).toHaveLength(2));
    expect(server.asked(`GET ${JOB}`)[1]?.query.get('at')).toBe(position(1));
    expect(slider).toHaveValue('0');
    slow.letGo();
    expect(await screen.findByText(`Snapshot of ${exactTime(TIMES[0], 'seconds')}`)).toBeVisible();
    expect(slider).toHaveValue('0');
  });

  it('moves the slider to a typed moment', async () => {
    serveJob();
    server.on(`GET ${JOB}`, ({ query }: { query: URLSearchParams }) =>
      jobThen(query.get('at')?.startsWith('2026') ? position(2) : query.get('at')),
    );
    const { user } = renderApp(`/admin/history?stream=job-job-1&at=${position(3)}`);
    const slider = await screen.findByRole('slider', { name: 'Event' });
    fireEvent.change(slider, { target: { value: '0' } });
    expect(await screen.findByText(`Snapshot of ${exactTime(TIMES[0], 'seconds')}`)).toBeVisible();
    const form = within(screen.getByRole('form', { name: 'Point in time' }));
    fireEvent.change(form.getByLabelText('Point in time'), { target: { value: localTime(TIMES[1]) } });
    const show = form.getByRole('button', { name: 'Show' });
    await user.click(show);
    expect(await screen.findByText(`Snapshot of ${exactTime(TIMES[1], 'seconds')}`)).toBeVisible();
    expect(slider).toHaveValue('1');
    expect(show).toHaveFocus();
  });

  it('shows when its links were created, not how long ago', async () => {
    serveJob();
    const share = {
      id: 'x1',
      title: 'A shared plan',
      created_at: TIMES[0],
      expires_at: null,
      is_active: true,
      share_mode: 'full',
      view_count: 4,
      job_id: 'job-1',
    };
    server.on(`GET ${JOB}/shares`, { success: true, moment: moment(2), erased: null, data: [share] });
    renderApp(`/admin/history?stream=job-job-1&at=${position(3)}`);
    const links = within(await screen.findByRole('list', { name: 'Shared links' }));
    expect(await links.findByText(exactTime(TIMES[0]))).toBeVisible();
  });

  it('that was deleted shows only when and by whom', async () => {
    server.on(`GET ${JOB}`, {
      success: true,
      moment: moment(1),
      erased: { at: TIMES[2], by: 'its owner' },
      data: null,
    });
    renderApp(`/admin/history?stream=job-job-1&at=${position(2)}`);
    expect(
      await screen.findByText(`This job was deleted on ${exactTime(TIMES[2], 'seconds')} by its owner`),
    ).toBeVisible();
    expect(screen.queryByRole('slider')).toBeNull();
  });

  it('explains what a moment is for an invalid address', async () => {
    const message = 'Give a position of the log, or a time in UTC like 2026-03-10T12:00:00Z';
    for (const more of ['', '/report', '/shares'])
      server.on(`GET ${JOB}${more}`, refusal(400, message, 'INVALID_INPUT'));
    renderApp('/admin/history?stream=job-job-1&at=yesterday');
    expect((await screen.findAllByText(message))[0]).toBeVisible();
    expect(screen.queryByText(/answered 400/)).toBeNull();
  });

  it('that did not exist yet says so', async () => {
    serveJob();
    server.on(`GET ${JOB}`, {
      success: true,
      moment: { position: position(0), time: '2026-11-01T00:00:00.000Z', requested: null, now: false },
      erased: null,
      data: null,
    });
    renderApp('/admin/history?stream=job-job-1&at=2026-11-01T00:00:00.000Z');
    expect(await screen.findByText('It didn’t exist at that time.')).toBeVisible();
    expect(await screen.findByText('Before its first event')).toBeVisible();
  });
});

describe('a past bill', () => {
  it('shows plan, balance and payments of then', async () => {
    const { data: billing } = subscriptionResponse();
    server.on(`GET ${PAST}/bills/user-1`, {
      success: true,
      moment: moment(1),
      data: { email: 'ann@example.com', billing, history: [], more: false },
    });
    server.on(`GET ${PAST}/bills/user-1/steps`, steps);
    renderApp(`/admin/history?stream=billing-user-1&at=${position(2)}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Bill of ann@example.com' })).toBeVisible();
    expect(screen.getByText('No payments and no credits yet.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Back to live' })).toHaveAttribute('href', '/admin/users/user-1');
    const since = new URLSearchParams({ view: 'changes', of: 'bill', from: position(2), user: 'user-1' });
    expect(screen.getByRole('link', { name: 'What changed since' })).toHaveAttribute('href', `/admin/history?${since}`);
  });

  it('links to the changes of the last 30 days when current', async () => {
    const { data: billing } = subscriptionResponse();
    server.on(`GET ${PAST}/bills/user-1`, {
      success: true,
      moment: moment(2),
      data: { email: 'ann@example.com', billing, history: [], more: false },
    });
    server.on(`GET ${PAST}/bills/user-1/steps`, steps);
    renderApp('/admin/history?stream=billing-user-1&at=');
    const from = '2026-10-21T16:30:00.000Z';
    const path = `/admin/history?${new URLSearchParams({ view: 'changes', of: 'bill', from, user: 'user-1' })}`;
    expect(await screen.findByRole('link', { name: 'What changed' })).toHaveAttribute('href', path);
  });
});

describe('past jobs', () => {
  it('are the rows of then, link to the job of then, and say what has been deleted since', async () => {
    const data = [adminJob({ ...completedJob(), ...emails })];
    server.on(`GET ${PAST}/jobs`, { success: true, moment: moment(1), data, erased: 2, cursor: null });
    renderApp(`/admin/history?view=jobs&at=${TIMES[1]}`);
    const link = await screen.findByRole('link', { name: 'example.com' });
    expect(link).toHaveAttribute('href', expect.stringContaining(`at=${position(2)}`));
    expect(screen.getByText(exactTime(data[0]?.created_at ?? ''))).toBeVisible();
    expect(
      screen.getByText('2 jobs that existed then have been deleted since, not counting jobs of deleted accounts.'),
    ).toBeVisible();
    expect(server.asked(`GET ${PAST}/jobs`)[0]?.query.get('at')).toBe(TIMES[1]);
  });

  it('are of the time that was requested, also if the last event was earlier', async () => {
    const requested = '2026-11-18T12:00:30.999Z';
    server.on(`GET ${PAST}/jobs`, {
      success: true,
      moment: { ...moment(1), requested },
      data: [],
      erased: 0,
      cursor: null,
    });
    renderApp(`/admin/history?at=${requested}`);
    const [then, last] = [requested, TIMES[1]].map((time) => exactTime(time, 'seconds'));
    expect(await screen.findByText(`Snapshot of ${then} (last event: ${last})`)).toBeVisible();
    expect(screen.getByLabelText('Point in time', { selector: 'input' })).toHaveAttribute(
      'value',
      localTime(requested),
    );
  });

  it('are loaded by a moment alone', async () => {
    server.on(`GET ${PAST}/jobs`, {
      success: true,
      moment: moment(1),
      data: [adminJob({ ...completedJob(), ...emails })],
      erased: 0,
      cursor: null,
    });
    renderApp(`/admin/history?at=${TIMES[1]}`);
    expect(await screen.findByRole('table', { name: 'Jobs at that time' })).toBeVisible();
    expect(server.asked(`GET ${PAST}/jobs`)[0]?.query.get('at')).toBe(TIMES[1]);
  });

  it('of one user have their own list, which may be empty', async () => {
    const list = (...data: readonly object[]) => ({
      success: true,
      moment: moment(1),
      email: 'ann@example.com',
      data,
      erased: 0,
      cursor: null,
    });
    const { id, url, host, status, score } = completedJob();
    const job = {
      id,
      url,
      host,
      status,
      score,
      created_at: TIMES[0],
      access: 'full',
      action_count: 12,
      reason_code: null,
    };
    server.on(`GET ${PAST}/users/user-1/jobs`, ({ query }: { query: URLSearchParams }) =>
      query.has('at') ? list(job) : list(),
    );
    const { unmount } = renderApp('/admin/history?view=jobs&user=user-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Jobs of ann@example.com' })).toBeVisible();
    expect(screen.getByText('No jobs at that time.')).toBeVisible();
    unmount();
    renderApp(`/admin/history?view=jobs&user=user-1&at=${position(2)}`);
    expect(await screen.findByText(exactTime(TIMES[0]))).toBeVisible();
  });

  it('are linked from the start page', async () => {
    server.on(`GET ${PAST}/jobs`, { success: true, moment: moment(1), data: [], erased: 0, cursor: null });
    const { user, address } = renderApp('/admin/history');
    const form = await screen.findByRole('form', { name: 'Point in time' });
    fireEvent.change(within(form).getByLabelText('Point in time'), { target: { value: '2026-11-17T10:05:00' } });
    await user.click(within(form).getByRole('button', { name: 'Show' }));
    await waitFor(() =>
      expect(new URLSearchParams(address().split('?')[1]).get('at')).toBe(utcTime('2026-11-17T10:05:00')),
    );
  });
});

const part = (over: Partial<ChangesResponse>): ChangesResponse => ({
  success: true,
  from: moment(0),
  to: moment(2),
  events: 2,
  money: [{ currency: 'usd', in: 5_000, out: 0 }],
  next: null,
  reached: TIMES[2],
  counts: [{ type: 'JobSubmitted', title: 'Job submitted', count: 2 }],
  ...over,
});

describe('the changes between two moments', () => {
  it('are counted part by part and added up', async () => {
    server.on(`GET ${PAST}/changes`, ({ query }: { query: URLSearchParams }) =>
      query.get('after') === null
        ? part({ next: position(2), reached: TIMES[1] })
        : part({ counts: [{ type: 'FundsAdded', title: 'Funds added', count: 2 }] }),
    );
    renderApp(`/admin/history?view=changes&from=${TIMES[0]}&to=${TIMES[2]}`);
    expect(await screen.findByText('4 events')).toBeVisible();
    expect(
      within(screen.getByRole('list', { name: 'Events by type' }))
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Funds added2', 'Job submitted2']);
    expect(within(screen.getByRole('list', { name: 'Money' })).getByText('$100.00')).toBeVisible();
    expect(mergeChanges([])).toBeNull();
  });

  it('of a user are shown as differences', async () => {
    const { next: _, reached: __, ...counted } = part({});
    const differences = [{ what: 'Plan', before: 'Free', after: 'Starter' }];
    server.on(`GET ${PAST}/changes/user-1`, { ...counted, jobs: null, email: 'ann@example.com', differences });
    renderApp('/admin/history?view=changes&user=user-1&of=bill');
    const list = await screen.findByRole('list', { name: 'Differences' });
    expect(within(list).getByRole('listitem')).toHaveTextContent('PlanFree became Starter');
    expect(screen.queryByText(/jobs, the newest/)).toBeNull();
  });

  it('of a user with more jobs than are counted say so', async () => {
    const { next: _, reached: __, ...counted } = part({});
    server.on(`GET ${PAST}/changes/user-1`, {
      ...counted,
      jobs: { counted: 100, more: true },
      email: 'ann@example.com',
      differences: [],
    });
    renderApp('/admin/history?view=changes&user=user-1');
    expect(await screen.findByText('Of this user’s jobs, the newest 100 are counted.')).toBeVisible();
  });
});

describe('the address of a past page', () => {
  it('is written from its parameters and parsed back', () => {
    const jobs = ['view=jobs&status=all&at=5&user=u', 'view=jobs&status=all&search=exa&at=5'];
    const lists = ['view=users&search=ann&at=5', 'view=prompts&at=5', 'view=sequences&at=5'];
    for (const address of [
      'stream=job-1&at=5',
      'stream=billing-u&at=5',
      ...jobs,
      ...lists,
      'view=changes&of=bill&from=1&to=2&user=u',
    ]) {
      const asked = pastRequestIn(new URLSearchParams(address));
      expect(asked && [...searchOf(asked)].sort(), address).toEqual([...new URLSearchParams(address)].sort());
    }
    expect(['job-1', 'billing-u', 'account-1'].map(hasPast)).toEqual([true, true, false]);
    for (const address of ['', 'stream=job-1', 'stream=account-1&at=5', 'event=1', 'event=1&at=5', 'find=x&at=5'])
      expect(pastRequestIn(new URLSearchParams(address)), address).toBeNull();
  });

  it('converts times to the reader’s zone and back, to the end of the second', () => {
    expect(utcTime(localTime(TIMES[1]))).toBe('2026-11-17T09:05:00.999Z');
    expect([localTime('never'), utcTime('')]).toEqual(['', '']);
  });
});
