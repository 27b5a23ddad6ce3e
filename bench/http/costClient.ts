/**
 * Process of its own: sends the same bytes over kept connections, on each one request after the other, and waits for
 * each answer.
 */
import { connect } from 'node:net';
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
/** `status`: the highest; `took`: milliseconds of each answer; `last`: the text of one. */
export type CostResult =
  | { readonly status: number; readonly took: readonly number[]; readonly last: string }
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

function drive({ port, bytes, times, pauseMs = 0 }: CostLoad): Promise<CostResult> {
  return new Promise((resolve) => {
    const request = Buffer.from(bytes, 'latin1');
    const took: number[] = [];
    let [text, status, from] = ['', 0, 0];
    const send = (): void => {
      from = performance.now();
      socket.write(request);
    };
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, send);
    const finish = (result: CostResult): void => {
      socket.destroy();
      resolve(result);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = answerEnd(text);
      if (end < 0) return;
      took.push(performance.now() - from);
      status = Math.max(status, Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]));
      const last = text.slice(0, end);
      text = text.slice(end);
      if (took.length === times) finish({ status, took, last });
      else if (pauseMs === 0) send();
      else void sleep(pauseMs).then(send);
    });
    socket.on('error', (error) => finish({ error: String(error) }));
    socket.on('close', () => finish({ error: `The connection was closed: ${text.slice(0, 200)}` }));
  });
}

async function run(load: CostLoad): Promise<CostResult> {
  const all = await Promise.all(Array.from({ length: load.connections ?? 1 }, () => drive(load)));
  let [status, last] = [0, ''];
  const took: number[] = [];
  for (const each of all) {
    if ('error' in each) return each;
    status = Math.max(status, each.status);
    last = each.last;
    took.push(...each.took);
  }
  return { status, took, last };
}

process.on('message', (load: CostLoad) => {
  void run(load).then((result) => process.send?.(result));
});
