/** The log: what never stands in it, and the part of it that belongs to one request. */
import type { Context } from 'koa';
import type { Logger, LoggerOptions } from 'pino';

const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'passwordHash', 'token', 'access_token', 'refresh_token', 'accessToken', 'refreshToken', 'email'];

/** Pino's options for a log that keeps secrets and mail addresses out, should a line ever carry such a field. */
export function logOptions(level: string): LoggerOptions {
  const paths = SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*.*.*.${field}`]);
  return { level, base: null, redact: { paths, censor: '[redacted]' }, timestamp: () => `,"time":"${new Date().toISOString()}"` };
}

/** The log with the request's id in each line, made when there is something to say. */
export function logOf(ctx: Context): Logger {
  ctx.state.log ??= ctx.state.appLog.child({ requestId: ctx.state.requestId });
  return ctx.state.log;
}
