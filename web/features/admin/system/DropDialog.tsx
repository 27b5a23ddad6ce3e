import type { ReactNode } from 'react';
import { asFailure } from '../../../api/failure.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';

type Props = { isLoading: boolean; error: unknown; onConfirm: () => Promise<void>; onClose: () => void; children: ReactNode };

/** The question before work is dropped. `children`: what dropping it means. */
export function DropDialog({ isLoading, error, onConfirm, onClose, children }: Props) {
  return (
    <Dialog
      asks
      title="Drop this work?"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" busy={isLoading} onClick={() => void onConfirm()}>
            Drop it
          </Button>
        </>
      }
    >
      {children}
      {error !== undefined && (
        <Notice tone="bad" className="mt-3">
          <p>Failed to drop it: {asFailure(error).message || 'please try again'}</p>
        </Notice>
      )}
    </Dialog>
  );
}
