import type { ReactNode } from 'react';

/** An empty state: one sentence, one action. `title`: where it is all that the page shows. */
export function Nothing({ title, text, children }: { title?: string; text: ReactNode; children?: ReactNode }) {
  return (
    <div className="panel px-4 py-12 text-center">
      {title && <h1 className="mb-2 text-xl">{title}</h1>}
      <p>{text}</p>
      {children && <div className="mt-3 flex justify-center">{children}</div>}
    </div>
  );
}
