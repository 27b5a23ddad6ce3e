import type { ReactNode } from 'react';
import { textOf } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';

interface QuestionDialogProps {
  title: string;
  /** Text of the confirm button. */
  doIt: string;
  children: ReactNode;
  busy: boolean;
  error: unknown;
  onYes: () => void;
  onClose: () => void;
}

export function QuestionDialog({ title, doIt, children, busy, error, onYes, onClose }: QuestionDialogProps) {
  return (
    <Dialog
      asks
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={busy} onClick={onYes}>
            {doIt}
          </Button>
        </>
      }
    >
      {children}
      <Refusal error={error} />
    </Dialog>
  );
}

export function Refusal({ error }: { error: unknown }) {
  if (error === undefined) return null;
  return (
    <Notice tone="bad" className="mt-3">
      <p>{textOf(error)}</p>
    </Notice>
  );
}
