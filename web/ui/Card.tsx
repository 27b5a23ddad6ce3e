import { clsx } from 'clsx';
import type { ReactNode, Ref } from 'react';

interface CardProps {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
  ref?: Ref<HTMLElement>;
}

export function Card({ title, aside, children, className, ref }: CardProps) {
  return (
    <section ref={ref} className={clsx('panel p-4', className)}>
      {(title || aside) && (
        <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
          {title && <h2 className="text-base">{title}</h2>}
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
