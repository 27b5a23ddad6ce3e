/**
 * Requests that a connection sends without waiting for their answers are handled one after another. Node gives only the
 * first of them a way out: handled at the same time, the others would hold their answers in memory, and their parts
 * would never learn that the connection has ended.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export type Serve = (request: IncomingMessage, response: ServerResponse) => void;

type Waiting = readonly [request: IncomingMessage, response: ServerResponse];

/**
 * `most`: how many requests of a connection may wait for their turn, and how many may begin in one turn of the event
 * loop, which has many reads of a connection; beyond it the connection is closed. Browsers and proxies send the next
 * one after the answer.
 */
export function inTurn(serve: Serve, most: number): Serve {
  /** Of connections with a request under way. */
  const lines = new WeakMap<Duplex, Waiting[]>();
  let arrived = new Map<Duplex, number>();

  function begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    response.once('close', () => {
      // On a connection that is about to end, Node gives it no way out either.
      const next = socket.writable ? lines.get(socket)?.shift() : undefined;
      if (next) begin(...next);
      else lines.delete(socket);
    });
    serve(request, response);
  }

  function arrivedInThisTurn(socket: Duplex): number {
    if (arrived.size === 0)
      setImmediate(() => {
        arrived = new Map();
      });
    const count = (arrived.get(socket) ?? 0) + 1;
    arrived.set(socket, count);
    return count;
  }

  return (request, response) => {
    const { socket } = request;
    // Node goes on parsing what it had read of a connection that has ended meanwhile, or is about to.
    if (!socket.writable) return;
    const line = lines.get(socket);
    if (arrivedInThisTurn(socket) > most || (line && line.length >= most)) {
      socket.destroy();
    } else if (line) {
      line.push([request, response]);
    } else {
      lines.set(socket, []);
      begin(request, response);
    }
  };
}
