/** The HTTP server around the app: its limits, and a graceful shutdown. */
import { createServer as createNodeServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import { answerBare, type BareAnswer } from '../request/bareAnswer.ts';
import { limitPieces, parseWhileOpen, skipBody } from './parser.ts';
import { type HoldLimits, holdRequests } from './starting.ts';
import { inTurn, type Serve } from './turns.ts';

export type HttpServer = {
  readonly node: Server;
  /** Resolves with the port it listens on. @throws the system's error, such as EADDRINUSE */
  listen(port: number, host: string): Promise<number>;
  /** True once `stop` has been called. */
  stopping(): boolean;
  /**
   * Stops accepting connections, runs `closeSockets`, gives requests in progress up to `drainMs` to finish, then closes
   * what is left. Idempotent.
   */
  stop(closeSockets?: () => Promise<void>): Promise<void>;
};

export const LIMITS = {
  maxHeaderSize: 16 * 1024,
  maxHeadersCount: 100,
  headersTimeout: 10_000,
  /** Time limit for receiving a whole request. */
  requestTimeout: 30_000,
  keepAliveTimeout: 10_000,
  /** Idle connections are closed after this time. */
  idleTimeout: 60_000,
  drainMs: 10_000,
  /** How long a request that arrives while the process starts waits for the app. */
  heldMs: 3_000,
  /** How many of these wait at once. */
  held: 1_000,
  /** Requests of one connection that wait for their turn, or arrive in one turn of the event loop. */
  pipelined: 16,
} as const;

const MOST_LISTENERS = 30;

/**
 * Any other upgrade that a client offers, such as to HTTP/2, is ignored. Node before 22.21 does not know the option:
 * there it is answered 404.
 */
const ONLY_WEBSOCKETS = {
  shouldUpgradeCallback: (request: IncomingMessage): boolean => /^websocket$/i.test(request.headers.upgrade ?? ''),
};

export type ServerOptions = { readonly drainMs?: number; readonly hold?: Partial<HoldLimits> };

/**
 * `app` needs this server's `stopping`, and what it is made of takes time after listening, so it is passed in
 * afterward, once: until then requests and upgrades wait. Listeners for upgrades must be added before.
 */
export function createServer(options: ServerOptions = {}): HttpServer & { handle(app: Koa): void } {
  const node = createNodeServer({
    maxHeaderSize: LIMITS.maxHeaderSize,
    headersTimeout: LIMITS.headersTimeout,
    requestTimeout: LIMITS.requestTimeout,
    keepAliveTimeout: LIMITS.keepAliveTimeout,
    connectionsCheckingInterval: 2_000,
    // Judged with the rest of the head, for upgrades too.
    requireHostHeader: false,
    ...ONLY_WEBSOCKETS,
  });
  node.maxHeadersCount = LIMITS.maxHeadersCount;
  node.timeout = LIMITS.idleTimeout;
  node.on('clientError', refuseBytes);
  // Permission to send the body is given once it is to be read. What else a client expects is ignored: Node would
  // answer it unseen.
  for (const event of ['checkContinue', 'checkExpectation'])
    node.on(event, (request, response) => node.emit('request', request, response));
  let stopped: Promise<void> | null = null;
  const underWay = new Set<ServerResponse>();
  const held = holdRequests(node, { heldMs: LIMITS.heldMs, most: LIMITS.held, ...options.hold });
  let serve: Serve = held.hold;
  const take: Serve = (request, response) => {
    if (stopped) response.setHeader('Connection', 'close');
    // Many parts of an answer watch for its end.
    response.setMaxListeners(MOST_LISTENERS);
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    // What is left of a body in pieces would be taken apart piece by piece even if nobody wants it: after the answer,
    // the connection ends instead.
    if (request.headers['transfer-encoding'] !== undefined) {
      response.shouldKeepAlive = false;
      response.once('finish', () => {
        if (!request.complete) skipBody(request.socket);
      });
    }
    serve(request, response);
  };
  const takeInTurn = inTurn(take, LIMITS.pipelined);
  node.on('connection', parseWhileOpen);
  node.on('request', (request: IncomingMessage, response: ServerResponse) => {
    limitPieces(request);
    takeInTurn(request, response);
  });

  async function stop(closeSockets: () => Promise<void>): Promise<void> {
    const closed = node.listening ? new Promise<void>((resolve) => node.close(() => resolve())) : Promise.resolve();
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
    held.refuseAll();
    node.closeIdleConnections();
    await closeSockets();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, options.drainMs ?? LIMITS.drainMs);
    });
    await Promise.race([closed, late]);
    clearTimeout(timer);
    node.closeAllConnections();
    await closed;
  }

  return {
    node,
    handle: (app) => {
      serve = app.callback();
      held.release(serve);
    },
    stopping: () => stopped !== null,
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        node.once('error', reject);
        node.listen(port, host, () => {
          node.off('error', reject);
          resolve((node.address() as AddressInfo).port);
        });
      }),
    stop: (closeSockets = async () => undefined) => {
      stopped ??= stop(closeSockets);
      return stopped;
    },
  };
}

const UNREADABLE: BareAnswer = { status: 400, code: 'INVALID_REQUEST', error: 'This is not a valid HTTP request' };

/** By the codes of Node's parser. */
const REFUSALS: Readonly<Record<string, BareAnswer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    error: `The address and the headers of the request are larger than ${LIMITS.maxHeaderSize / 1024} kB`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'BODY_TOO_LARGE',
    error: 'The chunk extensions of the body are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'REQUEST_TIMED_OUT', error: 'The request did not arrive in time' },
};

/** For bytes that never became a request. Nothing is sent into an answer that has begun. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { _httpMessage: answering } = socket as Duplex & { readonly _httpMessage?: ServerResponse };
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) socket.destroy();
  else answerBare(socket, REFUSALS[error.code ?? ''] ?? UNREADABLE);
}
