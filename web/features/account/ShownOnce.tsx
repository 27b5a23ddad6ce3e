import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';

const COPIED_MS = 2_000;

/** A secret that is never shown again. It lives in this component's props alone. */
export function ShownOnce({ what, secret }: { what: string; secret: string }) {
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
