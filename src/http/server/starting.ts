/** Requests that arrive while the process starts: after its port is open, before there is an app. They wait for it, for a limited time. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export type HeldRequests = {
  /** Passes on what waits, in its order, and holds nothing from now on. Listeners for upgrades must have been added before. */
  release(serve: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** There will be no app: answers what waits, and anything that still arrives. */
  refuseAll(): void;
};

export type HoldLimits = {
  /** How long a request waits before it is answered 503. */
  readonly heldMs: number;
  /** How many wait at once. */
  readonly most: number;
};

/** `pass`: the app is there. `refuse`: it is not, or not in time. */
type Held = { readonly pass: (serve: Serve) => void; readonly refuse: () => void; readonly timer: NodeJS.Timeout };
type Serve = Parameters<HeldRequests['release']>[0];

const RETRY_AFTER_SECONDS = 1;
const BODY = JSON.stringify({ success: false, error: 'The server is starting. Please try again shortly.', code: 'BUSY' });
const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': String(Buffer.byteLength(BODY)),
  'Cache-Control': 'no-store',
  'Retry-After': String(RETRY_AFTER_SECONDS),
  Connection: 'close',
};
const RAW_HEADERS = Object.entries(HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

/** Without it nobody would answer these requests: their connections would hang until they time out. */
export function holdRequests(node: Server, { heldMs, most }: HoldLimits): HeldRequests {
  const waiting = new Set<Held>();
  let isOver = false;

  function hold(gone: { once(event: 'close', listener: () => void): unknown }, pass: Held['pass'], refuse: () => void): void {
    if (isOver || waiting.size >= most) {
      refuse();
      return;
    }
    const end = (): void => {
      waiting.delete(held);
      clearTimeout(held.timer);
    };
    const timer = setTimeout(() => {
      end();
      refuse();
    }, heldMs);
    const held: Held = { pass, refuse, timer };
    waiting.add(held);
    gone.once('close', end);
  }

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    hold(
      response,
      (serve) => serve(request, response),
      () => void response.writeHead(503, HEADERS).end(request.method === 'HEAD' ? undefined : BODY),
    );
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refuse = (): void => void socket.end(`HTTP/1.1 503 Service Unavailable\r\n${RAW_HEADERS}\r\n${BODY}`, () => socket.destroy());
    // Nobody takes upgrades in a process that serves only probes.
    hold(socket, () => (node.listenerCount('upgrade') > 0 ? void node.emit('upgrade', request, socket, head) : refuse()), refuse);
  }

  function takeAll(): readonly Held[] {
    const all = [...waiting];
    waiting.clear();
    for (const { timer } of all) clearTimeout(timer);
    return all;
  }

  node.on('request', onRequest);
  node.on('upgrade', onUpgrade);
  return {
    release(serve) {
      node.off('request', onRequest);
      node.off('upgrade', onUpgrade);
      node.on('request', serve);
      for (const { pass } of takeAll()) pass(serve);
    },
    refuseAll() {
      isOver = true;
      for (const { refuse } of takeAll()) refuse();
    },
  };
}
