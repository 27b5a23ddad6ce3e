import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { FilterBar } from '../../../web/ui/FilterBar.tsx';

const CHOICES = [
  { value: 'all', name: 'All', number: 1200 },
  { value: 'failed', name: 'Failed', number: 0 },
  { value: 'other', name: 'Other' },
] as const;

function Letters() {
  const [value, setValue] = useState<(typeof CHOICES)[number]['value']>('all');
  const [search, setSearch] = useState('');
  return (
    <FilterBar
      label="Filter letters"
      value={value}
      choices={CHOICES}
      onChange={setValue}
      search={{ label: 'Begins with', value: search, onSearch: setSearch }}
    >
      {value} that begin with “{search}”
    </FilterBar>
  );
}

it('filters and searches the rows below it with the keyboard', async () => {
  const user = userEvent.setup();
  render(<Letters />);
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['All 1,200', 'Failed 0', 'Other ']);
  await user.tab();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tabpanel')).toHaveTextContent('failed that begin with “”');
  await user.type(screen.getByRole('searchbox', { name: 'Begins with' }), ' a {Enter}');
  expect(screen.getByRole('tabpanel')).toHaveTextContent('failed that begin with “a”');
  await user.click(screen.getByRole('button', { name: 'Show all' }));
  expect(screen.getByRole('tabpanel')).toHaveTextContent('failed that begin with “”');
  expect(screen.getByRole('searchbox')).toHaveFocus();
});
