import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useCopy } from '../../../ui/useCopy.ts';
import { OnceDialog } from '../OnceDialog.tsx';

interface ShownOnceProps {
  title: string;
  what: string;
  /** Never shown again; kept only in this dialog's props. */
  secret: string;
  onClose: () => void;
  children?: ReactNode;
}

/** The dialog's last step, with the new secret. */
export function ShownOnce({ title, what, secret, onClose, children }: ShownOnceProps) {
  const [copied, setCopied] = useState(false);
  return (
    <OnceDialog
      title={title}
      kept={copied}
      done="Done"
      question={`You haven’t copied the ${what}. Close anyway?`}
      discard="Close without copying"
      onClose={onClose}
    >
      <Secret what={what} secret={secret} onCopied={() => setCopied(true)} />
      {children}
    </OnceDialog>
  );
}

function Secret({ what, secret, onCopied }: Pick<ShownOnceProps, 'what' | 'secret'> & { onCopied: () => void }) {
  const { state, copy } = useCopy();
  const copySecret = async (): Promise<void> => {
    if (await copy(secret)) onCopied();
  };
  return (
    <div className="space-y-3">
      <Notice tone="attention">
        <p>Copy the {what} now. It won’t be shown again; if you lose it, create a new one.</p>
      </Notice>
      <code className="block rounded-control bg-inset px-3 py-2 font-mono text-sm text-strong select-all wrap-anywhere">
        {secret}
      </code>
      <Button onClick={() => void copySecret()}>
        {state === 'copied' ? <Check aria-hidden="true" size={14} /> : <Copy aria-hidden="true" size={14} />}
        {state === 'copied' ? 'Copied' : `Copy ${what}`}
      </Button>
      {state === 'failed' && (
        <p className="text-sm text-bad">Your browser blocked copying. Select the text and copy it yourself.</p>
      )}
    </div>
  );
}
