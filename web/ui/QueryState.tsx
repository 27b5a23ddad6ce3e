import type { ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel.tsx';
import { Loading } from './Spinner.tsx';

const UNEXPECTED = 'The server sent an unexpected response.';

interface Query<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

interface QueryStateProps<Data> {
  query: Query<Data>;
  /** Title of an error. */
  title: string;
  /** Text of an error; a text alone stands for a message that the server did not send. */
  text?: string | ((error: unknown) => string);
  retryLabel?: string;
  /** In the shape of the data, and named for screen readers. */
  loading?: ReactNode;
  /** What stands for data that holds nothing; anything falsy where it does hold something. */
  empty?: (data: Data) => ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * The result of a query: loading, empty, an error, the data, or both: an error leaves what was loaded before it on the
 * screen.
 */
export function QueryState<Data>({
  query,
  title,
  text = UNEXPECTED,
  retryLabel,
  loading,
  empty,
  children,
}: QueryStateProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  const failed = error !== undefined && error !== null;
  return (
    <>
      {failed && (
        <ErrorPanel
          title={title}
          text={typeof text === 'string' ? messageOf(error) || text : text(error)}
          retryLabel={retryLabel}
          busy={isFetching}
          onRetry={canPass(error) ? () => void refetch() : undefined}
        />
      )}
      {data === undefined ? !failed && (loading ?? <Loading />) : empty?.(data) || children(data)}
    </>
  );
}

/** An error is an `ApiFailure`, as plain data, or what was thrown. */
const messageOf = (error: unknown): string | undefined => (error as { readonly message?: string }).message;

const TOO_MANY_REQUESTS = 429;

/** What the server refuses, it refuses again, unless there were only too many requests. */
function canPass(error: unknown): boolean {
  const { status = 0 } = error as { readonly status?: number };
  return status < 400 || status >= 500 || status === TOO_MANY_REQUESTS;
}
