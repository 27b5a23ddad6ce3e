/** The list of issues and the opened one: search, order, groups, keys, selection and tasks. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { found, foundAt, foundCheck, foundPage, report } from '../../../given/found.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { answerReport, boardItem, run, runsResponse } from '../../given/findings.ts';
import { renderApp, signedInBefore, subscriptionAnswered } from '../../given/renderApp.tsx';
import { completedJob, jobsResponse } from '../../given/views.ts';

const PATH = '/dashboard/jobs/job-1';
const A = 'https://www.example.com/a';

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on('GET /api/v1/jobs/job-1/runs', runsResponse([run('job-1')]));
  answerReport(server);
});

/** The opened issue is beside the list. */
function wideWindow(): void {
  const plain = window.matchMedia;
  vi.stubGlobal('matchMedia', (query: string) => ({ ...plain(query), matches: query === '(min-width: 1024px)' }));
}

async function shown(query = '') {
  const app = renderApp(`${PATH}${query}`);
  await screen.findByRole('navigation', { name: 'Filter findings' });
  await subscriptionAnswered(app);
  return app;
}

const row = (name: RegExp) => screen.getByRole('button', { name });
const titles = (): string[] =>
  screen.getAllByRole('checkbox', { name: /^Select / }).map((box) => box.closest('label')?.textContent ?? '');
const ALL = ['Select Page has no title', 'Select Title of thin', 'Select Title of llms'];

/** Two tasks, of which the server keeps what changes. */
function withTasks() {
  const items = [boardItem('title-missing'), boardItem('thin', { status: 'in-progress' })];
  answerReport(server, report(), null, items);
  for (const [at, { id }] of items.entries())
    server.on(`PUT /api/v1/actions/${id}/progress`, ({ body }: Call) => {
      items[at] = boardItem(id, { status: (body as { status: 'todo' | 'in-progress' | 'completed' }).status });
      return { success: true, action: { id, ...(body as object) } };
    });
  const sent = () =>
    server.calls
      .filter(({ method }) => method === 'PUT')
      .map(({ path, body }) => [path.split('/')[4], (body as { status: string }).status]);
  return { sent };
}

describe('the list', () => {
  it('is searched while its reader types, and the words are in the address', async () => {
    const { user, address } = await shown();
    const field = screen.getByRole('searchbox', { name: 'Search issues' });
    await user.type(field, 'of ');
    await waitFor(() => expect(address()).toBe(`${PATH}?search=of`));
    await waitFor(() => expect(titles()).toHaveLength(2));
    await user.type(field, 'th');
    await waitFor(() => expect(titles()).toEqual(['Select Title of thin']));
    expect(address()).toBe(`${PATH}?search=of+th`);
    expect(
      screen.getByText('1 finding of 1 issue, what blocks search first, then by impact and points per minute'),
    ).toBeVisible();
    await user.clear(screen.getByRole('searchbox'));
    await waitFor(() => expect(titles()).toEqual(ALL));
    expect(address()).toBe(PATH);
  });

  it('says that a search found nothing, and leads back', async () => {
    const { user } = await shown('?search=nowhere');
    expect(screen.getByText('No findings match.')).toBeVisible();
    expect(screen.getByRole('searchbox')).toHaveValue('nowhere');
    await user.click(screen.getByRole('link', { name: 'Show all findings' }));
    await waitFor(() => expect(titles()).toEqual(ALL));
    expect(screen.getByRole('searchbox')).toHaveValue('');
  });

  it('is sorted as chosen', async () => {
    const { user, address } = await shown();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort' }), 'Most points');
    expect(address()).toBe(`${PATH}?sort=points`);
    await waitFor(() => expect(titles()[0]).toBe('Select Title of thin'));
    expect(screen.getByText('4 findings of 3 issues, most points first')).toBeVisible();
  });

  it('is grouped by category, with what each costs', async () => {
    const { user, address } = await shown();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'By category');
    expect(address()).toBe(`${PATH}?group=category`);
    expect(screen.getAllByRole('heading', { level: 2, name: /point/ }).map((head) => head.textContent)).toEqual([
      'Technical 2 issues · −8 points',
      'Content 1 issue · −10.3 points',
    ]);
    const content = within(screen.getByRole('region', { name: 'Content' }));
    expect(content.getByRole('button', { name: /Title of thin/ })).toBeVisible();
  });
});

describe('of one page', () => {
  it('an issue counts what was found there, whatever is joined to it elsewhere', async () => {
    const whole = report();
    const causes = whole.overview.causes.map((cause) => ({
      ...cause,
      joined: [{ checkId: 'other', title: 'Other fault', findings: 13 }],
    }));
    answerReport(server, { ...whole, overview: { ...whole.overview, causes } });
    await shown(`?page=${encodeURIComponent(A)}`);
    expect(row(/Page has no title/)).toHaveTextContent('HighPage has no titleTechnical1 finding, 25 min');
  });
});

describe('groups', () => {
  it('by page open the issues of one page, and lead back to all pages', async () => {
    const { user, address } = await shown('?group=page');
    const groups = within(await screen.findByRole('list', { name: 'Issues by page' }));
    expect(groups.getAllByRole('link').map((link) => link.textContent)).toEqual([
      'High/a2 issues2 findings',
      'High/b2 issues2 findings',
    ]);
    await user.click(groups.getByRole('link', { name: /\/a/ }));
    expect(address()).toBe(`${PATH}?group=page&page=${encodeURIComponent(A)}`);
    await waitFor(() => expect(titles()).toEqual(['Select Page has no title', 'Select Title of llms']));
    await user.click(screen.getByRole('link', { name: 'Show all pages' }));
    expect(await screen.findByRole('list', { name: 'Issues by page' })).toBeVisible();
    expect(address()).toBe(`${PATH}?group=page`);
  });

  it('by template and by root cause are named by what they are', async () => {
    const at = (name: string) =>
      foundAt('thin', `https://www.example.com/${name}`, { root: { kind: 'template', name: '/blog/*' } });
    const pages = ['a', 'b'].map((name) => foundPage(`https://www.example.com/${name}`, { template: '/blog/*' }));
    answerReport(server, report({ findings: [at('a'), at('b')], checks: [foundCheck('thin')] }, pages));
    const { user, address } = await shown('?group=template');
    const templates = within(await screen.findByRole('list', { name: 'Issues by template' }));
    expect(templates.getByRole('link')).toHaveTextContent('High/blog/*1 issue2 findings2 pages');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'By root cause');
    const roots = within(await screen.findByRole('list', { name: 'Issues by root cause' }));
    await user.click(roots.getByRole('link', { name: /Template\/blog/ }));
    expect(address()).toBe(`${PATH}?group=root&root=template+%2Fblog%2F*`);
    expect(await screen.findByText(/^Only issues that one edit fixes/)).toHaveTextContent('template /blog/*');
  });

  it('are shown step by step, and searched by name', async () => {
    const many = Array.from({ length: 130 }, (_, n) => `https://www.example.com/p${n}`);
    answerReport(
      server,
      report(
        { findings: many.map((url) => foundAt('thin', url)), checks: [foundCheck('thin')] },
        many.map((url) => foundPage(url)),
      ),
    );
    const { user } = await shown('?group=page');
    const rows = () => within(screen.getByRole('list', { name: 'Issues by page' })).getAllByRole('listitem');
    await user.click(await screen.findByRole('button', { name: 'Show 30 more of 30' }));
    await waitFor(() => expect(rows()).toHaveLength(130));
    await user.type(screen.getByRole('searchbox', { name: 'Search these groups' }), '/p77');
    await waitFor(() => expect(rows()).toHaveLength(1));
  });

  it('say when none is recorded, and when they cannot be loaded', async () => {
    const { user } = await shown('?group=template');
    expect(await screen.findByText('The issues of this audit have no templates recorded.')).toBeVisible();
    server.on('GET /api/v1/jobs/job-1/groups', refusal(503, 'The server cannot reach its data at the moment.'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'By page');
    expect(await screen.findByRole('alert')).toHaveTextContent('The server cannot reach its data at the moment.');
  });
});

describe('evidence', () => {
  it('that several pages share is told once, the rest by address', async () => {
    const at = (name: string, value: string) =>
      foundAt('thin', `https://www.example.com/${name}`, {
        message: 'Pages have this title.',
        evidence: { url: `https://www.example.com/${name}`, place: 'head > title', value },
      });
    const findings = [at('a', 'Mugs'), at('b', 'Tea'), at('c', 'Tea'), at('d', 'Tea')];
    answerReport(server, report({ findings, checks: [foundCheck('thin')], outcomes: [] }));
    await shown('?cause=thin');
    const shared = await screen.findByText('3 pages share this title');
    expect(shared.parentElement).toHaveTextContent('3 pages share this titlePages have this title. head > titleTea');
    expect(screen.getAllByText('Pages have this title.')).toHaveLength(2);
    expect(screen.getAllByRole('link', { name: /^Open .* on the site$/ })).toHaveLength(4);
  });

  it('in a file that is no page has no view of its own', async () => {
    answerReport(
      server,
      report({ findings: [foundAt('thin', 'https://www.example.com/robots.txt')], checks: [foundCheck('thin')] }),
    );
    await shown('?cause=thin');
    expect(await screen.findByRole('link', { name: 'Open /robots.txt on the site' })).toBeVisible();
    expect(screen.queryByRole('link', { name: '/robots.txt' })).toBeNull();
  });

  it('is asked for in the opened page only', async () => {
    await shown(`?page=${encodeURIComponent(A)}&cause=title-missing`);
    await screen.findByRole('heading', { name: 'Evidence 1' });
    expect(server.asked('GET /api/v1/jobs/job-1/findings').map(({ query }) => query.get('page'))).toEqual([A, A]);
  });

  it('has code that can be copied', async () => {
    const { user } = await shown('?cause=title-missing');
    await user.click(await screen.findByRole('button', { name: 'Copy the code' }));
    expect(await screen.findByRole('button', { name: 'Copied the code' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('<title>Blue mugs</title>');
  });
});

describe('beside the list', () => {
  beforeEach(wideWindow);

  it('an issue opens, gives way to the next, and closes', async () => {
    const { user, address } = await shown();
    await user.click(row(/Page has no title/));
    const panel = within(screen.getByRole('region', { name: 'Page has no title' }));
    expect(panel.getByText('2 of 8 pages · −8 points')).toBeVisible();
    expect(await panel.findByRole('heading', { name: 'Evidence 2' })).toBeVisible();
    expect(panel.getByRole('button', { name: 'Previous issue' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(panel.getByRole('button', { name: 'Next issue' }));
    expect(address()).toBe(`${PATH}?cause=thin`);
    expect(screen.getByRole('region', { name: 'Title of thin' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(address()).toBe(PATH);
    expect(row(/Title of thin/)).toHaveFocus();
  });

  it('is entered by Enter and left by Escape, which then closes it', async () => {
    const { user, address } = await shown();
    row(/Page has no title/).focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('heading', { level: 3, name: 'Page has no title' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(row(/Page has no title/)).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('heading', { level: 3, name: 'Page has no title' })).toHaveFocus();
    await user.keyboard('{Escape}{Escape}');
    expect(address()).toBe(PATH);
  });

  it('follows j and k, once for a key that is held', async () => {
    const { user, address } = await shown('?cause=title-missing');
    row(/Page has no title/).focus();
    await user.keyboard('jj');
    expect(row(/Title of llms/)).toHaveFocus();
    await waitFor(() => expect(address()).toBe(`${PATH}?cause=llms`));
    await screen.findByRole('region', { name: 'Title of llms' });
    expect(server.asked('GET /api/v1/jobs/job-1/findings').map(({ query }) => query.get('cause'))).not.toContain(
      'thin',
    );
    await user.keyboard('jk');
    expect(row(/Title of thin/)).toHaveFocus();
  });
});

describe('keys', () => {
  it('move, select and search while the list has the focus, and do nothing elsewhere', async () => {
    const { user, address } = await shown();
    await user.keyboard('jx');
    expect(document.body).toHaveFocus();
    row(/Page has no title/).focus();
    await user.keyboard('j');
    expect(row(/Title of thin/)).toHaveFocus();
    expect(address()).toBe(PATH);
    await user.keyboard('x');
    expect(screen.getByRole('checkbox', { name: 'Select Title of thin' })).toBeChecked();
    await user.keyboard('x{Control>}x{/Control}');
    expect(screen.getByRole('checkbox', { name: 'Select Title of thin' })).not.toBeChecked();
    await user.keyboard('/');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    await user.keyboard('jx');
    expect(screen.getByRole('searchbox')).toHaveValue('jx');
  });

  it('go through groups too', async () => {
    const { user, address } = await shown('?group=page');
    const list = within(await screen.findByRole('list', { name: 'Issues by page' }));
    list.getByRole('link', { name: /\/b/ }).focus();
    await user.keyboard('kxe{Enter}');
    expect(address()).toBe(`${PATH}?group=page&page=${encodeURIComponent(A)}`);
  });

  it('return from what is open in the list to its row', async () => {
    const { user, address } = await shown('?cause=title-missing');
    screen.getByRole('link', { name: 'Where this rule comes from' }).focus();
    await user.keyboard('{Escape}');
    expect(row(/Page has no title/)).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(address()).toBe(PATH);
  });

  it('are listed, and can be turned off here and on the account page', async () => {
    const { user } = await shown();
    await user.click(screen.getByRole('button', { name: 'Keyboard' }));
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(dialog).toHaveTextContent('Start the task of the issue, or complete it');
    await user.click(within(dialog).getByRole('checkbox', { name: 'Single-letter keys' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    row(/Page has no title/).focus();
    await user.keyboard('j');
    expect(row(/Page has no title/)).toHaveFocus();
    await user.click(screen.getByRole('link', { name: /Account/ }));
    const single = await screen.findByRole('checkbox', { name: 'Single-letter keys' });
    expect(single).not.toBeChecked();
    await user.click(single);
    expect(localStorage.getItem('board_shortcuts')).toBeNull();
  });
});

describe('tasks', () => {
  it('are started and completed by e, and undone', async () => {
    const { sent } = withTasks();
    const { user } = await shown();
    expect(row(/Page has no title.*To do/)).toBeVisible();
    row(/Page has no title/).focus();
    await user.keyboard('e');
    await waitFor(() => expect(row(/Page has no title.*In progress/)).toBeVisible());
    await waitFor(() => expect(sent()).toEqual([['title-missing', 'in-progress']]));
    await user.keyboard('e');
    await waitFor(() => expect(row(/Page has no title.*Completed/)).toBeVisible());
    // It stays completed, and an issue without a task has nothing to start.
    await user.keyboard('e');
    row(/Title of llms/).focus();
    await user.keyboard('e');
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(await screen.findAllByText(/Moved to Completed/)).not.toEqual([]);
  });

  it('have their status and next step in the opened issue', async () => {
    const { sent } = withTasks();
    const { user } = await shown('?cause=thin');
    expect(await screen.findByText(/^Task:/)).toHaveTextContent('Task: In progress');
    await user.click(screen.getByRole('button', { name: 'Mark Complete' }));
    expect(screen.getByText(/^Task:/)).toHaveTextContent('Task: Completed');
    await waitFor(() => expect(sent()).toEqual([['thin', 'completed']]));
  });

  it('go back to what they were if the server refuses', async () => {
    withTasks();
    server.on('PUT /api/v1/actions/title-missing/progress', refusal(409, 'It was changed elsewhere.'));
    const { user } = await shown();
    row(/Page has no title/).focus();
    await user.keyboard('e');
    expect(await screen.findAllByText('Error: It was changed elsewhere.')).not.toEqual([]);
    expect(row(/Page has no title.*To do/)).toBeVisible();
  });

  it('of the selected issues are started together', async () => {
    const { sent } = withTasks();
    const { user } = await shown();
    await user.click(screen.getByRole('checkbox', { name: 'Select Title of thin' }));
    expect(screen.getByText('1 selected')).toBeVisible();
    // In progress already.
    expect(screen.getByRole('button', { name: 'No task to start' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('checkbox', { name: 'Select Page has no title' }));
    await user.click(screen.getByRole('button', { name: 'Start 1 task' }));
    await waitFor(() => expect(sent()).toEqual([['title-missing', 'in-progress']]));
    expect(screen.queryByText(/selected$/)).toBeNull();
    expect(row(/Page has no title/)).toHaveFocus();
    expect(screen.getByRole('checkbox', { name: 'Select Title of thin' })).not.toBeChecked();
  });

  it('are verified on the site, with the result beside them', async () => {
    withTasks();
    const verification = {
      at: '2026-11-20T10:05:00.000Z',
      outcome: 'still_failing',
      text: 'One page still has no title.',
      fixed: 1,
      still_there: 1,
      not_checked: 0,
      still_there_at: [{ url: A, place: 'head', message: 'The page has no title.' }],
      not_checked_at: [],
    };
    server.on('POST /api/v1/actions/title-missing/verify', { success: true, verification, results: [] });
    const { user } = await shown('?cause=title-missing');
    await user.click(await screen.findByRole('button', { name: 'Verify' }));
    expect(await screen.findByText('Still failing')).toBeVisible();
    expect(screen.getByText('One page still has no title.')).toBeVisible();
  });

  it('that are optional are added to the tasks first', async () => {
    const items = [boardItem('llms', { optional: true })];
    answerReport(server, report(found()), null, items);
    server.on('PUT /api/v1/actions/llms/progress', ({ body }: Call) => {
      items[0] = boardItem('llms', { optional: false });
      return { success: true, action: { id: 'llms', ...(body as object) } };
    });
    const { user } = await shown('?cause=llms');
    expect(await screen.findByText(/^Task:/)).toHaveTextContent('Task: Optional');
    await user.click(screen.getByRole('button', { name: 'Add to Tasks' }));
    await waitFor(() => expect(screen.getByText(/^Task:/)).toHaveTextContent('Task: To do'));
    expect(server.asked('PUT /api/v1/actions/llms/progress')[0]?.body).toEqual({ jobId: 'job-1', optional: false });
  });
});
