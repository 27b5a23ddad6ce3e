import { Skeleton } from '../../ui/Skeleton.tsx';

/** Placeholder of the dashboard until its items are loaded. */
export function ActionsSkeleton() {
  return (
    <div role="status" className="space-y-4">
      <span className="sr-only">Loading the action items</span>
      <div className="grid gap-6 panel p-4 lg:grid-cols-4">
        {[0, 1, 2, 3].map((cell) => (
          <div key={cell} className="space-y-2">
            <Skeleton className="h-4 w-24" />
            <Skeleton className="h-6 w-12" />
          </div>
        ))}
      </div>
      <div className="space-y-3 panel p-4">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-full max-w-xl" />
      </div>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {[0, 1, 2, 3, 4, 5].map((card) => (
          <div key={card} className="space-y-3 panel p-4">
            <Skeleton className="h-5 w-28" />
            <Skeleton className="h-4 w-3/4" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </div>
        ))}
      </div>
    </div>
  );
}
