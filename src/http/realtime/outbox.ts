/** Outgoing data of one socket, with a bounded buffer. */
import type { WebSocket } from 'ws';
import { CLOSE } from '../../model/socket.ts';
import type { ServerMessage } from '../contract/realtime.ts';

export type Outbox = {
  /** Closes the socket instead if its client is too slow. */
  send(frame: Buffer): void;
  sendMessage(message: ServerMessage): void;
  /** Resolves when the frame has been handed to the network, so that a long list never piles up here. */
  sendPaced(frame: Buffer): Promise<void>;
  tooSlow(): void;
  close(code: number, reason: string): void;
  /** Nothing more is sent. */
  readonly closed: boolean;
};

/**
 * `maxBuffered`: unsent bytes at which a client counts as too slow. `closeMs`: time limit for the closing handshake,
 * after which the connection is terminated.
 */
export function createOutbox(
  ws: WebSocket,
  limits: { readonly maxBuffered: number; readonly closeMs: number },
): Outbox {
  let closing = false;
  const isClosed = (): boolean => closing || ws.readyState !== ws.OPEN;

  function close(code: number, reason: string): void {
    if (closing) return;
    closing = true;
    ws.close(code, reason);
    // A client that reads nothing does not read the closing frame either.
    const timer = setTimeout(() => ws.terminate(), limits.closeMs);
    ws.once('close', () => clearTimeout(timer));
  }

  function write(frame: Buffer, done?: () => void): void {
    if (isClosed()) done?.();
    else if (ws.bufferedAmount > limits.maxBuffered) {
      close(CLOSE.tooSlow, 'Too slow');
      done?.();
    } else ws.send(frame, { binary: false }, done);
  }

  return {
    send: (frame) => write(frame),
    sendMessage: (message) => write(Buffer.from(JSON.stringify(message))),
    sendPaced: (frame) => new Promise((resolve) => write(frame, resolve)),
    tooSlow: () => close(CLOSE.tooSlow, 'Too slow'),
    close,
    get closed() {
      return isClosed();
    },
  };
}
