import type { ReactNode } from 'react';
import { asFailure } from '../../../api/failure.ts';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';

type Props = {
  isLoading: boolean;
  error: unknown;
  onConfirm: () => Promise<void>;
  onClose: () => void;
  children: ReactNode;
};

/** The question before work is dropped. `children`: what dropping it means. */
export function DropDialog({ isLoading, error, onConfirm, onClose, children }: Props) {
  return (
    <FormDialog
      asks
      danger
      title="Drop this work?"
      onClose={onClose}
      cancel="Keep it"
      submit="Drop it"
      busy={isLoading}
      problem={error !== undefined && `Failed to drop it: ${asFailure(error).message || 'please try again'}`}
      onSubmit={onConfirm}
    >
      {children}
    </FormDialog>
  );
}
