/**
 * Node reads up to 64 kB of a connection and parses all of it at once, even when the connection was closed at its
 * beginning: thousands of requests, or pieces of a body, are made for nothing before any other connection gets its
 * turn. What stops it is not documented. In a version of Node that does not have it, connections are still closed, only
 * later; a test fails there.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** Node's own. Its callbacks have numbers. */
type Parser = {
  readonly constructor: { readonly kOnBody?: unknown };
  onIncoming?: unknown;
  [callback: number]: unknown;
};

type Take = (...request: readonly unknown[]) => unknown;

/** What Node returns to its parser for an upgrade: what follows is no HTTP. */
const NO_FURTHER = 2;

/**
 * A client's program sends pieces of kilobytes. Each costs the same however small it is, so that a body of single bytes
 * would cost thousands of times its size.
 */
const MOST_PIECES = 256;
const LEAST_OF_A_PIECE = 128;

const parserOf = (socket: Duplex): Parser | null =>
  (socket as Duplex & { readonly parser?: Parser | null }).parser ?? null;

/** Of a connection that ends, no further request is parsed. For new connections. */
export function parseWhileOpen(socket: Duplex): void {
  const parser = parserOf(socket);
  if (typeof parser?.onIncoming !== 'function') return;
  const take = parser.onIncoming as Take;
  parser.onIncoming = (...request: readonly unknown[]): unknown => {
    const told = take(...request);
    return socket.writable ? told : NO_FURTHER;
  };
}

/** Ends the connection of a body that arrives in very many small pieces. To be called before any piece has arrived. */
export function limitPieces(request: IncomingMessage): void {
  const { headers, socket } = request;
  if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return;
  const push = request.push.bind(request);
  let pieces = 0;
  let size = 0;
  request.push = (piece: Buffer | null, encoding) => {
    if (piece !== null) {
      pieces += 1;
      size += piece.length;
      if (pieces > MOST_PIECES && size < pieces * LEAST_OF_A_PIECE) {
        // Not answered: the answer could have begun already.
        skipBody(socket);
        socket.destroy();
        return false;
      }
    }
    return push(piece, encoding);
  };
}

/** What else arrives of the body is not taken apart. The connection must end: nothing more can be received on it. */
export function skipBody(socket: Duplex): void {
  const parser = parserOf(socket);
  const callback = parser?.constructor.kOnBody;
  if (!parser || typeof callback !== 'number' || typeof parser[callback] !== 'function') return;
  const take = parser[callback];
  parser[callback] = null;
  // Parsers are used again for other connections.
  socket.once('close', () => {
    parser[callback] = take;
  });
}
