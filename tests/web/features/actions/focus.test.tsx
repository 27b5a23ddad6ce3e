/** Where the keyboard is after what happens to a task, and what is said of it. */
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ActionView } from '../../../../src/http/contract/actions.ts';
import { type Call, type FakeServer, fakeServer, NetworkDown } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { held } from '../../given/held.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { action, actionsResponse, completedJob, jobsResponse } from '../../given/views.ts';

let server: FakeServer;
let rows: ActionView[];
const PATH = '/dashboard/actions?jobId=job-1';
const link = (name: string) => screen.getByRole('link', { name });

beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  rows = [
    action({ id: 'one', title: 'One' }),
    action({ id: 'two', title: 'Two' }),
    action({ id: 'three', title: 'Three' }),
  ];
  server.on('GET /api/v1/jobs', jobsResponse([completedJob()]));
  server.on('GET /api/v1/actions', () => actionsResponse({ actions: rows }));
  for (const id of ['one', 'two', 'three'])
    server.on(`PUT /api/v1/actions/${id}/progress`, ({ body }: Call) => {
      rows = rows.map((row) => (row.id === id ? { ...row, ...(body as Partial<ActionView>) } : row));
      return { success: true, action: rows.find((row) => row.id === id), stats: {} };
    });
});

describe('a move that fails', () => {
  const away = () => {
    const answer = held(null);
    server.on('PUT /api/v1/actions/two/progress', async () => {
      await answer.answer;
      throw new NetworkDown();
    });
    return answer;
  };

  it('gives the card the focus again, and is not reported as done', async () => {
    const answer = away();
    const { user } = renderApp(PATH);
    await screen.findByRole('heading', { name: 'Available Tasks (3)' });
    await user.keyboard('jjs');
    await waitFor(() => expect(screen.getByRole('heading', { name: 'In Progress (1)' })).toBeVisible());
    answer.letGo();
    expect((await screen.findAllByText(/^Error: /)).length).toBeGreaterThan(0);
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'In Progress (1)' })).toBeNull());
    await waitFor(() => expect(link('Two')).toHaveFocus());
    await waitFor(() => expect(screen.queryByText(/^Moved to/)).toBeNull());
  });

  it('leaves the focus where the user has gone meanwhile', async () => {
    const answer = away();
    const { user } = renderApp(PATH);
    await screen.findByRole('heading', { name: 'Available Tasks (3)' });
    await user.keyboard('jjs');
    await waitFor(() => expect(link('Two')).toHaveFocus());
    await user.keyboard('j');
    expect(link('One')).toHaveFocus();
    answer.letGo();
    await screen.findAllByText(/^Error: /);
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'In Progress (1)' })).toBeNull());
    expect(link('One')).toHaveFocus();
  });
});

describe('a task that leaves the filters with its move', () => {
  it('leaves the focus to the next, then to the one before, then to what is said instead', async () => {
    const { user } = renderApp(`${PATH}&status=todo`);
    await screen.findByRole('heading', { name: 'Available Tasks (3)' });
    await user.keyboard('jjs');
    await waitFor(() => expect(link('Three')).toHaveFocus());
    await user.keyboard('s');
    await waitFor(() => expect(link('One')).toHaveFocus());
    await user.keyboard('s');
    await waitFor(() => expect(screen.getByText('No tasks match these filters.')).toHaveFocus());
  });

  it('can all be shown again, from the first on', async () => {
    const { user } = renderApp(`${PATH}&impact=low`);
    await user.tab();
    (await screen.findByRole('button', { name: 'Show all tasks' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(link('One')).toHaveFocus());
  });
});
