import { useRef } from 'react';
import type { ShareItem } from '../../../src/http/contract/share.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
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
    <Dialog
      asks
      title={`Revoke “${item.title}”?`}
      onClose={onClose}
      returnTo={() => (revoked.current ? returnTo() : null)}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" busy={isLoading} onClick={() => void confirm()}>
            Revoke link
          </Button>
        </>
      }
    >
      <p>The link becomes inaccessible at once, including for anyone viewing it. This cannot be undone.</p>
      {error && (
        <Notice tone="bad" className="mt-3">
          <p>Failed to revoke link: {asFailure(error).message || 'please try again'}</p>
        </Notice>
      )}
    </Dialog>
  );
}
