/**
 * Requests from other programs on the machine to the server that owns a data folder, since only it may open the files
 * there. They use a socket in the folder, which only the server's own user can open.
 */
import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { StoreUnavailable } from './eventStore.ts';

/**
 * Handlers by the name of a request's single field. An exception is returned as its message, a refused request as what
 * is wrong with it.
 */
export type RequestHandlers = Readonly<Record<string, (value: unknown) => Promise<unknown>>>;

type Answer = { readonly done: true; readonly answer?: unknown } | { readonly error: string };

/** One line of JSON each way. Longer ones are invalid. */
const MAX_REQUEST = 16 * 1024;
const MAX_ANSWER = 16 * 1024 * 1024;

/** Named after the first kind of request. */
function socketOf(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'backup.sock');
  return `\\\\.\\pipe\\seo-workbench-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 32)}`;
}

/**
 * For the process that owns the data folder.
 * @throws the system's error when the socket cannot be created, for example for a folder with a very long name
 */
export async function answerRequests(dataDir: string, handlers: RequestHandlers): Promise<{ close(): Promise<void> }> {
  const path = socketOf(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    void answer(socket, handlers);
  });
  // Left there by a process that was killed: the folder is ours now.
  if (process.platform !== 'win32') rmSync(path, { force: true });
  await new Promise<void>((done, failed) => {
    server.once('error', failed).listen(path, () => done());
  });
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  server.unref();
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of open) socket.destroy();
      }),
  };
}

async function answer(socket: Socket, handlers: RequestHandlers): Promise<void> {
  let reply: Answer;
  try {
    reply = { done: true, answer: await handle(handlers, JSON.parse(await lineFrom(socket, MAX_REQUEST))) };
  } catch (error) {
    reply = {
      error:
        error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : String(error),
    };
  }
  if (socket.writable) socket.end(`${JSON.stringify(reply)}\n`);
}

async function handle(handlers: RequestHandlers, request: unknown): Promise<unknown> {
  const [[name, value] = ['', null], ...more] =
    typeof request === 'object' && request !== null ? Object.entries(request) : [];
  const handler = more.length === 0 && Object.hasOwn(handlers, name) ? handlers[name] : undefined;
  if (!handler) throw new Error('This is nothing that the server can be asked.');
  return handler(value);
}

/** The backup handler. `backup` copies the log to a file. */
export function backupHandler(backup: (target: string) => Promise<void>): RequestHandlers {
  return {
    target: async (target) => {
      if (typeof target !== 'string' || target === '') throw new Error('A backup needs a target.');
      await backup(target);
    },
  };
}

/**
 * Asks the server that owns the data folder. Null if no server is running there.
 * @throws StoreUnavailable with the server's message when it refused, or when the connection ended before it had
 *   answered
 */
export async function sendRequest(dataDir: string, request: object): Promise<{ readonly answer: unknown } | null> {
  const socket = await reach(dataDir);
  if (socket === null) return null;
  socket.write(`${JSON.stringify(request)}\n`);
  const line = await lineFrom(socket, MAX_ANSWER).catch(() => null);
  socket.destroy();
  const reply: Answer = line === null ? { error: await whyUnanswered(dataDir) } : JSON.parse(line);
  if ('error' in reply) throw new StoreUnavailable(reply.error);
  return { answer: reply.answer };
}

/** Null: nobody listens there. @throws the system's error */
function reach(dataDir: string): Promise<Socket | null> {
  const socket = connect(socketOf(dataDir));
  return new Promise((done, failed) => {
    socket.once('connect', () => done(socket));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(null) : failed(error),
    );
  });
}

/** A connection may break although the server runs on. */
async function whyUnanswered(dataDir: string): Promise<string> {
  const again = await reach(dataDir).catch(() => null);
  again?.destroy();
  return again === null
    ? 'The server ended before it had answered. Run it again.'
    : 'The connection to the server was lost before it answered. Run the command again.';
}

/**
 * Asks the server that owns the data folder to copy its log to `target` (an absolute path). False if no server is
 * running there.
 * @throws StoreUnavailable when it could not
 */
export async function requestBackup(dataDir: string, target: string): Promise<boolean> {
  return (await sendRequest(dataDir, { target })) !== null;
}

/** @throws when the other side ends, or sends too much, before the line is complete */
async function lineFrom(socket: Socket, most: number): Promise<string> {
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) socket.destroy();
  });
  for await (const line of createInterface({ input: socket })) return line;
  throw new Error('The connection ended.');
}
