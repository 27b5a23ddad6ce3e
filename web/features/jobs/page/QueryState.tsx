import type { ReactNode } from 'react';
import { textOf } from '../../../api/failure.ts';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

interface QueryStateProps<Data> {
  /** Undefined while not loaded. */
  data: Data | undefined;
  error: unknown;
  busy: boolean;
  onRetry: () => void;
  children: (data: Data) => ReactNode;
}

/** Loading and error states of a part of the page with its own query. */
export function QueryState<Data>({ data, error, busy, onRetry, children }: QueryStateProps<Data>) {
  if (data !== undefined) return children(data);
  if (error) {
    const text = textOf(error, 'The server did not answer as expected.');
    return <ErrorPanel title="This part of the audit could not be loaded" text={text} busy={busy} onRetry={onRetry} />;
  }
  return (
    <div role="status" className="space-y-3">
      <span className="sr-only">Loading</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-12 w-full" />
      ))}
    </div>
  );
}
