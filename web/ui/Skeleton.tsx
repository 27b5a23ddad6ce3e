import { clsx } from 'clsx';

/** A grey place holder of the shape that is coming. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={clsx('block animate-pulse rounded-control bg-inset', className)} />;
}
