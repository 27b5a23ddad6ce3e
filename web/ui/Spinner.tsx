import { LoaderCircle } from 'lucide-react';

/** Turning only where motion is welcome; the icon alone says 'at work'. */
export function Spinner({ small = false }: { small?: boolean }) {
  return <LoaderCircle aria-hidden="true" className="shrink-0 animate-spin" size={small ? 14 : 22} />;
}

/** A whole screen or panel that is not there yet. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="flex min-h-48 items-center justify-center gap-2 text-muted">
      <Spinner />
      <span className="sr-only">{label}</span>
    </div>
  );
}
