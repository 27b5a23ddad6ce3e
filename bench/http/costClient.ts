/**
 * Process of its own: sends the same bytes over one kept connection, one request after the other, and waits for each
 * answer.
 */
import { connect } from 'node:net';

/** `bytes`: one character is one byte. */
export type CostLoad = { readonly port: number; readonly bytes: string; readonly times: number };
export type CostResult = { readonly status: number } | { readonly error: string };

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

function run({ port, bytes, times }: CostLoad): Promise<CostResult> {
  return new Promise((resolve) => {
    const request = Buffer.from(bytes, 'latin1');
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => socket.write(request));
    let left = times;
    let text = '';
    const finish = (result: CostResult): void => {
      socket.destroy();
      resolve(result);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = answerEnd(text);
      if (end < 0) return;
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
      text = text.slice(end);
      left -= 1;
      if (left === 0) finish({ status });
      else socket.write(request);
    });
    socket.on('error', (error) => finish({ error: String(error) }));
    socket.on('close', () => finish({ error: `The connection was closed: ${text.slice(0, 200)}` }));
  });
}

process.on('message', (load: CostLoad) => {
  void run(load).then((result) => process.send?.(result));
});
