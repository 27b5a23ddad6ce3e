import type { ReactNode } from 'react';

/** An empty state: one sentence, one action. */
export function Nothing({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="rounded-card border border-line bg-card px-4 py-12 text-center">
      <p>{text}</p>
      {children && <div className="mt-3 flex justify-center">{children}</div>}
    </div>
  );
}
