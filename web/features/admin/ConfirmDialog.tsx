import type { ReactNode } from 'react';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** Text of the confirm button. */
  confirm: string;
  danger?: boolean;
  busy: boolean;
  error: unknown;
  /** Default: the server's message, or the general one. */
  errorText?: (error: unknown) => string;
  /** Shown above it. */
  failure?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation of an admin's action. */
export function ConfirmDialog({ title, children, confirm, danger = false, busy, error, errorText = textOf, failure, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      asks
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && (
        <Notice tone="bad" className="mt-3" {...(failure === undefined ? {} : { title: failure })}>
          <p>{errorText(error)}</p>
        </Notice>
      )}
    </Dialog>
  );
}
