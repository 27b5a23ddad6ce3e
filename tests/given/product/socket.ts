/** A client of the realtime socket that can wait for expected messages. */
import { WebSocket } from 'ws';

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every kind.
export type Message = any;

export type TestSocket = {
  readonly ws: WebSocket;
  /** Every message so far. */
  readonly messages: readonly Message[];
  send(message: object | string): void;
  /** The first matching message, past or future. */
  next(fits: (message: Message) => boolean): Promise<Message>;
  /** Resolves with the close code and reason. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** Sends `auth`; resolves with the answer. */
  logIn(token: string): Promise<TestSocket>;
  /** Sends `subscribe`; resolves with the position in the answer. */
  subscribe(channel: string, since?: string): Promise<string>;
  close(): Promise<void>;
};

export async function openSocket(
  url: string,
  options: { readonly origin?: string | null; readonly path?: string; readonly headers?: Record<string, string> } = {},
): Promise<TestSocket> {
  const origin = options.origin === undefined ? url : options.origin;
  const ws = new WebSocket(`${url.replace(/^http/, 'ws')}${options.path ?? '/api/v1/realtime'}`, {
    ...(origin === null ? {} : { origin }),
    headers: options.headers ?? {},
    perMessageDeflate: true,
  });
  const messages: Message[] = [];
  const waiting = new Set<{ fits: (message: Message) => boolean; resolve: (message: Message) => void }>();
  ws.on('message', (data) => {
    const message = JSON.parse(String(data));
    messages.push(message);
    for (const wait of [...waiting]) {
      if (!wait.fits(message)) continue;
      waiting.delete(wait);
      wait.resolve(message);
    }
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  const socket: TestSocket = {
    ws,
    messages,
    closed,
    send: (message) => ws.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: (fits) => {
      const past = messages.find(fits);
      return past ? Promise.resolve(past) : new Promise((resolve) => waiting.add({ fits, resolve }));
    },
    logIn: async (token) => {
      socket.send({ type: 'auth', token });
      await socket.next((message) => message.type === 'ready');
      return socket;
    },
    subscribe: async (channel, since) => {
      const seen = messages.length;
      socket.send({ type: 'subscribe', channel, ...(since ? { since } : {}) });
      const answer = await socket.next(
        (message) =>
          messages.indexOf(message) >= seen &&
          (message.type === 'subscribed' || message.type === 'error') &&
          message.channel === channel,
      );
      if (answer.type === 'error') throw new Error(answer.code);
      return answer.position;
    },
    close: async () => {
      ws.close();
      await closed;
    },
  };
  return socket;
}
