import { Skeleton } from '../../../ui/Skeleton.tsx';

/** Roughly as high as what it replaces. */
export function FieldsSkeleton({ label = 'Loading the payment form' }: { label?: string }) {
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">{label}</span>
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-full" />
      <Skeleton className="h-9 w-2/3" />
    </div>
  );
}
