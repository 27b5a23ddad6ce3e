/** Helpers for streaming calls: writing with backpressure, and noticing that the client is gone. */
import type { ServerWritableStream } from '@grpc/grpc-js';

type Sink<Response> = Pick<ServerWritableStream<unknown, Response>, 'write' | 'once' | 'removeListener'>;

/** Sends a message to the client; false when it is gone. */
export type SendMessage<Response> = (message: Response) => Promise<boolean>;

/** Writes, and waits until the connection has room again; false when the call is over. */
export async function send<Response>(call: Sink<Response>, message: Response, over: AbortSignal): Promise<boolean> {
  if (over.aborted) return false;
  if (call.write(message)) return true;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.removeListener('drain', done);
      over.removeEventListener('abort', done);
      resolve();
    };
    call.once('drain', done);
    over.addEventListener('abort', done, { once: true });
  });
  return !over.aborted;
}

/** Aborts when the call was cancelled, or its connection is gone. */
export function callOver(call: { on(event: 'cancelled' | 'close', listener: () => void): unknown }): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  call.on('cancelled', end);
  call.on('close', end);
  return controller.signal;
}
