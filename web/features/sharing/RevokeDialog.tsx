import { useRef } from 'react';
import type { ShareItem } from '../../../src/http/contract/share.ts';
import { asFailure } from '../../api/failure.ts';
import { FormDialog } from '../../ui/overlay/FormDialog.tsx';
import { useRevokeShareMutation } from './sharingApi.ts';

interface RevokeDialogProps {
  item: ShareItem;
  /** Where focus goes once it is revoked, as its button is then gone. */
  returnTo: () => HTMLElement | null;
  onClose: () => void;
}

export function RevokeDialog({ item, returnTo, onClose }: RevokeDialogProps) {
  const [revoke, { isLoading, error }] = useRevokeShareMutation();
  const revoked = useRef(false);
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await revoke(item.id);
    if (refusal) return;
    revoked.current = true;
    onClose();
  };
  return (
    <FormDialog
      asks
      danger
      title={`Revoke “${item.title}”?`}
      onClose={onClose}
      returnTo={() => (revoked.current ? returnTo() : null)}
      cancel="Keep it"
      submit="Revoke link"
      busy={isLoading}
      problem={error && `Failed to revoke link: ${asFailure(error).message || 'please try again'}`}
      onSubmit={confirm}
    >
      <p>The link stops working at once, also for anyone viewing it. This cannot be undone.</p>
    </FormDialog>
  );
}
