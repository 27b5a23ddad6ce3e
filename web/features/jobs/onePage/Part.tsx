import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';

interface PartProps {
  title: string;
  /** Opened on demand. */
  folded?: boolean;
  children: ReactNode;
}

/** A titled part of a page's view. */
export function Part({ title, folded = false, children }: PartProps) {
  if (!folded)
    return (
      <section className="panel p-4">
        <h2 className="mb-2 text-base">{title}</h2>
        {children}
      </section>
    );
  return (
    <details className="group panel">
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 rounded-card px-4 hover:bg-inset [&::-webkit-details-marker]:hidden">
        <h2 className="text-base">{title}</h2>
        <ChevronDown aria-hidden="true" size={14} className="group-open:rotate-180" />
      </summary>
      <div className="px-4 pt-1 pb-4">{children}</div>
    </details>
  );
}
