/** A request as bytes, for what no client library would send; one character is one byte. */
import { connect } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  readonly head: string;
  readonly text: string /** Undefined if the answer is not JSON of a known length. */;
  readonly body: Record<string, unknown> | undefined;
};

/** The answer, once the server has closed the connection. */
export async function sendRaw(url: string, bytes: string): Promise<RawAnswer> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  // A server may close before it has read everything.
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) chunks.push(chunk as Buffer);
  const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  const text = rest.join('\r\n\r\n');
  const isWhole = /content-type: application\/json/i.test(head) && /content-length:/i.test(head) && text !== '';
  const body = isWhole ? JSON.parse(text) : undefined;
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, text, body };
}

export type RawRequest = {
  readonly method?: string;
  readonly target: string;
  /** Complete lines, in addition to `Host` and `Connection: close`. */
  readonly headers?: readonly string[];
  /** Default: one. */
  readonly host?: readonly string[];
  readonly body?: string;
};

export function rawBytes({
  method = 'GET',
  target,
  headers = [],
  host = ['Host: localhost'],
  body,
}: RawRequest): string {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  return [`${method} ${target} HTTP/1.1`, ...host, 'Connection: close', ...length, ...headers, '', body ?? ''].join(
    '\r\n',
  );
}

export const raw = (url: string, request: RawRequest): Promise<RawAnswer> => sendRaw(url, rawBytes(request));

/** For an upgrade to a websocket. */
export const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
