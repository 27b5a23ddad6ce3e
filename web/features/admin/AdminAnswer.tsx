import type { ComponentProps, ReactNode } from 'react';
import { asFailure } from '../../api/failure.ts';
import { QueryState } from '../../ui/QueryState.tsx';
import { AccessDenied } from './AccessDenied.tsx';
import { SecondFactorMissing } from './SecondFactorMissing.tsx';
import { LogInAgain } from './session/LogInAgain.tsx';

interface AdminAnswerProps<Data> extends Omit<ComponentProps<typeof QueryState<Data>>, 'text'> {
  /** From the status (0: no response), the server's message, if any, and its code. */
  textOf: (status: number, message: string, code: string) => string;
  /** The page's own sentence for a withdrawn right. */
  deniedText?: string;
  /** What stays above an error that there is no data for, such as a form that may lead to other data. */
  above?: (data: Data | undefined) => ReactNode;
}

/** The result of a query, with what only admin pages are refused. */
export function AdminAnswer<Data>({ query, textOf, deniedText, above, ...rest }: AdminAnswerProps<Data>) {
  const failure = query.error === undefined ? null : asFailure(query.error);
  if (failure?.code === 'MFA_REQUIRED') return <SecondFactorMissing text={failure.message} />;
  if (failure?.code === 'ADMIN_SESSION_EXPIRED') return <LogInAgain />;
  if (failure?.status === 403) return <AccessDenied text={deniedText} />;
  // Deleted while it was open, or never there.
  const data = failure?.status === 404 ? undefined : query.data;
  const textFor = (error: unknown): string => {
    const { status, message, code } = asFailure(error);
    return textOf(status, message, code);
  };
  return (
    <>
      {above?.(data)}
      <QueryState {...rest} query={{ ...query, data }} text={textFor} />
    </>
  );
}
