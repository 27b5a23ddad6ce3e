import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CauseNode, CausesOfEventResponse } from '../../../../src/http/contract/admin/causes.ts';
import { type Call, type FakeServer, fakeServer, refusal } from '../../given/fakeServer.ts';
import { fakeSockets } from '../../given/fakeSocket.ts';
import { renderApp, signedInBefore } from '../../given/renderApp.tsx';
import { profileResponse } from '../../given/views.ts';

const PATH = '/api/v1/admin/history/causes';
const node = (id: string, title: string, cause: string, more: Partial<CauseNode> = {}): CauseNode => ({
  id,
  type: 'JobSubmitted',
  title,
  stream: `job-${id}`,
  revision: 3,
  at: '2026-03-01T12:00:00.000Z',
  by: 'A worker',
  cause,
  actor: { kind: 'worker', id: 'mails', on_behalf_of: null },
  command: 'c1',
  took_ms: 2_400,
  ...more,
});
const answer = (data: Partial<CausesOfEventResponse['data']>, cursor: string | null = null): CausesOfEventResponse => ({
  success: true,
  data: {
    id: 'e2',
    beginning: { kind: 'request', id: 'r1' },
    ancestors: [],
    event: null,
    following: [],
    cut: false,
    ...data,
  },
  cursor,
});

let server: FakeServer;
beforeEach(() => {
  server = fakeServer();
  fakeSockets();
  signedInBefore();
  server.on('GET /api/v1/auth/profile', profileResponse({}, { is_admin: true }));
});

describe('the causes of an event', () => {
  it('are drawn as nested lists, from the request down, each event below its command, with links to its history and its own causes', async () => {
    const actor = { kind: 'user', id: 'u1', on_behalf_of: null };
    const first = node('e1', 'Job submitted', 'r1', { by: 'ann@example.com', actor, took_ms: null });
    server.on(
      `GET ${PATH}/e2`,
      answer({
        ancestors: [first],
        event: node('e2', 'Job completed', 'e1'),
        following: [node('e3', 'Email sent', 'e2')],
      }),
    );
    renderApp('/admin/history?event=e2');
    const tree = await screen.findByRole('list', { name: 'Chain of causes' });
    expect(within(tree).getByRole('link', { name: 'Job submitted' })).toHaveAttribute(
      'href',
      '/admin/history?stream=job-e1#3',
    );
    expect(screen.getByText('Command · ann@example.com')).toBeVisible();
    const [top] = within(tree).getAllByRole('listitem');
    expect(within(top ?? tree).getByRole('link', { name: 'Email sent' })).toBeVisible();
    expect(within(tree).getByRole('link', { name: 'Causes of Email sent' })).toHaveAttribute(
      'href',
      '/admin/history?event=e3',
    );
    expect(screen.getAllByText(/A worker \(mails\)/)).toHaveLength(2);
    expect(screen.getAllByText(/2\.4 s after its cause/)).toHaveLength(2);
    expect(screen.getByRole('link', { name: 'All effects' })).toHaveAttribute('href', '/admin/history?event=r1');
    expect(tree.querySelector('[aria-current="true"]')).toHaveTextContent(/Job completed/);
  });

  it('have one node for a command that led to several events', async () => {
    const following = [
      node('e3', 'Report opened', 'e2', { command: 'c7' }),
      node('e4', 'Email sent', 'e2', { command: 'c8' }),
      node('e5', 'Job noted', 'e2', { command: 'c7' }),
    ];
    server.on(`GET ${PATH}/e2`, answer({ event: node('e2', 'Job completed', 'r1'), following }));
    renderApp('/admin/history?event=e2');
    const tree = await screen.findByRole('list', { name: 'Chain of causes' });
    const below = (id: string) => {
      const command = within(tree).getByText(id).closest('li');
      return command
        ? within(command)
            .getAllByRole('link')
            .map(({ textContent }) => textContent)
        : [];
    };
    expect(below('c7')).toEqual(['Report opened', 'Causes', 'Job noted', 'Causes']);
    expect(below('c8')).toEqual(['Email sent', 'Causes']);
  });

  it('fold by keyboard', async () => {
    server.on(
      `GET ${PATH}/e1`,
      answer({ event: node('e1', 'Job submitted', 'r1'), following: [node('e2', 'Job completed', 'e1')] }),
    );
    const { user } = renderApp('/admin/history?event=e1');
    const fold = await screen.findByRole('button', { name: 'Effects of Job submitted: 1 event' });
    expect(fold).toHaveAttribute('aria-expanded', 'true');
    fold.focus();
    await user.keyboard('{Enter}');
    expect(fold).toHaveAttribute('aria-expanded', 'false');
    expect(screen.getByText('Job completed')).not.toBeVisible();
    await user.keyboard(' ');
    expect(screen.getByText('Job completed')).toBeVisible();
  });

  it('say when nothing followed from an event, or when it is gone', async () => {
    server.on(
      `GET ${PATH}/e1`,
      answer({ event: node('e1', 'Job submitted', 'r1'), beginning: { kind: 'deleted', id: 'e0' } }),
    );
    const { unmount } = renderApp('/admin/history?event=e1');
    expect(await screen.findByText('No further effects.')).toBeVisible();
    expect(screen.getByText(/^Started by an event that has been deleted:/)).toBeVisible();
    unmount();
    server.on(`GET ${PATH}/e1`, refusal(404, 'There is no such event.', 'NOT_FOUND'));
    renderApp('/admin/history?event=e1');
    expect(await screen.findByText('There is no such event, or it has no effects.')).toBeVisible();
  });

  it('of very many load more', async () => {
    const event = node('e1', 'Jobs deleted', 'r1');
    server.on(`GET ${PATH}/e1`, ({ query }: Call) =>
      query.get('cursor') === 'next'
        ? answer({ event, following: [node('e3', 'Shared link revoked', 'e1')] })
        : answer({ event, following: [node('e2', 'Job deleted', 'e1')], cut: true }, 'next'),
    );
    const { user } = renderApp('/admin/history?event=e1');
    expect(await screen.findByText(/^There are more effects\./)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('link', { name: 'Shared link revoked' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Job deleted' })).toBeVisible();
  });
});
