/** The sandbox's HTTP server: the API, the control routes, the hosted pages. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Page, PageAnswer } from '../hosted/page.ts';
import type { ApiAnswer, ApiRequest } from './api.ts';
import { ApiError, invalid } from './apiError.ts';
import { readForm } from './form.ts';

const LONGEST_BODY = 1_048_576;

export type HttpDeps = {
  readonly api: { answer(request: ApiRequest): Promise<ApiAnswer> };
  readonly control: (method: string, path: string, body: unknown) => Promise<object>;
  readonly page: Page;
  readonly secretKey: string;
  /** Origins allowed to call from a browser; null: any. */
  readonly origins: readonly string[] | null;
  readonly log: (line: string) => void;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > LONGEST_BODY) throw invalid('The request is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

const JSON_TYPE = { 'content-type': 'application/json', 'cache-control': 'no-store' };

/** A browser may call with the publishable key, as at Stripe. Cookies have no effect here. */
const FROM_PAGES = {
  vary: 'origin',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-expose-headers': 'request-id, stripe-version, idempotent-replayed',
};

const header = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** Whether a browser may call from this origin. Programs send none. */
const mayAsk = (origin: string | undefined, { origins }: HttpDeps): boolean =>
  origin === undefined || origins === null || origins.includes(origin);

function crossOrigin(request: IncomingMessage, deps: HttpDeps): Readonly<Record<string, string>> {
  const origin = header(request, 'origin');
  return {
    ...FROM_PAGES,
    ...(origin !== undefined && mayAsk(origin, deps) ? { 'access-control-allow-origin': origin } : {}),
  };
}

async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  { path, query }: Target,
  deps: HttpDeps,
): Promise<void> {
  const { api } = deps;
  if (!mayAsk(header(request, 'origin'), deps))
    throw new ApiError(403, { type: 'invalid_request_error', message: 'This page may not ask the sandbox.' });
  if (request.method === 'OPTIONS') {
    response.writeHead(204, crossOrigin(request, deps)).end();
    return;
  }
  const body = await bodyOf(request);
  const answer = await api.answer({
    method: request.method ?? 'GET',
    path,
    form: readForm([query, body].filter(Boolean).join('&')),
    authorization: header(request, 'authorization'),
    version: header(request, 'stripe-version'),
    idempotencyKey: header(request, 'idempotency-key'),
  });
  if (answer.lost) {
    request.socket.destroy();
    return;
  }
  response
    .writeHead(answer.status, { ...JSON_TYPE, ...crossOrigin(request, deps), ...answer.headers })
    .end(answer.body);
}

async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  { path }: Target,
  { control, secretKey }: HttpDeps,
): Promise<void> {
  if (header(request, 'authorization') !== `Bearer ${secretKey}`)
    throw new ApiError(401, { type: 'invalid_request_error', message: 'The control routes ask for the secret key.' });
  const body = await bodyOf(request);
  let given: unknown = {};
  try {
    given = body === '' ? {} : JSON.parse(body);
  } catch {
    throw invalid('The body is no JSON.');
  }
  const answer = await control(request.method ?? 'GET', path, given);
  response.writeHead(200, JSON_TYPE).end(JSON.stringify(answer, null, 2));
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** A merchant may frame the bank's challenge, but nothing else from here. */
const policyOf = (path: string, { origins }: HttpDeps): string =>
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors ${path.startsWith('/challenge/') && origins ? origins.join(' ') : "'none'"}`;

/** Forms come from the pages themselves; a foreign host name pointed at us is rejected. */
function isFromHere(request: IncomingMessage): boolean {
  const host = header(request, 'host') ?? '';
  const origin = header(request, 'origin');
  const isLocal =
    /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host) || host.split(':')[0] === request.socket.localAddress;
  return (
    isLocal &&
    (request.method === 'GET' ||
      request.method === 'HEAD' ||
      origin === undefined ||
      origin === 'null' ||
      origin === `http://${host}`)
  );
}

async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  { path, query }: Target,
  deps: HttpDeps,
): Promise<void> {
  const { page } = deps;
  if (!isFromHere(request))
    throw new ApiError(403, { type: 'invalid_request_error', message: 'This page is opened at its own address only.' });
  const form = request.method === 'POST' ? readForm(await bodyOf(request)) : {};
  const answer: PageAnswer = page({
    method: request.method === 'POST' ? 'POST' : 'GET',
    path,
    query: readForm(query),
    form,
  });
  if ('location' in answer)
    response
      .writeHead(303, { location: answer.location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .end();
  else
    response
      .writeHead(answer.status, { ...PAGE_HEADERS, 'content-security-policy': policyOf(path, deps) })
      .end(answer.html);
}

type Target = { readonly path: string; readonly query: string };

/** @throws ApiError when the target cannot be read: nothing of a request may end the process */
function targetOf({ url = '/' }: IncomingMessage): Target {
  const [, path = '', query = ''] = /^(\/[^?#]*)(?:\?([^#]*))?/.exec(url) ?? [];
  try {
    decodeURIComponent(path);
  } catch {
    throw invalid('The address cannot be read.');
  }
  if (path === '') throw invalid('The address cannot be read.');
  return { path, query };
}

async function answer(request: IncomingMessage, response: ServerResponse, deps: () => HttpDeps): Promise<void> {
  try {
    const target = targetOf(request);
    if (target.path.startsWith('/v1/')) await answerApi(request, response, target, deps());
    else if (target.path.startsWith('/control/')) await answerControl(request, response, target, deps());
    else await answerPage(request, response, target, deps());
  } catch (error) {
    sendError(request, response, error, deps());
  }
}

function sendError(request: IncomingMessage, response: ServerResponse, error: unknown, deps: HttpDeps): void {
  if (response.headersSent || response.destroyed) return;
  const known =
    error instanceof ApiError
      ? error
      : new ApiError(500, { type: 'api_error', message: 'The sandbox failed. Its log says more.' });
  if (known !== error)
    deps.log(
      `${request.method ?? ''} ${request.url?.split('?', 1)[0] ?? ''} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  response
    .writeHead(known.status, { ...JSON_TYPE, ...crossOrigin(request, deps) })
    .end(JSON.stringify(known.body('none')));
}

/** @throws when the port is taken (EADDRINUSE) */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Responds to nothing before `deps` exist, since they need the port. */
export function createHttpServer(deps: () => HttpDeps): Server {
  return createServer((request, response) => {
    answer(request, response, deps).catch(() => response.destroy());
  });
}
