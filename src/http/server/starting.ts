/**
 * Requests that arrive while the process starts: after its port is open, before there is an app. They wait for it, for
 * a limited time.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerBare, type BareAnswer } from '../request/bareAnswer.ts';
import type { Serve } from './turns.ts';

export type HeldRequests = {
  /** Keeps a request waiting. */
  readonly hold: Serve;
  /** Passes on what waits, in its order. Listeners for upgrades must have been added before. */
  release(serve: Serve): void;
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
const RETRY_AFTER = ['Retry-After', '1'] as const;
const STARTING: BareAnswer = {
  status: 503,
  code: 'BUSY',
  error: 'The server is starting. Please try again shortly.',
  headers: [RETRY_AFTER],
};

/** Without it nobody would answer these requests: their connections would hang until they time out. */
export function holdRequests(node: Server, { heldMs, most }: HoldLimits): HeldRequests {
  const waiting = new Set<Held>();
  let isOver = false;

  function hold(
    gone: { once(event: 'close', listener: () => void): unknown },
    pass: Held['pass'],
    refuse: () => void,
  ): void {
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
      () => refuseRequest(request, response),
    );
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const refuse = (): void => answerBare(socket, STARTING);
    // Nobody takes upgrades in a process that serves only probes.
    hold(
      socket,
      () => (node.listenerCount('upgrade') > 0 ? void node.emit('upgrade', request, socket, head) : refuse()),
      refuse,
    );
  }

  function takeAll(): readonly Held[] {
    const all = [...waiting];
    waiting.clear();
    for (const { timer } of all) clearTimeout(timer);
    return all;
  }

  node.on('upgrade', onUpgrade);
  return {
    hold: onRequest,
    release(serve) {
      node.off('upgrade', onUpgrade);
      for (const { pass } of takeAll()) pass(serve);
    },
    refuseAll() {
      isOver = true;
      for (const { refuse } of takeAll()) refuse();
    },
  };
}

function refuseRequest({ method }: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ success: false, error: STARTING.error, code: STARTING.code });
  response.writeHead(
    STARTING.status,
    [
      RETRY_AFTER,
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Cache-Control', 'no-store'],
      ['X-Content-Type-Options', 'nosniff'],
      // Its body, if there is one, was not read.
      ['Connection', 'close'],
    ].flat(),
  );
  response.end(method === 'HEAD' ? undefined : body);
}
