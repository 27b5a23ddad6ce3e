/** The dashboard for visitors with a link: read-only, and without calls of its own. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { createStore } from '../../../../web/app/store.ts';
import { ActionsDashboard } from '../../../../web/features/actions/ActionsDashboard.tsx';
import type { Stats } from '../../../../web/features/actions/progress.ts';
import { action } from '../../given/views.ts';

const FACTS = {
  website: 'https://www.example.com/',
  analysedAt: '2026-11-20T10:00:00.000Z',
  completedAt: '2026-11-20T10:01:00.000Z',
  views: 7,
  status: 'completed',
  sharedAt: '2026-11-21T10:00:00.000Z',
};

function renderShared(isPreview = false, stats?: Partial<Stats>) {
  vi.stubGlobal('fetch', () => {
    throw new Error('a shared view asks for nothing');
  });
  const actions = [
    { ...action({ id: 'a', title: 'Give every page a title' }), status: 'pending' },
    action({ id: 'b', title: 'Add a sitemap', status: 'in-progress' }),
    action({ id: 'c', title: 'Describe images', status: 'completed' }),
  ];
  render(
    <Provider store={createStore()}>
      <MemoryRouter initialEntries={['/shared/token']}>
        <ActionsDashboard
          mode="shared"
          actions={actions}
          executiveSummary="# S&#10;All is well."
          isPreview={isPreview}
          stats={stats}
          totalActions={isPreview ? 20 : 3}
          sharedFacts={FACTS}
        />
      </MemoryRouter>
    </Provider>,
  );
  return userEvent.setup();
}

describe('a shared dashboard', () => {
  it('counts pending as todo, and offers only View Details', async () => {
    renderShared();
    expect(screen.getByRole('heading', { name: 'Available Tasks (1)' })).toBeVisible();
    expect(screen.getByRole('region', { name: 'Overall Progress' })).toHaveTextContent('1 of 3 tasks');
    const cards = screen.getAllByRole('article');
    expect(cards).toHaveLength(3);
    for (const card of cards)
      expect(
        within(card)
          .getAllByRole('button')
          .map((button) => button.textContent),
      ).toEqual(['View Details']);
  });

  it('has no export, no refresh and no way to change anything', async () => {
    const user = renderShared();
    for (const name of [/Export/, 'Refresh', /Generate/, /Move to/])
      expect(screen.queryByRole('button', { name })).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Give every page a title' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Give every page a title' })).toBeVisible();
    for (const name of ['Start Task', 'Verify', 'Save notes'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    await user.keyboard('s');
    expect(screen.getByText('Todo')).toBeVisible();
    expect(screen.queryByLabelText('Notes')).toBeNull();
  });

  it('describes the share in the sidebar', async () => {
    const user = renderShared();
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    const sidebar = screen.getByRole('complementary', { name: 'Filters and overview' });
    const facts = Object.fromEntries(
      within(sidebar)
        .getAllByRole('term')
        .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect(facts).toMatchObject({ Website: 'https://www.example.com/', Views: '7', Status: 'Completed' });
    for (const name of ['Analyzed', 'Completed', 'Shared']) expect(Object.keys(facts)).toContain(name);
  });

  it('of a preview says how many are unlocked, once and without a lock card', () => {
    renderShared(true);
    const locked = screen.getByRole('region', { name: 'Locked tasks' });
    expect(locked).toHaveTextContent('3 of 20 unlocked.');
    expect(within(locked).queryByRole('link')).toBeNull();
    expect(screen.getAllByRole('article')).toHaveLength(3);
  });

  it('counts like its owner when the owner sees more', () => {
    renderShared(true, {
      totalActions: 20,
      completedActions: 4,
      completionPercentage: 20,
      estimatedTimeRemaining: 600,
    });
    expect(screen.getByRole('region', { name: 'Overall Progress' })).toHaveTextContent('4 of 20 tasks');
    expect(screen.getByRole('region', { name: 'Overall Progress' })).toHaveTextContent('Time Remaining10h');
  });

  it('recommends nothing to visitors', async () => {
    const user = renderShared();
    expect(screen.queryByText('Next Recommended Action')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Give every page a title' }));
    expect(await screen.findByRole('region', { name: 'Progress Overview' })).toBeVisible();
    expect(screen.queryByText('Next Recommended Action')).toBeNull();
  });
});
