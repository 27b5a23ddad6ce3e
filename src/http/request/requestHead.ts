/**
 * The head of a request, judged before a handler, a schema or a library sees the request: its target and headers have
 * limits, and the query is parsed here.
 */
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { parseUrl } from '../../model/parseUrl.ts';
import { parseQuery, QUERY_LIMITS, type QueryFault, valuesByName } from '../../model/query.ts';
import { HttpError } from './errors.ts';

export const HEAD_LIMITS = {
  /** Longer than any path of the product: ids and tokens have fewer than 200 characters, an address at most 254. */
  pathBytes: 2 * 1024,
  queryBytes: QUERY_LIMITS.bytes,
  parameters: QUERY_LIMITS.parameters,
  headers: 100,
  /** Of a single header. All of them and the target together: `LIMITS.maxHeaderSize` of the server. */
  headerBytes: 8 * 1024,
  cookies: 100,
} as const;

/** Headers that mean one thing: Node would keep the first of several, a proxy perhaps the last. */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'sec-websocket-key',
  'sec-websocket-version',
  'stripe-signature',
]);

export type RequestHead = {
  readonly path: string;
  /** The path and the query as sent, whatever form the target has. */
  readonly target: string;
  readonly query: ReturnType<typeof valuesByName>;
};

type Request = Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers' | 'httpVersionMajor' | 'httpVersionMinor'>;

/** @throws HttpError with 400, 414 or 431 */
export function readHead(request: Request): RequestHead {
  checkHeaders(request);
  // Node's parser lets nothing but ASCII through, so lengths are sizes.
  const [path, sent] = partsOf(request.url ?? '');
  if (path.length > HEAD_LIMITS.pathBytes)
    throw new HttpError('TARGET_TOO_LONG', `The path is longer than ${kB(HEAD_LIMITS.pathBytes)}`);
  const parameters = parseQuery(sent ?? '');
  if (typeof parameters === 'string') throw refusedQuery(parameters);
  if (!isWellFormed(path)) throw new HttpError('INVALID_TARGET', 'The path is not valid UTF-8 in percent-encoding');
  return { path, target: sent === null ? path : `${path}?${sent}`, query: valuesByName(parameters) };
}

/**
 * Reads the head once, for everything that follows; afterward the target is a path with a query, which Koa can read.
 */
export const requestHead: Middleware = (ctx, next) => {
  const head = readHead(ctx.req);
  ctx.req.url = head.target;
  ctx.state.query = head.query;
  return next();
};

function checkHeaders({ rawHeaders, headers, httpVersionMajor, httpVersionMinor }: Request): void {
  // Node drops what is beyond its own limit of as many, so a longer list is never judged by what is left of it.
  if (rawHeaders.length > 2 * HEAD_LIMITS.headers)
    throw new HttpError('HEADERS_TOO_LARGE', `The request has more than ${HEAD_LIMITS.headers} headers`);
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (SINGLE.has(name) && seen.has(name))
      throw new HttpError('INVALID_REQUEST', `The request has several ${rawHeaders[at]} headers`);
    seen.add(name);
  }
  for (const value of Object.values(headers)) {
    const length = Array.isArray(value) ? Math.max(...value.map((each) => each.length)) : (value?.length ?? 0);
    if (length > HEAD_LIMITS.headerBytes)
      throw new HttpError('HEADERS_TOO_LARGE', `A header is longer than ${kB(HEAD_LIMITS.headerBytes)}`);
  }
  if ((headers.cookie ?? '').split(';').length > HEAD_LIMITS.cookies)
    throw new HttpError('HEADERS_TOO_LARGE', `The request has more than ${HEAD_LIMITS.cookies} cookies`);
  const needsHost = httpVersionMajor > 1 || (httpVersionMajor === 1 && httpVersionMinor >= 1);
  if (needsHost && headers.host === undefined) throw new HttpError('INVALID_REQUEST', 'The request has no Host header');
}

/**
 * The path and, after a question mark, the query. A target may also be a whole address, whose host says nothing here,
 * and `*` for OPTIONS.
 */
function partsOf(target: string): readonly [path: string, query: string | null] {
  const [, authority, rest = target] = /^(?:https?|wss?):\/\/([^/?#]*)(.*)$/is.exec(target) ?? [];
  const isReadable =
    authority === undefined ? rest.startsWith('/') || rest === '*' : parseUrl(`http://${authority}/`) !== null;
  if (!isReadable) throw new HttpError('INVALID_TARGET', 'The address that was asked for cannot be read');
  const fragment = rest.indexOf('#');
  const sent = fragment === -1 ? rest : rest.slice(0, fragment);
  const mark = sent.indexOf('?');
  return mark === -1 ? [sent || '/', null] : [sent.slice(0, mark) || '/', sent.slice(mark + 1)];
}

function refusedQuery(fault: QueryFault): HttpError {
  if (fault === 'TOO_LONG')
    return new HttpError('TARGET_TOO_LONG', `The query is longer than ${kB(QUERY_LIMITS.bytes)}`);
  if (fault === 'TOO_MANY')
    return new HttpError('TOO_MANY_PARAMETERS', `The query has more than ${QUERY_LIMITS.parameters} parameters`);
  return new HttpError('INVALID_TARGET', 'The query is not valid UTF-8 in percent-encoding');
}

function isWellFormed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

const kB = (bytes: number): string => `${bytes / 1024} kB`;
