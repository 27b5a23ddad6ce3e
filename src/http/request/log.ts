/** The log: what is kept out of it, and the child logger of a request. */
import type { Context } from 'koa';
import type { Logger, LoggerOptions } from 'pino';
import { maskedEmail } from '../../model/emailAddress.ts';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'passwordHash',
  'token',
  'access_token',
  'refresh_token',
  'accessToken',
  'refreshToken',
  'email',
];

/**
 * Pino options that keep secrets out of the log if a line ever has such a field, and email addresses wherever they are.
 */
export function logOptions(level: string): LoggerOptions {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]);
  return {
    level,
    base: null,
    redact: { paths, censor: '[redacted]' },
    serializers: { err: (error: unknown) => loggedError(error) },
    hooks: { streamWrite: withoutAddresses },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
}

const LOCAL = String.raw`[^\s<>"(),:;@[\]\\]`;
/** Not after a `/`, which precedes the scope of a package in a path. */
const AT = '(?<!/)(?:@|%40)';
const DOMAIN = String.raw`[^\s<>"'(),:;@[\]\\/?&=]`;
/** The address begins after an escape of JSON, never within one. */
const EMAIL_ADDRESS = new RegExp(
  String.raw`(?<!\\|\\u[0-9a-f]{0,3})(\\(?:u[0-9a-f]{4}|[^u]))?(${LOCAL}{1,64}${AT}${DOMAIN}{1,255})`,
  'giu',
);
/** Of an error's message and stack. */
const MOST_CHARS = 16_000;

/** Servers quote addresses in the texts of their errors: `450 4.2.0 <ann@example.com>: Greylisted`. */
function withoutAddresses(line: string): string {
  if (!/@|%40/.test(line)) return line;
  return line.replace(
    EMAIL_ADDRESS,
    (_, before = '', address: string) => `${before}${address.includes('@') ? maskedEmail(address) : '[redacted]'}`,
  );
}

type LoggedError = {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly stack?: string;
  readonly cause?: LoggedError;
};

const MAX_CAUSES = 5;

/**
 * What to log of an error. Libraries attach whole requests, buffers and configurations to errors: some of that is
 * secret, and some of it the redaction above cannot traverse.
 */
function loggedError(error: unknown, causes = MAX_CAUSES): LoggedError {
  if (!(error instanceof Error))
    return {
      type: error === null ? 'null' : typeof error,
      message: typeof error === 'string' ? error.slice(0, MOST_CHARS) : 'not an error',
    };
  const { code } = error as { readonly code?: unknown };
  return {
    type: error.constructor.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    message: error.message.slice(0, MOST_CHARS),
    ...(error.stack === undefined ? {} : { stack: error.stack.slice(0, MOST_CHARS) }),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: loggedError(error.cause, causes - 1) }),
  };
}

/** The logger with the request id on each line, created on first use. */
export function logOf(ctx: Context): Logger {
  ctx.state.log ??= ctx.state.appLog.child({ requestId: ctx.state.requestId });
  return ctx.state.log;
}
