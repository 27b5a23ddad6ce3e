import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { MenuButton } from '../../../web/ui/overlay/MenuButton.tsx';

function shown() {
  const chosen = vi.fn();
  render(
    <MenuButton
      label="Move"
      choices={[
        { label: 'Here', disabled: true, onChoose: () => chosen('here') },
        { label: 'There', onChoose: () => chosen('there') },
      ]}
    />,
  );
  return { chosen, user: userEvent.setup(), button: screen.getByRole('button', { name: 'Move' }) };
}

describe('a button with a menu', () => {
  it('opens the menu on a press, and closes it on a second one', async () => {
    const { user, button } = shown();
    expect(button).toHaveAttribute('aria-haspopup', 'menu');
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await user.click(button);
    expect(await screen.findByRole('menu', { name: 'Move' })).toBeVisible();
    expect(button).toHaveAttribute('aria-expanded', 'true');
    await user.click(button);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(button).toHaveAttribute('aria-expanded', 'false');
  });

  it.each(['{Enter}', '{ArrowDown}'])('focuses the first enabled choice when opened by %s', async (key) => {
    const { user, button, chosen } = shown();
    button.focus();
    await user.keyboard(key);
    const there = await screen.findByRole('menuitem', { name: 'There' });
    await vi.waitFor(() => expect(there).toHaveFocus());
    await user.keyboard('{Enter}');
    expect(chosen.mock.calls).toEqual([['there']]);
    await vi.waitFor(() => expect(button).toHaveFocus());
  });

  it('returns the focus on Escape', async () => {
    const { user, button, chosen } = shown();
    button.focus();
    await user.keyboard('{Enter}');
    await vi.waitFor(() => expect(screen.getByRole('menuitem', { name: 'There' })).toHaveFocus());
    await user.keyboard('{Escape}');
    await vi.waitFor(() => expect(button).toHaveFocus());
    expect(screen.queryByRole('menu')).toBeNull();
    expect(chosen).not.toHaveBeenCalled();
  });
});
