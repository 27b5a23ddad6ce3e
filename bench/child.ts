/** Helpers in processes of their own, so that the load they make or serve is not counted as ours. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type Child = {
  /** One question, one answer. */
  ask<T>(message: object): Promise<T>;
  /** Messages that come unasked. */
  next<T>(): Promise<T>;
  stop(): Promise<void>;
};

/** Starts `{name}.ts` of this folder (`http/httpLoad`) with this process's own loader, and with `flags` for Node. */
export function startChild(name: string, flags: readonly string[] = []): Child {
  const execArgv = [...process.execArgv, ...flags];
  const child: ChildProcess = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv,
  });
  const waiting: { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }[] = [];
  const arrived: unknown[] = [];
  let ended: Error | null = null;
  child.on('message', (message) => {
    const waiter = waiting.shift();
    if (waiter) waiter.resolve(message as never);
    else arrived.push(message);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code) => {
      ended = new Error(`The helper ${name} ended with ${code}.`);
      for (const waiter of waiting) waiter.reject(ended);
      resolve();
    });
  });
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      if (arrived.length > 0) resolve(arrived.shift() as T);
      else if (ended) reject(ended);
      else waiting.push({ resolve: resolve as (value: never) => void, reject });
    });
  return {
    next,
    ask(message) {
      child.send(message);
      return next();
    },
    async stop() {
      child.kill();
      await exited;
    },
  };
}
