import type { ReactNode } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { failureText } from './sequenceWording.ts';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  confirm: string;
  danger?: boolean;
  busy: boolean;
  error: unknown;
  /** Shown above the server's message. */
  failure?: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation of an action on a sequence or template. */
export function ConfirmDialog({ title, children, confirm, danger = false, busy, error, failure, onConfirm, onClose }: ConfirmDialogProps) {
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
          <p>{failureText(error)}</p>
        </Notice>
      )}
    </Dialog>
  );
}
