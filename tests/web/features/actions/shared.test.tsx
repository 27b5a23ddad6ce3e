/** The dashboard for whoever has a link to it: only to be looked at, and without a call of its own. */
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { ActionsDashboard } from '../../../../web/features/actions/ActionsDashboard.tsx';
import { action } from '../../given/views.ts';

const FACTS = {
  website: 'https://www.example.com/',
  analysedAt: '2026-11-20T10:00:00.000Z',
  completedAt: '2026-11-20T10:01:00.000Z',
  views: 7,
  status: 'completed',
  sharedAt: '2026-11-21T10:00:00.000Z',
};

function renderShared(isPreview = false) {
  vi.stubGlobal('fetch', () => {
    throw new Error('a shared view asks for nothing');
  });
  const actions = [
    { ...action({ id: 'a', title: 'Give every page a title' }), status: 'pending' },
    action({ id: 'b', title: 'Add a sitemap', status: 'in-progress' }),
    action({ id: 'c', title: 'Describe images', status: 'completed' }),
  ];
  render(
    <MemoryRouter initialEntries={['/shared/token']}>
      <ActionsDashboard
        mode="shared"
        actions={actions}
        executiveSummary="# S&#10;All is well."
        isPreview={isPreview}
        totalActions={isPreview ? 20 : 3}
        sharedFacts={FACTS}
        lockedNotice={<a href="/signup">Sign up</a>}
      />
    </MemoryRouter>,
  );
  return userEvent.setup();
}

describe('a shared dashboard', () => {
  it('counts what is pending as todo, and offers only to view details', async () => {
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
    for (const name of [/Export/, 'Refresh', /Generate/, /Move to/]) expect(screen.queryByRole('button', { name })).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Give every page a title' }));
    expect(await screen.findByRole('heading', { level: 2, name: 'Give every page a title' })).toBeVisible();
    for (const name of ['Start Task', 'Verify', 'Save Notes']) expect(screen.queryByRole('button', { name })).toBeNull();
    await user.keyboard('s');
    expect(screen.getByText('Todo')).toBeVisible();
    expect(screen.queryByLabelText('Notes')).toBeNull();
  });

  it('says in the sidebar what it is', async () => {
    const user = renderShared();
    await user.click(screen.getByRole('button', { name: 'Filters' }));
    const sidebar = screen.getByRole('complementary', { name: 'Filters and overview' });
    const facts = Object.fromEntries(
      within(sidebar)
        .getAllByRole('term')
        .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    );
    expect(facts).toMatchObject({ Website: 'https://www.example.com/', Views: '7', Status: 'Completed' });
    for (const name of ['Analysed', 'Completed', 'Shared']) expect(Object.keys(facts)).toContain(name);
  });

  it('of a preview has blank cards for the rest, and the way to it', () => {
    renderShared(true);
    const locked = screen.getByRole('region', { name: 'Locked tasks' });
    expect(locked).toHaveTextContent('17 more items are locked.');
    expect(within(locked).getByRole('link', { name: 'Sign up' })).toBeVisible();
    expect(screen.getAllByRole('article')).toHaveLength(3);
  });
});
