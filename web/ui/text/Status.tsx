import type { ReactNode } from 'react';

/** Speaks to screen readers when its text changes. It must be on the page before it has something to say. */
export function Status({ children }: { children: ReactNode }) {
  return (
    <span role="status" className="sr-only">
      {children}
    </span>
  );
}
