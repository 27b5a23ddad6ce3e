import { clsx } from 'clsx';
import { Notice } from './Notice.tsx';

interface SandboxNoteProps {
  /** Of the server's status. */
  mode: 'live' | 'test' | 'sandbox' | 'off' | undefined;
  /** A line, where something is led to and not sold itself. */
  short?: boolean;
  className?: string;
}

/** Stands wherever something is sold: where no money moves, it says so. */
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
