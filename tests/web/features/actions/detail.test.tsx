/** One task on its own page. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionView } from '../../../../src/http/contract/actions.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { action, actionsResponse, completedJob, jobsResponse, position } from '../../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
const PATH = '/dashboard/actions?jobId=job-1';
const ACTIONS = [
  action({ id: 'low', title: 'Shorten long titles', impact: 'low', category: 'content', time_estimate: 90 }),
  action({ id: 'high', title: 'Give every page a title' }),
  action({ id: 'medium', title: 'Describe images', impact: 'medium', status: 'completed', time_estimate: 30 }),
];

const FAILING = {
  at: '2026-11-22T10:00:00.000Z',
  outcome: 'still_failing' as const,
  text: 'One of two is still there.',
  fixed: 1,
  still_there: 1,
  not_checked: 0,
  still_there_at: [{ url: 'https://www.example.com/a', place: 'head > title', message: 'The title is missing.' }],
  not_checked_at: [],
};

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on('GET /api/v1/actions', actionsResponse({ actions: ACTIONS }));
});

describe('one task', () => {
  it('opens with all its details, and Back returns to the list', async () => {
    const { user, address } = renderApp(PATH);
    await user.click(await screen.findByRole('link', { name: 'Give every page a title' }));
    expect(address()).toBe(`${PATH}&actionId=high`);
    const heading = screen.getByRole('heading', { level: 2, name: 'Give every page a title' });
    expect(heading).toHaveFocus();
    for (const text of [
      'High impact on 12 of 14 pages, about 30 minutes of work.',
      'Pages without a title are rarely clicked in search results.',
      '3 pages have no title, so search engines make one up.',
      'Write a title of 15 to 60 characters for each page, with its subject first.',
      '<title>Blue ceramic mugs – Example Shop</title>',
      'within 2-4 weeks',
      'Technical',
      '20 min',
      'quick win',
      'high',
      '(missing)',
      '95%',
    ])
      expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByRole('link', { name: 'https://www.example.com/a' })).toHaveAttribute('target', '_blank');
    expect(screen.getByRole('link', { name: 'https://www.example.com/b' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Back to all actions' }));
    expect(address()).toBe(PATH);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Give every page a title' })).toHaveFocus());
  });

  it('opens from an address, and reports an unknown one', async () => {
    const { unmount } = renderApp(`${PATH}&actionId=medium`);
    expect(await screen.findByRole('heading', { level: 2, name: 'Describe images' })).toBeVisible();
    unmount();
    renderApp(`${PATH}&actionId=gone`);
    expect(await screen.findByText(/We couldn’t find this task/)).toBeVisible();
    expect(await screen.findAllByRole('article')).toHaveLength(3);
  });

  it('shows international addresses in Unicode, and links to them as they are', async () => {
    const url = 'https://xn--bcher-kva.example/stra%C3%9Fe';
    server.on('GET /api/v1/actions', actionsResponse({ actions: [action({ evidence: [], pages: [url] })] }));
    renderApp(`${PATH}&actionId=action-1`);
    expect(await screen.findByRole('link', { name: 'https://bücher.example/straße' })).toHaveAttribute('href', url);
  });

  it('never links to an invalid web address', async () => {
    const evidence = [{ url: 'javascript:alert(1)', place: 'a', value: 'b' }];
    server.on('GET /api/v1/actions', actionsResponse({ actions: [action({ evidence, pages: [] })] }));
    renderApp(`${PATH}&actionId=action-1`);
    expect((await screen.findByText('javascript:alert(1)')).closest('a')).toBeNull();
  });

  it('shows the overall progress, and the next action', async () => {
    renderApp(`${PATH}&actionId=high`);
    const overview = await screen.findByRole('region', { name: 'Progress Overview' });
    expect(within(overview).getByRole('progressbar', { name: 'Overall Completion' })).toHaveValue(33);
    expect(overview).toHaveTextContent('Next Recommended Action');
    // With fewer than two of high impact left: what is really next.
    expect(within(overview).getByRole('link', { name: 'Do this next: Shorten long titles' })).toBeVisible();
    expect(overview).toHaveTextContent('Time Remaining2h');
  });

  it('keeps notes and a rating', async () => {
    const bodies: unknown[] = [];
    let row = { ...ACTIONS[2] };
    server.on('PUT /api/v1/actions/medium/progress', ({ body }: Call) => {
      bodies.push(body);
      row = { ...row, ...(body as object) };
      server.on('GET /api/v1/actions', actionsResponse({ actions: [row as ActionView] }));
      return { success: true, action: row, stats: {} };
    });
    const { user } = renderApp(`${PATH}&actionId=medium`);
    const notes = await screen.findByLabelText('Notes');
    expect(screen.getByRole('button', { name: 'Save notes' })).toHaveAttribute('aria-disabled', 'true');
    await user.type(notes, 'Done by Ada');
    await user.click(screen.getByRole('button', { name: 'Save notes' }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: 'Save notes' })).toHaveAttribute('aria-disabled', 'true'),
    );
    expect(screen.getByRole('button', { name: 'Save notes' })).toHaveFocus();
    expect(screen.getByText('Notes saved.')).toHaveAttribute('role', 'status');
    await user.click(screen.getByRole('radio', { name: '4 of 5: Good' }));
    await waitFor(() => expect(bodies).toHaveLength(2));
    expect(bodies).toEqual([
      { notes: 'Done by Ada', jobId: 'job-1' },
      { effectiveness_rating: 4, jobId: 'job-1' },
    ]);
    expect(screen.getByRole('radio', { name: '4 of 5: Good' })).toBeChecked();
    expect(notes).toHaveValue('Done by Ada');
  });

  it('keeps unsaved text through a reload, until its author logs out', async () => {
    const before = renderApp(`${PATH}&actionId=medium`);
    await before.user.type(await screen.findByLabelText('Notes'), 'Half a sent');
    before.unmount();
    const { user } = renderApp(`${PATH}&actionId=medium`);
    expect(await screen.findByLabelText('Notes')).toHaveValue('Half a sent');
    await user.click(screen.getByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it('goes on in the field when text is discarded', async () => {
    const { user } = renderApp(`${PATH}&actionId=medium`);
    await user.type(await screen.findByLabelText('Notes'), 'Not this');
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByLabelText('Notes')).toHaveFocus();
  });

  it('keeps text typed during a save', async () => {
    const saved = held({ success: true, action: { ...ACTIONS[1], notes: 'Done' }, stats: {} });
    server.on('PUT /api/v1/actions/high/progress', () => saved.answer);
    const { user } = renderApp(`${PATH}&actionId=high`);
    const notes = await screen.findByLabelText('Notes');
    await user.type(notes, 'Done');
    await user.click(screen.getByRole('button', { name: 'Save notes' }));
    await user.type(notes, ', but look again in May');
    server.on('GET /api/v1/actions', actionsResponse({ actions: [{ ...(ACTIONS[1] as ActionView), notes: 'Done' }] }));
    saved.letGo();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save notes' })).not.toHaveAttribute('aria-busy'));
    expect(notes).toHaveValue('Done, but look again in May');
    expect(screen.getByRole('button', { name: 'Save notes' })).not.toHaveAttribute('aria-disabled');
  });

  it('keeps a draft for its own audit, even if another has a task with the same id', async () => {
    server.on('GET /api/v1/jobs', jobsResponse([completedJob(), completedJob({ id: 'job-2' })]));
    const analysis = (jobId: string) => ({
      id: jobId,
      jobId,
      domain: 'www.example.com',
      analysis_timestamp: '2026-11-20T10-01-00Z',
      created_at: '2026-11-20T10:00:00.000Z',
      actions_count: 3,
      score: 82,
    });
    server.on('GET /api/v1/actions/analyses', {
      success: true,
      analyses: [analysis('job-1'), analysis('job-2')],
      cursor: null,
    });
    server.on('GET /api/v1/actions', ({ query }: Call) =>
      actionsResponse({ jobId: query.get('jobId'), actions: ACTIONS }),
    );
    const { user } = renderApp(`${PATH}&actionId=high`);
    await user.type(await screen.findByLabelText('Notes'), 'of the first');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Audit' }), 'job-2');
    await user.click(await screen.findByRole('link', { name: 'Give every page a title' }));
    expect(await screen.findByLabelText('Notes')).toHaveValue('');
  });

  it('keeps the text when saving fails', async () => {
    server.on('PUT /api/v1/actions/high/progress', refusal(500, ''));
    const { user } = renderApp(`${PATH}&actionId=high`);
    await user.type(await screen.findByLabelText('Notes'), 'mine');
    await user.click(screen.getByRole('button', { name: 'Save notes' }));
    expect((await screen.findAllByText('Error: Failed to update action')).length).toBeGreaterThan(0);
    expect(screen.getByLabelText('Notes')).toHaveValue('mine');
  });

  it('can be verified on the site, and shows the result', async () => {
    const verification = FAILING;
    server.on('POST /api/v1/actions/high/verify', () => {
      const row = { ...(ACTIONS[1] as ActionView), last_verification: verification };
      server.on('GET /api/v1/actions', actionsResponse({ actions: [row] }));
      return { success: true, verification, results: [], completed: false, action: row, stats: {} };
    });
    const { user } = renderApp(`${PATH}&actionId=high`);
    await user.click(await screen.findByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Still failing')).toBeVisible();
    expect(screen.getByText('One of two is still there.')).toBeVisible();
    expect(screen.getByRole('list', { name: 'Still there' })).toHaveTextContent('The title is missing.');
    server.on('POST /api/v1/actions/high/verify', refusal(503, 'The site did not answer.'));
    await user.click(screen.getByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('The site did not answer.')).toBeVisible();
  });

  const rework = {
    id: 'rework-1',
    job_id: 'job-1',
    what: 'verification',
    action_id: 'high',
    ask: 1,
    status: 'pending',
    code: null,
    error: null,
    asked_at: '2026-11-22T10:00:00.000Z',
    ended_at: null,
  } as const;
  const REWORKS = 'GET /api/v1/jobs/job-1/reworks';
  const pending = {
    success: true,
    pending: true,
    rework,
    verification: null,
    results: [],
    completed: false,
    action: ACTIONS[1],
    stats: {},
  };
  const begin = () => {
    server.on(REWORKS, { success: true, reworks: [rework] });
    return pending;
  };
  /** Until the page waits for its end. */
  const verify = async (user: ReturnType<typeof renderApp>['user']): Promise<void> => {
    const sent = server.asked('POST /api/v1/actions/high/verify').length;
    await user.click(await screen.findByRole('button', { name: 'Verify' }));
    await waitFor(() => {
      expect(server.asked('POST /api/v1/actions/high/verify').length).toBeGreaterThan(sent);
      const since = server.calls.slice(server.calls.findLastIndex(({ method }) => method === 'POST'));
      expect(since.map(({ path }) => path)).toContain('/api/v1/jobs/job-1/reworks');
    });
  };
  const tell = (end: object) => {
    server.on(REWORKS, { success: true, reworks: [{ ...rework, ...end }] });
    const row = { ...rework, ...end };
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'reworks',
        table: 'reworks',
        eventType: 'UPDATE',
        new: row,
        old: null,
        position: position(9),
      }),
    );
  };

  it('shows a spinner during a long verification until the socket reports its end or failure', async () => {
    server.on('POST /api/v1/actions/high/verify', begin);
    const { user } = renderApp(`${PATH}&actionId=high`);
    await verify(user);
    expect(screen.getByRole('button', { name: 'Checking the site' })).toHaveAttribute('aria-busy', 'true');
    tell({ status: 'failed', code: 'GIVEN_UP', error: 'This was not begun in time. Please try again.' });
    expect(await screen.findByText('This was not begun in time. Please try again.')).toBeVisible();
    await verify(user);
    server.on(
      'GET /api/v1/actions',
      actionsResponse({ actions: [{ ...(ACTIONS[1] as ActionView), last_verification: FAILING }] }),
    );
    tell({ status: 'done' });
    expect(await screen.findByText('Still failing')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Verify' })).toBeEnabled();
    expect(server.asked('POST /api/v1/actions/high/verify')).toHaveLength(2);
  });

  it.each([
    ['result', { status: 'done' }, 'Still failing'],
    [
      'failure',
      { status: 'failed', code: 'GIVEN_UP', error: 'This was not begun in time. Please try again.' },
      'This was not begun in time. Please try again.',
    ],
  ])('reloaded during a verification, shows a spinner until the socket reports its %s', async (_, end, text) => {
    server.on('POST /api/v1/actions/high/verify', begin);
    const before = renderApp(`${PATH}&actionId=high`);
    await verify(before.user);
    before.unmount();
    server.on(REWORKS, { success: true, reworks: [{ ...rework, id: 'rework-2', action_id: 'low' }, rework] });
    const sooner = sockets.count();
    renderApp(`${PATH}&actionId=high`);
    expect(await screen.findByRole('button', { name: 'Checking the site' })).toHaveAttribute('aria-busy', 'true');
    await waitFor(() => expect(sockets.count()).toBeGreaterThan(sooner));
    if (end.status === 'done')
      server.on(
        'GET /api/v1/actions',
        actionsResponse({ actions: [{ ...(ACTIONS[1] as ActionView), last_verification: FAILING }] }),
      );
    tell(end);
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Verify' })).not.toHaveAttribute('aria-busy');
    expect(server.asked('POST /api/v1/actions/high/verify')).toHaveLength(1);
  });

  it('that is completed but still fails can be reopened beside the result, and that can be undone', async () => {
    let row: ActionView = { ...(ACTIONS[1] as ActionView), status: 'completed', last_verification: FAILING };
    server.on('GET /api/v1/actions', () => actionsResponse({ actions: [row] }));
    server.on('PUT /api/v1/actions/high/progress', ({ body }: Call) => {
      row = { ...row, ...(body as Pick<ActionView, 'status'>) };
      return { success: true, action: row, stats: {} };
    });
    const { user } = renderApp(`${PATH}&actionId=high`);
    const panel = await screen.findByRole('region', { name: 'Verify the fix' });
    expect(within(panel).getByText('Completed, but not fixed')).toBeVisible();
    expect(screen.getByText('still there (rechecked)')).toBeVisible();
    await user.click(within(panel).getByRole('button', { name: 'Reopen Task' }));
    expect(await within(panel).findByText('Still failing')).toBeVisible();
    expect(within(panel).queryByText('Completed, but not fixed')).toBeNull();
    expect(server.asked('PUT /api/v1/actions/high/progress')[0]?.body).toMatchObject({ status: 'todo' });
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible();
  });

  it('changes status by its button, and Escape goes back', async () => {
    server.on('PUT /api/v1/actions/high/progress', () => {
      const started = action({ id: 'high', title: 'Give every page a title', status: 'in-progress' });
      server.on('GET /api/v1/actions', actionsResponse({ actions: [started] }));
      return { success: true, action: started, stats: {} };
    });
    const { user, address } = renderApp(`${PATH}&actionId=high`);
    await user.click(await screen.findByRole('button', { name: 'Start Task' }));
    expect(screen.getByRole('button', { name: 'Mark Complete' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(address()).toBe(PATH);
  });

  it('can be copied as a prompt', async () => {
    const { user } = renderApp(`${PATH}&actionId=high`);
    await user.click(await screen.findByRole('button', { name: 'Copy as a prompt' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toContain(
      'Fix this SEO issue on example.com: Give every page a title',
    );
  });
});
