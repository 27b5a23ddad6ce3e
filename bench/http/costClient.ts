/**
 * Process of its own: sends the same bytes over kept connections, on each one request after the other, and waits for
 * each answer.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** `bytes`: one character is one byte. `times`: on each connection. `pauseMs`: after each answer. */
export type CostLoad = {
  readonly port: number;
  readonly bytes: string;
  readonly times: number;
  /** Default: one. */
  readonly connections?: number;
  readonly pauseMs?: number;
};
/** `status`: the highest; `took`: milliseconds of each answer; `ms`: of all of them; `last`: the text of one. */
export type CostResult =
  | { readonly status: number; readonly took: readonly number[]; readonly ms: number; readonly last: string }
  | { readonly error: string };

/** Where the answer at the beginning of the text ends; -1 if it is not complete. */
function answerEnd(text: string): number {
  const head = text.indexOf('\r\n\r\n') + 4;
  if (head < 4) return -1;
  const length = /^content-length: (\d+)/im.exec(text.slice(0, head))?.[1];
  if (length !== undefined) return text.length >= head + Number(length) ? head + Number(length) : -1;
  if (!/^transfer-encoding: chunked/im.test(text.slice(0, head))) return head;
  const last = text.indexOf('0\r\n\r\n', head);
  return last < 0 ? -1 : last + 5;
}

type Driven = { readonly status: number; readonly took: readonly number[]; readonly last: string };

function drive(socket: Socket, { bytes, times, pauseMs = 0 }: Omit<CostLoad, 'port'>): Promise<Driven> {
  return new Promise((resolve, reject) => {
    const request = Buffer.from(bytes, 'latin1');
    const took: number[] = [];
    let [text, status, from] = ['', 0, 0];
    const send = (): void => {
      from = performance.now();
      socket.write(request);
    };
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      const end = answerEnd(text);
      if (end < 0) return;
      took.push(performance.now() - from);
      status = Math.max(status, Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]));
      const last = text.slice(0, end);
      text = text.slice(end);
      if (took.length === times) {
        socket.off('data', read);
        resolve({ status, took, last });
      } else if (pauseMs === 0) send();
      else void sleep(pauseMs).then(send);
    };
    socket.on('data', read);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`The connection was closed: ${text.slice(0, 200)}`)));
    send();
  });
}

async function run(load: CostLoad): Promise<CostResult> {
  const { port, connections = 1 } = load;
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
  try {
    // More than one may look connected to its own side before the server has room for it: each is answered once before.
    if (connections > 1) await Promise.all(sockets.map((socket) => drive(socket, { bytes: load.bytes, times: 1 })));
    const from = performance.now();
    const all = await Promise.all(sockets.map((socket) => drive(socket, load)));
    const ms = performance.now() - from;
    const status = Math.max(...all.map((each) => each.status));
    return { status, took: all.flatMap(({ took }) => took), ms, last: all[0]?.last ?? '' };
  } catch (error) {
    return { error: String(error) };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

process.on('message', (load: CostLoad) => {
  void run(load).then((result) => process.send?.(result));
});
