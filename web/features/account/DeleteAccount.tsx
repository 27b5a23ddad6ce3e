import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { DeleteAccountDialog, type OnDeletion } from './DeleteAccountDialog.tsx';

/** `onDeletion`: 'asked' is followed by one of the others; on 'done' the browser forgets the user. */
export function DeleteAccount({ hasPassword, onDeletion }: { hasPassword: boolean; onDeletion: OnDeletion }) {
  const [confirming, setConfirming] = useState(false);
  return (
    <Card title="Delete account">
      <p className="mb-3">
        Permanently deletes your account and everything in it. We’ll show what will be deleted first.
      </p>
      <Button variant="danger" className="-ml-2" onClick={() => setConfirming(true)}>
        Delete my account…
      </Button>
      {confirming && (
        <DeleteAccountDialog hasPassword={hasPassword} onClose={() => setConfirming(false)} onDeletion={onDeletion} />
      )}
    </Card>
  );
}
