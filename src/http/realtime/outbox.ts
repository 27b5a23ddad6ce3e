/** What goes out over one socket: never more waiting than a reader of some speed needs. */
import type { WebSocket } from 'ws';
import { CLOSE } from '../../model/socket.ts';
import type { ServerMessage } from '../contract/realtime.ts';

export type Outbox = {
  /** Cuts the socket instead when its reader is too slow. */
  send(frame: Buffer): void;
  sendMessage(message: ServerMessage): void;
  /** Resolves when the frame has gone to the network, so that a long list never piles up here. */
  sendPaced(frame: Buffer): Promise<void>;
  tooSlow(): void;
  close(code: number, reason: string): void;
  /** Nothing more goes out. */
  readonly closed: boolean;
};

/** `maxBuffered`: unsent bytes at which a reader is too slow. `closeMs`: for the closing handshake; then the connection is cut. */
export function createOutbox(ws: WebSocket, limits: { readonly maxBuffered: number; readonly closeMs: number }): Outbox {
  let closing = false;
  const isClosed = (): boolean => closing || ws.readyState !== ws.OPEN;

  function close(code: number, reason: string): void {
    if (closing) return;
    closing = true;
    ws.close(code, reason);
    // A reader that takes nothing does not take the closing frame either.
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
