import { Skeleton } from '../Skeleton.tsx';

const ROWS = 12;

/** In the shape of a grid with its search and its filters. */
export function GridSkeleton({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="space-y-3">
      <span className="sr-only">{label}</span>
      <div className="flex gap-2">
        <Skeleton className="h-9 flex-1 sm:max-w-xs" />
        <Skeleton className="h-9 w-24 max-sm:hidden" />
      </div>
      <Skeleton className="h-18 w-full max-sm:hidden" />
      <div className="panel">
        {Array.from({ length: ROWS }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are alike.
          <div key={at} className="flex h-10 items-center gap-4 border-b border-line px-3 last:border-0">
            <Skeleton className="h-4 flex-2" />
            <Skeleton className="h-4 flex-1" />
            <Skeleton className="h-4 flex-1 max-sm:hidden" />
          </div>
        ))}
      </div>
    </div>
  );
}
