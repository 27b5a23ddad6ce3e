import type { ShareItem } from '../../../src/http/contract/share.ts';
import { asFailure } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';
import { useRevokeShareMutation } from './sharingApi.ts';

export function RevokeDialog({ item, onClose }: { item: ShareItem; onClose: () => void }) {
  const [revoke, { isLoading, error }] = useRevokeShareMutation();
  const confirm = async (): Promise<void> => {
    const { error: refusal } = await revoke(item.id);
    if (!refusal) onClose();
  };
  return (
    <Dialog
      asks
      title={`Revoke “${item.title}”?`}
      onClose={onClose}
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
