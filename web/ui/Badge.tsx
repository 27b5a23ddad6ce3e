import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { TONES, type Tone } from './Notice.tsx';

export function Badge({
  tone,
  children,
  className,
}: {
  tone: Tone | 'plain';
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={clsx(
        'inline-flex h-[22px] items-center gap-1 rounded-full border px-2 text-xs font-medium whitespace-nowrap',
        tone === 'plain' ? 'border-line bg-inset text-normal' : TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
