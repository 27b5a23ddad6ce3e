import type { ReactNode } from 'react';

const LOOK =
  'max-h-72 overflow-auto rounded-control border border-line bg-card p-3 font-mono text-sm whitespace-pre-wrap text-normal wrap-anywhere';

/** A long text in a scrollable box. */
export function ScrollRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={LOOK} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
