import { clsx } from 'clsx';

/** A gray placeholder in the shape of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('block animate-pulse rounded-control bg-inset', className)} />;
}

/** Placeholder of a list. */
export function RowsSkeleton({ label, rows, row = 'h-10' }: { label: string; rows: number; row?: string }) {
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are alike.
        <Skeleton key={at} className={clsx('w-full', row)} />
      ))}
    </div>
  );
}
