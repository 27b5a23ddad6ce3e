import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'attention' | 'caution' | 'bad' | 'info';

export const TONES: Record<Tone, string> = {
  good: 'border-good-line bg-good-soft text-good',
  attention: 'border-attention-line bg-attention-soft text-attention',
  caution: 'border-caution-line bg-caution-soft text-caution',
  bad: 'border-bad-line bg-bad-soft text-bad',
  info: 'border-info-line bg-info-soft text-info',
};

const ICONS = { good: CircleCheck, attention: TriangleAlert, caution: TriangleAlert, bad: CircleAlert, info: Info };

/** A message box; a bad one is announced at once. */
export function Notice({
  tone,
  title,
  children,
  className,
}: {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  className?: string;
}) {
  const Icon = ICONS[tone];
  return (
    <div
      role={tone === 'bad' ? 'alert' : undefined}
      className={clsx('flex gap-2 rounded-control border px-3 py-2', TONES[tone], className)}
    >
      <Icon aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0 space-y-1">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
    </div>
  );
}
