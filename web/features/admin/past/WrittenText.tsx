import type { ReactNode } from 'react';

/** A text that admins wrote, folded until it is opened. */
export function WrittenText({ summary, text, children }: { summary: string; text: string; children?: ReactNode }) {
  return (
    <details className="mt-2">
      <summary className="flex min-h-8 cursor-pointer items-center wrap-anywhere pointer-coarse:min-h-11">
        {summary}
      </summary>
      {children}
      <pre className="mt-1 rounded-control bg-inset p-3 text-sm wrap-anywhere whitespace-pre-wrap">{text}</pre>
    </details>
  );
}
