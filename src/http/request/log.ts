/** The log: what is kept out of it, and the child logger of a request. */
import type { Context } from 'koa';
import type { Logger, LoggerOptions } from 'pino';

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'passwordHash', 'token', 'access_token', 'refresh_token', 'accessToken', 'refreshToken', 'email'];

/** Pino options that keep secrets and email addresses out of the log if a line ever has such a field. */
export function logOptions(level: string): LoggerOptions {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]);
  return {
    level,
    base: null,
    redact: { paths, censor: '[redacted]' },
    serializers: { err: (error: unknown) => loggedError(error) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
}

type LoggedError = { readonly type: string; readonly message: string; readonly code?: string | number; readonly stack?: string; readonly cause?: LoggedError };

const MAX_CAUSES = 5;

/**
 * What to log of an error. Libraries attach whole requests, buffers and configurations to errors: some of that is secret, and some of it the redaction above
 * cannot traverse.
 */
function loggedError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error)) return { type: error === null ? 'null' : typeof error, message: typeof error === 'string' ? error : 'not an error' };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.constructor.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: loggedError(error.cause, causes - 1) }),
  };
}

/** The logger with the request id on each line, created on first use. */
export function logOf(ctx: Context): Logger {
  ctx.state.log ??= ctx.state.appLog.child({ requestId: ctx.state.requestId });
  return ctx.state.log;
}
