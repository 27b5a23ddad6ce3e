import type { ComponentProps } from 'react';
import { QueryState } from '../../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../../ui/Skeleton.tsx';

/** The result of a part of the page that has a query of its own. */
export function AuditPart<Data>(props: Omit<ComponentProps<typeof QueryState<Data>>, 'title'>) {
  return (
    <QueryState
      title="Failed to load this part of the audit"
      loading={<RowsSkeleton label="Loading" rows={5} row="h-12" />}
      {...props}
    />
  );
}
