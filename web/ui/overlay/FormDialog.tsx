import { type ReactNode, useId } from 'react';
import { Button } from '../Button.tsx';
import { Notice } from '../Notice.tsx';
import { Dialog } from './Dialog.tsx';

interface FormDialogProps {
  title: ReactNode;
  /** On the button that submits it, and on the one that leaves it. */
  submit: string;
  cancel?: string;
  /** What it does cannot be undone, or takes something away. */
  danger?: boolean;
  /** A question, rather than fields to fill in: as of `Dialog`. */
  asks?: boolean;
  busy: boolean;
  /** Nothing to submit yet. */
  disabled?: boolean;
  /** Why it was refused; null and the like: it was not. */
  problem?: ReactNode;
  onSubmit: () => unknown;
  onClose: () => void;
  returnTo?: () => HTMLElement | null;
  children: ReactNode;
}

/**
 * A dialog that is submitted: a few fields, or a question. It stays open while it is busy and after a refusal; closing
 * it is the caller's.
 */
export function FormDialog(props: FormDialogProps) {
  const {
    title,
    submit,
    cancel = 'Cancel',
    danger = false,
    asks = false,
    busy,
    disabled = false,
    problem,
    onSubmit,
    onClose,
    returnTo,
    children,
  } = props;
  const form = useId();
  return (
    <Dialog
      asks={asks}
      fills={!asks}
      title={title}
      onClose={onClose}
      {...(returnTo ? { returnTo } : {})}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button variant={danger ? 'danger' : 'primary'} type="submit" form={form} busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className={asks ? undefined : 'space-y-4'}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) onSubmit();
        }}
      >
        {children}
      </form>
      {problem && (
        <Notice tone="bad" className="mt-3">
          {typeof problem === 'string' ? <p>{problem}</p> : problem}
        </Notice>
      )}
    </Dialog>
  );
}
