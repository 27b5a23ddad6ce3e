import type { ReactNode } from 'react';
import { asFailure } from '../../api/failure.ts';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { AccessDenied } from './AccessDenied.tsx';
import { SecondFactorMissing } from './SecondFactorMissing.tsx';

interface Query<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * What came of a query, on every admin page alike: what was answered last stays on the screen, below what went wrong since, unless it is gone. `textOf`
 * makes the text of the answer's status (0: there was none) and of what the server said of it, if it did.
 */
export function AdminAnswer<Data>({
  query,
  title,
  textOf,
  children,
}: {
  query: Query<Data>;
  title: string;
  textOf: (status: number, message: string) => string;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = query;
  const failure = error === undefined ? null : asFailure(error);
  const status = failure?.status ?? null;
  if (failure?.code === 'MFA_REQUIRED') return <SecondFactorMissing text={failure.message} />;
  if (status === 403) return <AccessDenied />;
  // What was deleted while it was looked at. A moment before everything else is none of that: another one can be chosen.
  const isGone = status === 404 && failure?.code !== 'NOTHING_YET';
  return (
    <>
      {failure && <ErrorPanel title={title} text={textOf(failure.status, failure.message)} busy={isFetching} onRetry={() => void refetch()} />}
      {data === undefined || isGone ? status === null && <Loading /> : children(data)}
    </>
  );
}
