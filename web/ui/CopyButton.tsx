import { Check, Copy } from 'lucide-react';
import { Button } from './Button.tsx';
import { useCopy } from './useCopy.ts';

interface CopyButtonProps {
  /** A function if it is only made when it is copied. */
  text: string | (() => string);
  label?: string;
  /** What is copied, for screen readers. */
  what?: string;
}

export function CopyButton({ text, label = 'Copy', what }: CopyButtonProps) {
  const { state, copy } = useCopy();
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <Button variant="quiet" aria-live="polite" onClick={() => void copy(typeof text === 'string' ? text : text())}>
      <Icon aria-hidden="true" size={14} />
      {{ idle: label, copied: 'Copied', failed: 'Could not copy' }[state]}{' '}
      {what && <span className="sr-only">{what}</span>}
    </Button>
  );
}
