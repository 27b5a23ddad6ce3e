/** Process of its own: many websocket clients that count what reaches them. */
import { WebSocket } from 'ws';

export type Crowd = {
  readonly url: string;
  readonly clients: number /** Sent by each after it is open, and how many messages answer them. */;
  readonly hello: readonly string[];
  readonly answers: number;
};
export type Expect = { readonly messages: number };

let sockets: WebSocket[] = [];
let seen = 0;
let wanted = Number.POSITIVE_INFINITY;
let arrived: () => void = () => undefined;

function open(url: string, hello: readonly string[]): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false, origin: 'http://localhost' });
    socket.on('error', reject);
    socket.on(
      'close',
      (code, reason) =>
        code !== 1000 && code !== 1005 && process.send?.({ error: `a socket was closed with ${code} ${reason}` }),
    );
    socket.on('message', () => {
      seen += 1;
      if (seen >= wanted) arrived();
    });
    socket.once('open', () => {
      for (const text of hello) socket.send(text);
      resolve(socket);
    });
  });
}

async function expectMessages(messages: number): Promise<void> {
  await new Promise<void>((resolve) => {
    arrived = resolve;
    wanted = messages;
    if (seen >= messages) resolve();
  });
  seen -= messages;
  wanted = Number.POSITIVE_INFINITY;
}

async function enter({ url, clients, hello, answers }: Crowd): Promise<void> {
  for (const socket of sockets) socket.close();
  sockets = [];
  seen = 0;
  for (let opened = 0; opened < clients; opened += 100) {
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(100, clients - opened) }, () => open(url, hello)))),
    );
  }
  await expectMessages(clients * answers);
}

process.on('message', (message: Crowd | Expect) => {
  const work = 'url' in message ? enter(message) : expectMessages(message.messages);
  work.then(
    () => process.send?.({ done: true }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
