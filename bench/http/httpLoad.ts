/** Process of its own: sends the same request over a few kept connections as fast as answers come, and counts them. */
import { connect, type Socket } from 'node:net';

export type HttpLoad = {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly requests: number;
};
export type HttpLoadResult = { readonly perSecond: number } | { readonly error: string };

type Exchange = { left: number; readonly done: () => void; readonly fail: (error: Error) => void };

/** Answers of known length on one connection: headers up to the blank line, then as many bytes as they say. */
function drive(socket: Socket, request: string, exchange: Exchange): void {
  let buffer = Buffer.alloc(0);
  let whole = -1;
  socket.on('data', (chunk) => {
    buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk]);
    for (;;) {
      if (whole < 0) {
        const end = buffer.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = buffer.toString('latin1', 0, end);
        const length = /^content-length: (\d+)/im.exec(head)?.[1];
        if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
          exchange.fail(new Error(`Unexpected answer: ${head.slice(0, 300)}`));
          return;
        }
        whole = end + 4 + Number(length);
      }
      if (buffer.length < whole) return;
      buffer = buffer.subarray(whole);
      whole = -1;
      exchange.left -= 1;
      if (exchange.left <= 0) {
        exchange.done();
        return;
      }
      socket.write(request);
    }
  });
  socket.on('error', exchange.fail);
  socket.write(request);
}

async function run({ port, path, headers, connections, requests }: HttpLoad): Promise<HttpLoadResult> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, connection: 'keep-alive', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  const sockets = await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
          socket.once('error', reject);
        }),
    ),
  );
  const from = performance.now();
  try {
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((done, fail) =>
            drive(socket, request, { left: Math.ceil(requests / connections), done, fail }),
          ),
      ),
    );
    return { perSecond: (Math.ceil(requests / connections) * connections * 1000) / (performance.now() - from) };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

process.on('message', (load: HttpLoad) => {
  run(load).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
