import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { expect, it } from 'vitest';
import { Field } from '../../../web/ui/form/Field.tsx';
import { FormDialog } from '../../../web/ui/overlay/FormDialog.tsx';

function shown(props: Partial<ComponentProps<typeof FormDialog>>) {
  const done: string[] = [];
  const dialog = (more: Partial<ComponentProps<typeof FormDialog>>) => (
    <FormDialog
      title="Rename it"
      submit="Rename"
      busy={false}
      onSubmit={() => done.push('submitted')}
      onClose={() => done.push('closed')}
      {...props}
      {...more}
    >
      <Field label="Name" />
    </FormDialog>
  );
  const { rerender } = render(dialog({}));
  return {
    done,
    change: (more: Partial<ComponentProps<typeof FormDialog>>) => rerender(dialog(more)),
    user: userEvent.setup(),
  };
}

it('is submitted from a field with the keyboard, and closed with Escape', async () => {
  const { done, user } = shown({});
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'new{Enter}');
  expect(done).toEqual(['submitted']);
  await user.keyboard('{Escape}');
  expect(done).toEqual(['submitted', 'closed']);
});

it('is not submitted twice while it is busy', async () => {
  const { done, user } = shown({ busy: true });
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), '{Enter}');
  await user.click(screen.getByRole('button', { name: 'Rename' }));
  expect(done).toEqual([]);
});

it('announces why it was refused, and keeps what was typed', async () => {
  const { change, user } = shown({});
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'taken');
  change({ problem: 'That name is taken.' });
  expect(screen.getByRole('alert')).toHaveTextContent('That name is taken.');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('taken');
});

it('as a question offers the safe answer first', async () => {
  const { done, user } = shown({ asks: true, danger: true, cancel: 'Keep it', children: 'It cannot be undone.' });
  expect(await screen.findByRole('alertdialog', { name: 'Rename it' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Keep it' }));
  expect(done).toEqual(['closed']);
});
