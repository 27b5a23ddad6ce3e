import { LoaderCircle } from 'lucide-react';

/** Spins unless reduced motion is preferred; the icon alone also shows that it is busy. */
export function Spinner({ small = false }: { small?: boolean }) {
  return <LoaderCircle aria-hidden="true" className="shrink-0 animate-spin" size={small ? 14 : 22} />;
}

/** Placeholder of a whole screen or panel. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="flex min-h-48 items-center justify-center gap-2 text-muted">
      <Spinner />
      <span className="sr-only">{label}</span>
    </div>
  );
}
