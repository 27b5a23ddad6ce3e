/** Where assistants connect over HTTP: `/api/v1/mcp`, by the Model Context Protocol, with an API key. */
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Context, Middleware } from 'koa';
import { accountDisabled } from '../../domain/account/decide.ts';
import { isDisabled } from '../auth/accountOf.ts';
import { featureDenied, isPlanFor } from '../auth/planFeature.ts';
import { authenticate, bearerToken } from '../auth/session.ts';
import type { HttpDeps } from '../deps/deps.ts';
import { noteRefusal } from '../dispatch/securityRefusals.ts';
import { isOwnOrigin } from '../realtime/origin.ts';
import { API } from '../request/apiPrefix.ts';
import type { Caller } from '../request/caller.ts';
import { answerError, HttpError, unauthenticated } from '../request/errors.ts';
import { logOf } from '../request/log.ts';
import type { RateLimiter } from '../request/rateLimits.ts';
import { bodyReader } from './bodies.ts';
import { goneSignal } from './koaBinding.ts';
import { headersOf } from './koaHeaders.ts';
import { createLargeAnswers } from './largeAnswers.ts';

const PATH = `${API}/mcp`;
/** A message names what is asked for; the largest text in one is the notes of a task. */
const BODY = { maxBodyBytes: 64 * 1024 };

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/** What cannot be a message of the protocol. Its answer is one of the protocol, too. */
class Unreadable extends Error {
  readonly refusal: HttpError;
  readonly code: number;
  readonly id: unknown;
  constructor(refusal: HttpError, code: number, id: unknown = null) {
    super(refusal.message);
    this.refusal = refusal;
    this.code = code;
    this.id = id;
  }
}

export function mcpEndpoint(deps: HttpDeps, limiter: RateLimiter): Middleware {
  const readBody = bodyReader({ kind: 'json' });
  const largeAnswers = createLargeAnswers();

  async function answer(ctx: Context): Promise<void> {
    await limiter.count('address', ctx.ip);
    if (!deps.config.mcp) throw new HttpError('NOT_FOUND', 'Assistants are not served by this installation.');
    if (ctx.method !== 'POST')
      throw new HttpError('METHOD_NOT_ALLOWED', 'This path answers POST only', { headers: { Allow: 'POST' } });
    refuseForeign(ctx, deps.config.appUrl);
    const caller = await programOf(deps, ctx);
    ctx.state.userId = caller.userId;
    await limiter.count('mcp', caller.apiKey.keyId);
    const body = await messageOf(() => readBody(ctx, BODY));
    const { requestId: id } = ctx.state;
    const signal = goneSignal(ctx);
    const sends = (chars: number): void => largeAnswers.begin(caller.userId, chars, ctx.res);
    const request = { id, body, headers: headersOf(ctx), address: ctx.ip, signal, apiKey: caller.apiKey, sends };
    await write(ctx, await deps.mcp.handle(request));
  }

  return async (ctx, next) => {
    if (ctx.path !== PATH) return next();
    ctx.set('Cache-Control', 'no-store');
    ctx.state.routePath = PATH;
    try {
      await answer(ctx);
    } catch (thrown) {
      const error = thrown instanceof Unreadable ? thrown.refusal : thrown;
      const { requestId: id, userId } = ctx.state;
      noteRefusal(deps.securityLog, {
        request: { id, address: ctx.ip, headers: headersOf(ctx) },
        error,
        ...(userId ? { userId } : {}),
      });
      const { status, headers, body, unexpected } = answerError(error, id);
      if (unexpected) logOf(ctx).error({ err: error }, 'request failed unexpectedly');
      ctx.set(headers);
      ctx.status = status;
      ctx.body =
        thrown instanceof Unreadable
          ? {
              jsonrpc: '2.0',
              id: thrown.id,
              error: { code: thrown.code, message: body.error, data: { code: body.code } },
            }
          : body;
    }
  };
}

/**
 * Pages of other sites, and names of other sites that lead to this machine, may not use it. As with sockets, an
 * installation whose public URL is plain http is also known by other names: by its addresses and `localhost` here.
 */
function refuseForeign(ctx: Context, appUrl: string): void {
  const host = hostIn(ctx.req.headers.host ?? '');
  const isOwnHost =
    host === new URL(appUrl).hostname || host === 'localhost' || isIP(host.replace(/^\[(.*)\]$/, '$1')) > 0;
  const isOwn = isOwnHost && (ctx.req.headers.origin === undefined || isOwnOrigin(ctx.req, appUrl));
  if (!isOwn)
    throw new HttpError('FORBIDDEN', `Requests for other hosts, or from pages of other sites, are refused here.`);
}

const hostIn = (header: string): string => header.toLowerCase().replace(/:\d+$/, '');

type Program = Caller & Required<Pick<Caller, 'apiKey'>>;

/** @throws HttpError UNAUTHENTICATED, FEATURE_ACCESS_DENIED; DomainError ACCOUNT_DISABLED */
async function programOf(deps: HttpDeps, ctx: Context): Promise<Program> {
  const caller = await authenticate(deps, bearerToken(ctx.req.headers.authorization));
  if (!caller?.apiKey) throw unauthenticated();
  if (await isDisabled(deps, caller.userId)) throw accountDisabled();
  if (!(await isPlanFor(deps, caller))) throw featureDenied();
  return { ...caller, apiKey: caller.apiKey };
}

/** One message: an object. @throws Unreadable */
async function messageOf(read: () => Promise<unknown>): Promise<object> {
  const body = await read().catch((error: unknown) => {
    if (!(error instanceof HttpError)) throw error;
    throw new Unreadable(error, error.code === 'INVALID_JSON' ? PARSE_ERROR : INVALID_REQUEST);
  });
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Unreadable(new HttpError('INVALID_REQUEST', 'Send one message, as a JSON object.'), INVALID_REQUEST);
  const { method, id = null } = body as { readonly method?: unknown; readonly id?: unknown };
  // It would hold a connection for nothing: no list of this server changes while it runs.
  if (method === 'subscriptions/listen')
    throw new Unreadable(new HttpError('NOT_FOUND', 'There is nothing to subscribe to.'), METHOD_NOT_FOUND, id);
  return body;
}

async function write(ctx: Context, response: Response): Promise<void> {
  if (response.body === null) ctx.body = null;
  ctx.status = response.status;
  for (const name of ['content-type', 'mcp-protocol-version', 'allow']) {
    const value = response.headers.get(name);
    if (value !== null) ctx.set(name, value);
  }
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    if (response.body !== null) ctx.body = await response.text();
    return;
  }
  // Compressed, events would wait for one another.
  ctx.compress = false;
  ctx.body = Readable.fromWeb(response.body as ReadableStream);
}
