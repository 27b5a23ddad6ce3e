/** A websocket that reconnects with back-off and disconnects while the tab is hidden. */
import type { ServerMessage } from '../../src/http/contract/realtime.ts';
import { CLOSE } from '../../src/model/socket.ts';

interface SocketOptions {
  readonly url: string;
  readonly onOpen: () => void;
  readonly onMessage: (data: string) => void;
  /**
   * Called when the connection is lost. Resolves with the minimum delay before reconnecting, in ms, or null not to
   * reconnect.
   */
  readonly onDown: (code: number) => Promise<number | null>;
  /** Called after a silence; any message counts as the response. */
  readonly ping: () => void;
}

export interface LastingSocket {
  readonly send: (text: string) => void;
  /** Marks the connection as working: the next failure starts the back-off from the beginning. */
  readonly settled: () => void;
  /** Drops the connection and opens a new one. */
  readonly drop: () => void;
  readonly close: () => void;
}

const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 10_000;
/** A socket silent for this long is pinged, and dropped when it stays silent for as long again. */
const SILENCE_MS = 30_000;
const ABNORMAL = 1006;

/** Too many messages or sockets: the server wants the client to back off. */
export const TOO_MANY: readonly number[] = [CLOSE.tooManyMessages, CLOSE.tooManySockets];
export const TIMEOUT_MS = 30_000;

export function realtimeUrl(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/api/v1/realtime`;
}

/** Null when it is not one of the server's messages. */
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
    // Jittered, so that a thousand browsers do not reconnect at the same moment.
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
