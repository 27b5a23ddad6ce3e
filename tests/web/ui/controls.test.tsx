import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { Button } from '../../../web/ui/Button.tsx';
import { Dialog } from '../../../web/ui/overlay/Dialog.tsx';
import { Tabs } from '../../../web/ui/Tabs.tsx';
import { ThemeToggle } from '../../../web/ui/ThemeToggle.tsx';

const user = userEvent.setup();

function Letters() {
  const [value, setValue] = useState('a');
  return (
    <Tabs
      label="Letters"
      value={value}
      choices={['a', 'b', 'c'].map((letter) => ({ value: letter, label: letter }))}
      onChange={setValue}
    >
      shows {value}
    </Tabs>
  );
}

function Asking({ asks = false }: { asks?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <Dialog asks={asks} title="Question" onClose={() => setOpen(false)} footer={<button type="button">Yes</button>}>
          Text
        </Dialog>
      )}
    </>
  );
}

describe('a busy button', () => {
  it('cannot be pressed, but keeps the focus', async () => {
    let pressed = 0;
    const { rerender } = render(<Button onClick={() => (pressed += 1)}>Save</Button>);
    await user.click(screen.getByRole('button'));
    rerender(
      <Button busy onClick={() => (pressed += 1)}>
        Save
      </Button>,
    );
    await user.click(screen.getByRole('button'));
    await user.keyboard('{Enter}');
    expect(pressed).toBe(1);
    expect(screen.getByRole('button')).toHaveFocus();
    expect(screen.getByRole('button')).toHaveAttribute('aria-disabled', 'true');
  });

  it('does not submit its form again', async () => {
    let sent = 0;
    const onSubmit = (event: { preventDefault: () => void }): void => {
      event.preventDefault();
      sent += 1;
    };
    render(
      <form onSubmit={onSubmit}>
        <Button busy type="submit">
          Send
        </Button>
      </form>,
    );
    await user.click(screen.getByRole('button'));
    expect(sent).toBe(0);
  });
});

describe('tabs', () => {
  it('are one tab stop, selected with arrows, Home and End', async () => {
    render(<Letters />);
    await user.tab();
    expect(screen.getByRole('tab', { name: 'a' })).toHaveFocus();
    await user.keyboard('{ArrowLeft}');
    expect(screen.getByRole('tab', { name: 'c' })).toHaveFocus();
    expect(screen.getByRole('tabpanel', { name: 'c' })).toHaveTextContent('shows c');
    await user.keyboard('{Home}{ArrowRight}');
    expect(screen.getByRole('tabpanel', { name: 'b' })).toHaveTextContent('shows b');
    await user.keyboard('{End}');
    expect(screen.getByRole('tab', { name: 'c' })).toHaveAttribute('aria-selected', 'true');
    await user.tab();
    expect(screen.getByRole('tabpanel')).toHaveFocus();
  });
});

describe('a dialog', () => {
  it('takes the focus, traps it, and returns it', async () => {
    render(<Asking />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    const dialog = screen.getByRole('dialog', { name: 'Question' });
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    for (let turn = 0; turn < 5; turn += 1) {
      await user.tab();
      await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    }
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
  });

  it('that asks for confirmation focuses the answer that changes nothing', async () => {
    render(<Asking asks />);
    await user.click(screen.getByRole('button', { name: 'Open' }));
    expect(screen.getByRole('alertdialog', { name: 'Question' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Yes' })).toHaveFocus());
  });
});

describe('the theme', () => {
  beforeEach(() => {
    delete document.documentElement.dataset.theme;
  });

  it('cycles through system, light and dark', async () => {
    render(<ThemeToggle />);
    await user.click(screen.getByRole('button', { name: 'Theme: system. Switch to light' }));
    expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual(['light', 'light']);
    await user.click(screen.getByRole('button', { name: 'Theme: light. Switch to dark' }));
    expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual(['dark', 'dark']);
    await user.click(screen.getByRole('button', { name: 'Theme: dark. Switch to system' }));
    expect([document.documentElement.dataset.theme, localStorage.getItem('theme')]).toEqual([undefined, null]);
  });
});
