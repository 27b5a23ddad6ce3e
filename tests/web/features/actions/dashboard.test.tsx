/** The list and the board of one's own action items: what they show, and what changes them. */
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ActionView } from '../../../../src/http/contract/actions.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets, goLive, nextFrame } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { action, actionsResponse, completedJob, jobsResponse, position } from '../../given/views.ts';

let server: FakeServer;
let sockets: ReturnType<typeof fakeSockets>;
let rows: ActionView[];
const PATH = '/dashboard/actions?jobId=job-1';

beforeEach(() => {
  server = fakeServer();
  sockets = fakeSockets();
  signedInBefore();
  rows = [
    action({ id: 'low', title: 'Shorten long titles', impact: 'low', category: 'content', time_estimate: 90 }),
    action({ id: 'high', title: 'Give every page a title' }),
    action({ id: 'going', title: 'Add a sitemap', impact: 'medium', status: 'in-progress' }),
    action({ id: 'done', title: 'Describe images', impact: 'medium', status: 'completed', time_estimate: 30 }),
  ];
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on('GET /api/v1/actions', () => actionsResponse({ actions: rows, position: position(50) }));
});

/** A server with rows: answers a change with the changed row. */
function takesChanges(id: string): void {
  server.on(`PUT /api/v1/actions/${id}/progress`, ({ body }: Call) => {
    rows = rows.map((row) => (row.id === id ? { ...row, ...(body as Partial<ActionView>) } : row));
    return { success: true, action: rows.find((row) => row.id === id), stats: {} };
  });
}

const cardsOf = (section: string): (string | null)[] =>
  within(screen.getByRole('list', { name: section }))
    .getAllByRole('link')
    .map((link) => link.textContent);
const ready = () => screen.findByRole('heading', { name: 'Available Tasks (2)' });

describe('the sections', () => {
  it('show items in progress, available and completed, each by impact', async () => {
    renderApp(PATH);
    await ready();
    expect(screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual(
      expect.arrayContaining(['In Progress (1)', 'Available Tasks (2)', 'Completed Tasks (1)']),
    );
    expect(cardsOf('Available Tasks')).toEqual(['Give every page a title', 'Shorten long titles']);
    expect(cardsOf('In Progress')).toEqual(['Add a sitemap']);
    expect(cardsOf('Completed Tasks')).toEqual(['Describe images']);
  });

  it('say when nothing is left to start', async () => {
    rows = rows.filter((row) => row.status !== 'todo');
    renderApp(PATH);
    expect(await screen.findByText('All tasks are in progress or completed!')).toBeVisible();
    expect(screen.queryByRole('heading', { name: /Available Tasks/ })).toBeNull();
  });

  it('have cards with impact, title, problem, solution and minutes', async () => {
    renderApp(PATH);
    await ready();
    const card = screen.getByRole('link', { name: 'Give every page a title' }).closest('article');
    for (const text of ['High impact', 'Technical', '20 min', '3 pages have no title', 'Fix: Write a title'])
      expect(card).toHaveTextContent(text);
    expect(
      within(card as HTMLElement).getByRole('button', { name: 'Start Task: Give every page a title' }),
    ).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Mark Complete: Add a sitemap' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Reopen Task: Describe images' })).toBeInTheDocument();
  });

  it('open a task’s details over the list', async () => {
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'View Details: Give every page a title' }));
    const dialog = await screen.findByRole('dialog', { name: 'Give every page a title' });
    expect(dialog).toHaveTextContent('Write a title of 15 to 60 characters');
    expect(within(dialog).getByRole('button', { name: 'Start Task' })).toBeVisible();
    expect(within(dialog).getByRole('link', { name: 'Open full page' })).toBeVisible();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('are all on the page, where the browser finds them, up to a hundred', async () => {
    rows = Array.from({ length: 100 }, (_, index) => action({ id: `a-${index}`, title: `Task ${index}` }));
    renderApp(PATH);
    await screen.findByRole('heading', { name: 'Available Tasks (100)' });
    expect(await screen.findAllByRole('article')).toHaveLength(100);
  });

  it('are drawn only as far as they are visible when there are two hundred', async () => {
    rows = Array.from({ length: 200 }, (_, index) => action({ id: `a-${index}`, title: `Task ${index}` }));
    renderApp(PATH);
    await screen.findByRole('heading', { name: 'Available Tasks (200)' });
    const cards = await screen.findAllByRole('article');
    expect(cards.length).toBeGreaterThan(2);
    expect(cards.length).toBeLessThan(60);
    expect(screen.getAllByRole('listitem').find((item) => item.contains(cards[0] as Node))).toHaveAttribute(
      'aria-setsize',
      '200',
    );
  });
});

describe('optional items', () => {
  beforeEach(() => {
    rows = [...rows, action({ id: 'extra', title: 'Add social profiles', impact: 'low', optional: true })];
    takesChanges('extra');
  });

  it('stand below the tasks, without impact, and count nowhere', async () => {
    renderApp(PATH);
    await ready();
    expect(cardsOf('Optional')).toEqual(['Add social profiles']);
    const card = screen.getByRole('link', { name: 'Add social profiles' }).closest('article');
    expect(card).not.toHaveTextContent('impact');
    expect(screen.getByText('1 of 4 tasks')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Start Task: Add social/ })).toBeNull();
  });

  it('become tasks, and can be taken back', async () => {
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'Add to Tasks: Add social profiles' }));
    expect(await screen.findByText('1 of 5 tasks')).toBeVisible();
    expect(screen.queryByRole('heading', { name: /^Optional/ })).toBeNull();
    expect(cardsOf('Available Tasks')).toContain('Add social profiles');
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('1 of 4 tasks')).toBeVisible();
    expect(cardsOf('Optional')).toEqual(['Add social profiles']);
    await waitFor(() =>
      expect(server.asked('PUT /api/v1/actions/extra/progress').map(({ body }) => body)).toEqual([
        { optional: false, jobId: 'job-1' },
        { optional: true, jobId: 'job-1' },
      ]),
    );
  });

  it('become tasks from their own page', async () => {
    const { user } = renderApp(`${PATH}&actionId=extra`);
    await user.click(await screen.findByRole('button', { name: 'Add to Tasks' }));
    expect(await screen.findByRole('button', { name: 'Start Task' })).toBeVisible();
  });

  it('are all there is on a site without faults', async () => {
    rows = rows.filter(({ id }) => id === 'extra');
    renderApp(PATH);
    expect(await screen.findByText('This audit has no tasks.')).toBeVisible();
    expect(cardsOf('Optional')).toEqual(['Add social profiles']);
  });
});

describe('the progress strip', () => {
  it('shows the overall progress', async () => {
    renderApp(PATH);
    const strip = await screen.findByRole('region', { name: 'Overall Progress' });
    expect(within(strip).getByRole('progressbar')).toHaveValue(25);
    for (const text of ['25%', '1 of 4 tasks', 'In Progress1', 'High Impact Done0', 'Time Remaining2h'])
      expect(strip).toHaveTextContent(text);
    expect(screen.getByText('Next Recommended Action')).toBeVisible();
  });
});

describe('the filters', () => {
  it('are in a sidebar with the overview, and in the address', async () => {
    const { user, address } = renderApp(PATH);
    await ready();
    expect(screen.queryByRole('complementary', { name: 'Filters and overview' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    const sidebar = screen.getByRole('complementary', { name: 'Filters and overview' });
    for (const text of ['Total4', 'In Progress1', 'Completed1', 'Todo2', '1 of 4 tasks completed'])
      expect(sidebar).toHaveTextContent(text);
    await user.selectOptions(within(sidebar).getByLabelText('Impact'), 'low');
    expect(address()).toBe(`${PATH}&impact=low`);
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(screen.getAllByRole('status').map((status) => status.textContent)).toContain('1 of 4 tasks');
    await user.type(within(sidebar).getByLabelText('Search tasks'), 'images');
    await waitFor(() => expect(address()).toBe(`${PATH}&impact=low&search=images`));
    expect(screen.getByText('No tasks match these filters.')).toBeVisible();
    expect(screen.getAllByRole('status').map((status) => status.textContent)).toContain('0 of 4 tasks');
    await user.click(within(sidebar).getByRole('button', { name: 'Clear All Filters' }));
    expect(address()).toBe(PATH);
    expect(within(sidebar).getByLabelText('Search tasks')).toHaveValue('');
    expect(within(sidebar).getByRole('button', { name: 'Clear All Filters' })).toHaveFocus();
    expect(screen.getAllByRole('article')).toHaveLength(4);
  });

  it('are all cleared, including a search typed a moment before', async () => {
    const { address } = renderApp(`${PATH}&impact=low`);
    await screen.findByRole('heading', { name: 'Available Tasks (1)' });
    fireEvent.click(screen.getByRole('button', { name: /Filters/ }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fireEvent.change(screen.getByLabelText('Search tasks'), { target: { value: 'images' } });
    fireEvent.click(screen.getByRole('button', { name: 'Clear All Filters' }));
    act(() => void vi.advanceTimersByTime(1_000));
    vi.useRealTimers();
    await waitFor(() => expect(address()).toBe(PATH));
    expect(screen.getByLabelText('Search tasks')).toHaveValue('');
  });

  it('set in quick succession are all kept', async () => {
    const { user, address } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    act(() => {
      fireEvent.change(screen.getByLabelText('Impact'), { target: { value: 'medium' } });
      fireEvent.change(screen.getByLabelText('Status'), { target: { value: 'completed' } });
    });
    await waitFor(() => expect(address()).toBe(`${PATH}&impact=medium&status=completed`));
    expect(cardsOf('Completed Tasks')).toEqual(['Describe images']);
  });

  it('are read from the address, with the sidebar open on a wide window', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query === '(min-width: 1440px)',
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    renderApp(`${PATH}&category=content,technical&status=todo&time=60`);
    const sidebar = await screen.findByRole('complementary', { name: 'Filters and overview' });
    expect(within(sidebar).getByLabelText('Category')).toHaveDisplayValue('Content, Technical');
    expect(within(sidebar).getByLabelText('Status')).toHaveDisplayValue('Todo');
    expect(within(sidebar).getByLabelText('Time available')).toHaveDisplayValue('1 hour');
    expect(await screen.findAllByRole('article')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Filters, 3 set' })).toHaveAttribute('aria-expanded', 'true');
  });
});

describe('the executive summary', () => {
  it('opens and closes, and names its author', async () => {
    const { user } = renderApp(PATH);
    expect(await screen.findByText('Written by Built-in analyst')).toBeVisible();
    expect(screen.getByText('The site is sound, with three gaps.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show Executive Summary' }));
    expect(await screen.findByRole('link', { name: 'three gaps' })).toHaveAttribute('target', '_blank');
    await user.click(screen.getByRole('button', { name: 'Hide Summary' }));
    expect(screen.queryByRole('link', { name: 'three gaps' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Show Executive Summary' })).toHaveAttribute('aria-expanded', 'false');
  });

  it('begins with about 200 characters', async () => {
    server.on(
      'GET /api/v1/actions',
      actionsResponse({ actions: rows, executiveSummary: `# Summary\n\n${'words and more '.repeat(40)}` }),
    );
    renderApp(PATH);
    const preview = await screen.findByText(/^words and more/);
    expect(preview.textContent?.length).toBeGreaterThan(180);
    expect(preview.textContent?.length).toBeLessThan(203);
  });

  it('is generated on request when there is none, and explains a failure', async () => {
    server.on('GET /api/v1/actions', () => actionsResponse({ actions: rows, executiveSummary: null }));
    server.on('POST /api/jobs/job-1/generate-executive-summary', refusal(500, ''));
    const { user } = renderApp(PATH);
    await user.click(await screen.findByRole('button', { name: 'Generate Executive Summary' }));
    expect(await screen.findByText('Failed to generate executive summary')).toBeVisible();
    server.on('POST /api/jobs/job-1/generate-executive-summary', {
      success: true,
      executive_summary: '# New',
      analyst: 'x',
    });
    server.on('GET /api/v1/actions', actionsResponse({ actions: rows, executiveSummary: '# S\n\nAll is new.' }));
    await user.click(screen.getByRole('button', { name: 'Generate Executive Summary' }));
    expect(await screen.findByText('All is new.')).toBeVisible();
  });
});

describe('a summary that takes longer than its request', () => {
  const REWORKS = 'GET /api/v1/jobs/job-1/reworks';
  const rework = {
    id: 'rework-1',
    job_id: 'job-1',
    what: 'summary',
    action_id: null,
    ask: 1,
    status: 'pending',
    code: null,
    error: null,
    asked_at: '2026-11-22T10:00:00.000Z',
    ended_at: null,
  } as const;
  const tell = (end: object) => {
    const row = { ...rework, ...end };
    server.on(REWORKS, { success: true, reworks: [row] });
    act(() =>
      sockets.latest().says({
        type: 'event',
        channel: 'reworks',
        table: 'reworks',
        eventType: 'UPDATE',
        new: row,
        old: null,
        position: position(60),
      }),
    );
  };
  /** Clicked, and the page reloaded before the end. */
  async function reloaded() {
    server.on('GET /api/v1/actions', () => actionsResponse({ actions: rows, executiveSummary: null }));
    server.on('POST /api/jobs/job-1/generate-executive-summary', () => {
      server.on(REWORKS, { success: true, reworks: [rework] });
      return { success: true, pending: true, rework, executive_summary: '', analyst: '' };
    });
    const before = renderApp(PATH);
    const button = await screen.findByRole('button', { name: 'Generate Executive Summary' });
    await before.user.click(button);
    expect(button).toHaveAttribute('aria-busy', 'true');
    await waitFor(() => expect(server.asked('POST /api/jobs/job-1/generate-executive-summary')).toHaveLength(1));
    before.unmount();
    const sooner = sockets.count();
    const after = renderApp(PATH);
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /Generate Executive Summary/ })).toHaveAttribute('aria-busy', 'true'),
    );
    await waitFor(() => expect(sockets.count()).toBeGreaterThan(sooner));
    return after;
  }

  it('is awaited by a reloaded page, too', async () => {
    const { user } = await reloaded();
    await user.click(screen.getByRole('button', { name: /Generate Executive Summary/ }));
    expect(server.asked('POST /api/jobs/job-1/generate-executive-summary')).toHaveLength(1);
    server.on('GET /api/v1/actions', actionsResponse({ actions: rows, executiveSummary: '# S\n\nAll is new.' }));
    tell({ status: 'done' });
    expect(await screen.findByText('All is new.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show Executive Summary' }));
    expect(await screen.findByRole('button', { name: 'Generate Again' })).not.toHaveAttribute('aria-busy');
  });

  it('says there why it failed, and can be requested again', async () => {
    const { user } = await reloaded();
    tell({ status: 'failed', code: 'GIVEN_UP', error: 'This was not begun in time. Please try again.' });
    expect(await screen.findByText('This was not begun in time. Please try again.')).toBeVisible();
    server.on('POST /api/jobs/job-1/generate-executive-summary', {
      success: true,
      executive_summary: '# New',
      analyst: 'x',
    });
    server.on('GET /api/v1/actions', actionsResponse({ actions: rows, executiveSummary: '# S\n\nAll is new.' }));
    await user.click(screen.getByRole('button', { name: 'Generate Executive Summary' }));
    expect(await screen.findByText('All is new.')).toBeVisible();
    expect(screen.queryByText('This was not begun in time. Please try again.')).toBeNull();
  });
});

describe('the next recommended action', () => {
  const SENTENCE = 'Complete 2 more high-impact actions to trigger AI citation improvements within the next 2 weeks.';

  it('is the sentence while two of high impact are left, then the next task, then nothing', async () => {
    rows = [
      action({ id: 'a', title: 'First' }),
      action({ id: 'b', title: 'Second' }),
      action({ id: 'c', title: 'Third', impact: 'low' }),
    ];
    for (const id of ['a', 'b', 'c']) takesChanges(id);
    const { user } = renderApp(PATH);
    expect(await screen.findByText(SENTENCE)).toBeVisible();
    const box = () => screen.getByText('Next Recommended Action').parentElement as HTMLElement;
    const complete = async (title: string): Promise<void> => {
      await user.click(screen.getByRole('button', { name: `Start Task: ${title}` }));
      await user.click(await screen.findByRole('button', { name: `Mark Complete: ${title}` }));
    };
    await complete('First');
    expect(screen.queryByText(SENTENCE)).toBeNull();
    expect(within(box()).getByRole('link')).toHaveTextContent('Second');
    await complete('Second');
    expect(within(box()).getByRole('link')).toHaveTextContent('Third');
    await complete('Third');
    expect(screen.queryByText('Next Recommended Action')).toBeNull();
  });
});

describe('a preview', () => {
  it('says once what the plan shows, offers nothing that cannot be bought, and counts unlocked items', async () => {
    server.on(
      'GET /api/v1/actions',
      actionsResponse({ actions: rows, isFreemiumPreview: true, totalActionsAvailable: 27, actionsShown: 4 }),
    );
    renderApp(PATH);
    const locked = await screen.findByRole('region', { name: 'Locked tasks' });
    expect(locked).toHaveTextContent(/^4 of 27 unlocked. A free audit shows its first 4 tasks.$/);
    expect(within(locked).queryByRole('link')).toBeNull();
    expect(screen.queryByText(/See your plan/)).toBeNull();
    expect(screen.getByRole('region', { name: 'Overall Progress' })).toHaveTextContent('1 of 4 tasks');
    expect(server.asked('GET /api/v1/actions/stats')).toHaveLength(0);
  });
});

describe('a status change', () => {
  it('shows at once, goes to the server and reloads', async () => {
    takesChanges('high');
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'Start Task: Give every page a title' }));
    expect(screen.getByRole('heading', { name: 'In Progress (2)' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Give every page a title' })).toHaveFocus();
    await waitFor(() => expect(server.asked('GET /api/v1/actions')).toHaveLength(2));
    expect(server.asked('PUT /api/v1/actions/high/progress')[0]?.body).toEqual({
      status: 'in-progress',
      jobId: 'job-1',
    });
    expect(cardsOf('In Progress')).toEqual(['Give every page a title', 'Add a sitemap']);
  });

  it('can be undone', async () => {
    takesChanges('going');
    server.on('POST /api/v1/actions/going/undo', () => {
      rows = rows.map((row) => (row.id === 'going' ? { ...row, status: 'in-progress' } : row));
      return { success: true, action: rows[2], stats: {} };
    });
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'Mark Complete: Add a sitemap' }));
    expect((await screen.findAllByText('Moved to Completed: Add a sitemap')).length).toBeGreaterThan(0);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(cardsOf('In Progress')).toEqual(['Add a sitemap']));
    await waitFor(() => expect(server.asked('POST /api/v1/actions/going/undo')).toHaveLength(1));
  });

  it.each([
    ['refused with a reason', () => refusal(409, 'Somebody else was faster'), 'Error: Somebody else was faster'],
    ['refused without one', () => refusal(500, ''), 'Error: Failed to update action'],
    [
      'made after a log-out elsewhere',
      () => {
        throw new Error('must not be asked');
      },
      'Error: You must be logged in to update actions',
    ],
  ])('that is %s is reverted and explained', async (what, reply, text) => {
    server.on('PUT /api/v1/actions/high/progress', reply);
    const { user } = renderApp(PATH);
    await ready();
    if (what.startsWith('made')) localStorage.clear();
    await user.click(screen.getByRole('button', { name: 'Start Task: Give every page a title' }));
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0);
    await ready();
  });

  it('made elsewhere arrives on the socket', async () => {
    renderApp(PATH);
    await ready();
    await goLive(sockets.latest());
    expect(screen.getByText('Live updates active')).toBeVisible();
    expect(sockets.latest().sent).toContainEqual({ type: 'subscribe', channel: 'actions:job-1', since: position(50) });
    rows = rows.map((row) => (row.id === 'low' ? { ...row, status: 'completed', notes: 'elsewhere' } : row));
    const changed = { ...(rows[0] as ActionView) };
    const asked = server.asked('GET /api/v1/actions').length;
    sockets.latest().says({
      type: 'event',
      channel: 'actions:job-1',
      table: 'actions',
      eventType: 'UPDATE',
      new: changed,
      old: null,
      position: position(60),
    });
    await nextFrame();
    expect(cardsOf('Completed Tasks')).toEqual(['Describe images', 'Shorten long titles']);
    await waitFor(() => expect(server.asked('GET /api/v1/actions').length).toBeGreaterThan(asked));
    act(() => sockets.latest().breaks());
    expect(screen.getByText('Offline')).toBeVisible();
  });
});

describe('the board', () => {
  it('has three columns, and moves cards by their menu', async () => {
    takesChanges('low');
    const { user, address } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('radio', { name: 'Board' }));
    expect(address()).toBe(`${PATH}&view=board`);
    const todo = await screen.findByRole('region', { name: 'Todo (2)' });
    await user.click(within(todo).getByRole('button', { name: 'Move to…: Shorten long titles' }));
    expect(await screen.findByRole('menuitem', { name: 'Todo' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('menuitem', { name: 'Completed' }));
    expect(await screen.findByRole('region', { name: 'Completed (2)' })).toHaveTextContent('Shorten long titles');
    await waitFor(() =>
      expect(server.asked('PUT /api/v1/actions/low/progress')[0]?.body).toMatchObject({ status: 'completed' }),
    );
  });
});

describe('keyboard shortcuts', () => {
  it('go through the cards and complete them, but not while typing', async () => {
    takesChanges('going');
    const { user } = renderApp(PATH);
    await ready();
    await user.keyboard('j');
    expect(screen.getByRole('link', { name: 'Add a sitemap' })).toHaveFocus();
    await user.keyboard('j');
    expect(screen.getByRole('link', { name: 'Give every page a title' })).toHaveFocus();
    await user.keyboard('k');
    await user.keyboard('c');
    expect(cardsOf('Completed Tasks')).toContain('Add a sitemap');
    await user.keyboard('/');
    await waitFor(() => expect(screen.getByLabelText('Search tasks')).toHaveFocus());
    await user.keyboard('bc?');
    expect(screen.getByLabelText('Search tasks')).toHaveValue('bc?');
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull();
  });

  it('stay on the task whose change is reverted', async () => {
    takesChanges('high');
    server.on('POST /api/v1/actions/high/undo', () => {
      rows = rows.map((row) => (row.id === 'high' ? { ...row, status: 'todo' } : row));
      return { success: true, action: rows[1], stats: {} };
    });
    const { user, address } = renderApp(PATH);
    await ready();
    await user.keyboard('jjs');
    await screen.findByRole('heading', { name: 'In Progress (2)' });
    await user.keyboard('u');
    await waitFor(() => expect(screen.getByRole('link', { name: 'Give every page a title' })).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(address()).toBe(`${PATH}&actionId=high`);
  });

  it('have a help, and can be switched off', async () => {
    const { user, address } = renderApp(PATH);
    await ready();
    await user.keyboard('?');
    const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const what of ['Next task, previous task', 'Start the task', 'Undo the last move', 'Search tasks'])
      expect(sheet).toHaveTextContent(what);
    await user.click(within(sheet).getByRole('checkbox'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('b');
    expect(address()).toBe(PATH);
    await user.click(screen.getByRole('button', { name: 'Keyboard shortcuts' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('checkbox'));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.keyboard('b');
    expect(address()).toBe(`${PATH}&view=board`);
  });
});

describe('exporting the items', () => {
  const saved: { name: string; text: Promise<string> }[] = [];
  beforeEach(() => {
    saved.length = 0;
    let blob = new Blob();
    Object.assign(URL, {
      createObjectURL: (given: Blob) => {
        blob = given;
        return 'blob:x';
      },
      revokeObjectURL: () => undefined,
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: blob.text() });
    });
  });

  it('saves markdown locally and data from the server', async () => {
    const file = { name: 'seo-actions-example.com-2026-11-22.csv', type: 'text/csv', content: 'id\r\n' };
    server.on('GET /api/v1/actions/export', { success: true, data: file });
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'Export MD' }));
    expect(saved[0]?.name).toMatch(/^seo-actions-example\.com-\d{4}-\d{2}-\d{2}\.md$/);
    expect(await saved[0]?.text).toContain('- **Total actions:** 4');
    await user.click(screen.getByRole('button', { name: 'More ways to export' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Export CSV' }));
    await waitFor(() => expect(saved[1]?.name).toBe(file.name));
    expect(server.asked('GET /api/v1/actions/export')[0]?.query.toString()).toBe('jobId=job-1&format=csv');
  });

  it('reports a failure', async () => {
    Object.assign(URL, {
      createObjectURL: () => {
        throw new Error('no room');
      },
    });
    const { user } = renderApp(PATH);
    await ready();
    await user.click(screen.getByRole('button', { name: 'Export MD' }));
    expect((await screen.findAllByText('Failed to export actions. Please try again.')).length).toBeGreaterThan(0);
  });

  it('prints every task and the summary in full', async () => {
    server.on(
      'GET /api/v1/actions',
      actionsResponse({ actions: rows, executiveSummary: `# S\n\n${'words and more '.repeat(40)}\n\n## The **end**` }),
    );
    renderApp(PATH);
    await ready();
    await screen.findByText(/^words and more/);
    act(() => void window.dispatchEvent(new Event('beforeprint')));
    expect(
      screen.getAllByText('Write a title of 15 to 60 characters for each page, with its subject first.'),
    ).toHaveLength(4);
    expect(screen.getByText(/words and more\s+The end$/)).toBeVisible();
    act(() => void window.dispatchEvent(new Event('afterprint')));
    await ready();
  });
});

describe('coming back from a task', () => {
  it('scrolls its card back into view', async () => {
    const { user } = renderApp(PATH);
    await ready();
    const scrolled = vi.spyOn(window, 'scrollBy').mockImplementation(() => undefined);
    let top = 480;
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
      return new DOMRect(0, this.matches('[data-action=low]') ? top : 0, 300, 200);
    });
    await user.click(screen.getByRole('link', { name: 'Shorten long titles' }));
    top = 1900;
    await user.click(await screen.findByRole('link', { name: 'Back to all actions' }));
    await waitFor(() => expect(scrolled).toHaveBeenCalledWith(0, 1420));
  });
});

describe('refreshing', () => {
  it('loads the items again', async () => {
    const { user } = renderApp(PATH);
    await ready();
    rows = rows.slice(1);
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    expect(await screen.findByRole('heading', { name: 'Available Tasks (1)' })).toBeVisible();
  });
});
