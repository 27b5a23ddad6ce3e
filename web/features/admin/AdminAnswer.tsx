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
 * the error text from the status (0: no response), the server's message, if any, and its code. `above`: what stays above an error that there is no data
 * for, such as a form that may lead to other data.
 */
export function AdminAnswer<Data>({
  query,
  title,
  textOf,
  above,
  children,
}: {
  query: Query<Data>;
  title: string;
  textOf: (status: number, message: string, code: string) => string;
  above?: (data: Data | undefined) => ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, isFetching, refetch } = query;
  const failure = error === undefined ? null : asFailure(error);
  const status = failure?.status ?? null;
  if (failure?.code === 'MFA_REQUIRED') return <SecondFactorMissing text={failure.message} />;
  if (failure?.code === 'ADMIN_SESSION_EXPIRED') return <LogInAgain />;
  if (status === 403) return <AccessDenied />;
  // Deleted while it was open, or never there.
  const shown = status === 404 ? undefined : data;
  return (
    <>
      {above?.(shown)}
      {failure && (
        <ErrorPanel
          title={title}
          text={textOf(failure.status, failure.message, failure.code)}
          busy={isFetching}
          onRetry={canPass(failure.status) ? () => void refetch() : undefined}
        />
      )}
      {shown === undefined ? status === null && <Loading /> : children(shown)}
    </>
  );
}

const TOO_MANY_REQUESTS = 429;

/** What the server refuses, it refuses again, unless there were only too many requests. */
const canPass = (status: number): boolean => status < 400 || status >= 500 || status === TOO_MANY_REQUESTS;
