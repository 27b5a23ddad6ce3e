/**
 * Answers on a bare socket, where no application has the request: an upgrade that is refused, or bytes that are not a
 * request.
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a client may take to read the answer. */
const ANSWERED_MS = 1_000;

export type BareAnswer = {
  readonly status: number;
  readonly code: string;
  /** Default: the status in words. */
  readonly error?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
};

/** Sends an error in the shape of all others, and closes the socket on both sides. */
export function answerBare(socket: Duplex, { status, code, error, headers = [] }: BareAnswer): void {
  const words = STATUS_CODES[status] ?? '';
  const body = JSON.stringify({ success: false, error: error ?? words, code });
  const lines = [
    ...headers,
    ['Content-Type', 'application/json; charset=utf-8'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Cache-Control', 'no-store'],
    ['X-Content-Type-Options', 'nosniff'],
    ['Connection', 'close'],
  ] as const;
  // A client that never closes its side would keep the socket open; one that reads nothing would also delay the end of
  // the answer.
  const timer = setTimeout(() => socket.destroy(), ANSWERED_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.once('finish', () => socket.destroy());
  const all = new Map(lines.map(([name, value]) => [name.toLowerCase(), `${name}: ${value}\r\n`]));
  socket.end(`HTTP/1.1 ${status} ${words}\r\n${[...all.values()].join('')}\r\n${body}`);
}
