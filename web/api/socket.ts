/** A websocket that signs off to nobody: it comes back by itself, with back-off, and rests while the tab is hidden. */
import type { ServerMessage } from '../../src/http/contract/realtime.ts';
import { CLOSE } from '../../src/model/socket.ts';

interface SocketOptions {
  readonly url: string;
  readonly onOpen: () => void;
  readonly onMessage: (data: string) => void;
  /** Gone; it will come back after at least so many milliseconds, or never with null. */
  readonly onDown: (code: number) => Promise<number | null>;
  /** Asked after a silence; any message counts as an answer. */
  readonly ping: () => void;
}

export interface LastingSocket {
  readonly send: (text: string) => void;
  /** Up and at work: the back-off starts anew at the next break. */
  readonly settled: () => void;
  /** Begin again with a new connection. */
  readonly drop: () => void;
  readonly close: () => void;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;
/** A socket that says nothing for so long is asked, and given up when it stays silent as long again. */
const SILENCE_MS = 30_000;
const ABNORMAL = 1006;

/** Too many messages, too many sockets: the server asks to be left alone for a while. */
export const TOO_MANY: readonly number[] = [CLOSE.tooManyMessages, CLOSE.tooManySockets];
export const TIMEOUT_MS = 30_000;

export function realtimeUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/realtime`;
}

/** Null for what is no message of the server's. */
export function parseMessage(data: string): ServerMessage | null {
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === 'object' && message !== null && 'type' in message ? (message as ServerMessage) : null;
  } catch {
    return null;
  }
}

export function lastingSocket(options: SocketOptions): LastingSocket {
  let socket: WebSocket | null = null;
  let retry = FIRST_RETRY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const connect = (): void => {
    clearTimeout(timer);
    if (closed || socket || document.hidden) return;
    const own = new WebSocket(options.url);
    socket = own;
    heard();
    own.onopen = () => own === socket && options.onOpen();
    own.onmessage = ({ data }) => {
      if (own !== socket) return;
      heard();
      options.onMessage(String(data));
    };
    own.onclose = ({ code }) => own === socket && void down(code);
  };

  const heard = (): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      options.ping();
      watchdog = setTimeout(drop, SILENCE_MS);
    }, SILENCE_MS);
  };

  const drop = (): void => {
    const own = socket;
    if (!own) return;
    own.onclose = null;
    own.close();
    void down(ABNORMAL);
  };

  const down = async (code: number): Promise<void> => {
    socket = null;
    clearTimeout(watchdog);
    const waitMs = closed ? null : await options.onDown(code);
    if (closed || waitMs === null) return;
    clearTimeout(timer);
    // Spread out, so that a thousand browsers do not return in the same moment.
    timer = setTimeout(connect, Math.max(waitMs, retry * (0.75 + Math.random() / 2)));
    retry = Math.min(retry * 2, LAST_RETRY_MS);
  };

  connect();
  document.addEventListener('visibilitychange', connect);
  window.addEventListener('online', connect);
  return {
    send: (text) => socket?.readyState === WebSocket.OPEN && socket.send(text),
    settled: () => {
      retry = FIRST_RETRY_MS;
    },
    drop,
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearTimeout(watchdog);
      document.removeEventListener('visibilitychange', connect);
      window.removeEventListener('online', connect);
      socket?.close();
      socket = null;
    },
  };
}
