import { clsx } from 'clsx';
import { Notice } from './Notice.tsx';

interface SandboxNoteProps {
  /** From the server's status. */
  mode: 'live' | 'test' | 'sandbox' | 'off' | undefined;
  /** One line, for links to pages that sell something. */
  short?: boolean;
  className?: string;
}

/** Shown wherever something is sold: says so where no real money moves. */
export function SandboxNote({ mode, short = false, className }: SandboxNoteProps) {
  if (mode !== 'sandbox' && mode !== 'test') return null;
  const title = mode === 'sandbox' ? 'Payment sandbox: no money moves' : 'Test mode: no money moves';
  if (short) return <p className={clsx('text-sm text-muted', className)}>{title}.</p>;
  return (
    <Notice tone="info" title={title} {...(className ? { className } : {})}>
      <p>No real card is charged. Pay with a test card, such as 4242 4242 4242 4242.</p>
    </Notice>
  );
}
