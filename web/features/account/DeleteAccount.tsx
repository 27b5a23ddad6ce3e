import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { DeleteAccountDialog, type OnDeletion } from './DeleteAccountDialog.tsx';

/** `onDeletion`: 'asked' is followed by one of the others; with 'done' the browser forgets who was here. */
export function DeleteAccount({ onDeletion }: { onDeletion: OnDeletion }) {
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Delete account">
      <p className="mb-3">Removes the account with everything in it, for good. You see first what that is.</p>
      <Button look="danger" className="-ml-2" onClick={() => setAsking(true)}>
        Delete my account…
      </Button>
      {asking && <DeleteAccountDialog onClose={() => setAsking(false)} onDeletion={onDeletion} />}
    </Card>
  );
}
