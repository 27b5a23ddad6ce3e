import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { copyText } from '../../../ui/copyText.ts';

const CONFIRMATION_MS = 2000;
const TEXTS = { idle: 'Copy', copied: 'Copied', failed: 'Could not copy' } as const;

/** Copies a text; `what` names it for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<keyof typeof TEXTS>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void =>
    void copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <Button variant="quiet" aria-live="polite" className="text-sm" onClick={copy}>
      <Icon aria-hidden="true" size={14} />
      {TEXTS[state]} <span className="sr-only">{what}</span>
    </Button>
  );
}
