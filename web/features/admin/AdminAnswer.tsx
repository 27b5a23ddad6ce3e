import type { ReactNode } from 'react';
import { asFailure } from '../../api/failure.ts';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { AccessDenied } from './AccessDenied.tsx';
import { SecondFactorMissing } from './SecondFactorMissing.tsx';
import { LogInAgain } from './session/LogInAgain.tsx';

interface Query<Data> {
  readonly data?: Data | undefined;
  readonly error?: unknown;
  readonly isFetching: boolean;
  readonly refetch: () => unknown;
}

/**
 * The result of a query, the same on every admin page: the last data stays on the screen below any later error, unless it was deleted. `textOf` makes
 * the error text from the status (0: no response) and the server's message, if any.
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
  if (failure?.code === 'ADMIN_SESSION_EXPIRED') return <LogInAgain />;
  if (status === 403) return <AccessDenied />;
  // Deleted while it was open. A moment before the first event also gives a 404, but the page must stay so that another can be chosen.
  const isGone = status === 404 && failure?.code !== 'NOTHING_YET';
  return (
    <>
      {failure && <ErrorPanel title={title} text={textOf(failure.status, failure.message)} busy={isFetching} onRetry={() => void refetch()} />}
      {data === undefined || isGone ? status === null && <Loading /> : children(data)}
    </>
  );
}
