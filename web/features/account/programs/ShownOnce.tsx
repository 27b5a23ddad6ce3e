import { Check, Copy } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';

const COPIED_MS = 2_000;

interface ShownOnceProps {
  title: string;
  what: string;
  /** Never shown again; it lives in the props of this dialog alone. */
  secret: string;
  onClose: () => void;
  children?: ReactNode;
}

/** The dialog's last page, when what was asked for is made. */
export function ShownOnce({ title, what, secret, onClose, children }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      asks
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Secret what={what} secret={secret} />
      {children}
    </Dialog>
  );
}

function Secret({ what, secret }: Pick<ShownOnceProps, 'what' | 'secret'>) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    const copying = navigator.clipboard?.writeText(secret) ?? Promise.reject(new Error('no clipboard'));
    copying.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <div className="space-y-3">
      <Notice tone="attention">
        <p>Copy the {what} now. It is shown this once; if it is lost, make a new one.</p>
      </Notice>
      <code className="block rounded-control bg-inset px-3 py-2 font-mono text-sm text-strong select-all [overflow-wrap:anywhere]">{secret}</code>
      <Button onClick={copy}>
        {state === 'copied' ? <Check aria-hidden="true" size={14} /> : <Copy aria-hidden="true" size={14} />}
        {state === 'copied' ? 'Copied' : `Copy ${what}`}
      </Button>
      {state === 'failed' && <p className="text-sm text-bad">The browser did not allow it. Select the text and copy it by hand.</p>}
    </div>
  );
}
