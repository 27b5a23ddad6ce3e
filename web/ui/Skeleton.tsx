import { clsx } from 'clsx';

/** A gray placeholder in the shape of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('block animate-pulse rounded-control bg-inset', className)} />;
}
