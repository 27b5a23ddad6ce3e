/**
 * Backups beside a running server. The server alone may read its log, so it makes the copy itself when asked through a socket in its data
 * folder, which only its own user can open.
 */
import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { StoreUnavailable } from './eventStore.ts';

type Answer = { readonly done: true } | { readonly error: string };

/** A line of JSON each way. Longer ones are no request of ours. */
const MAX_LINE = 16 * 1024;

function socketOf(dataDir: string): string {
  if (process.platform !== 'win32') return join(dataDir, 'backup.sock');
  return `\\\\.\\pipe\\seo-workbench-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 32)}`;
}

/**
 * For the process that owns the data folder. `backup` copies the log to a file.
 * @throws the system's error when the socket cannot be made, such as for a folder with a very long name
 */
export async function answerBackups(dataDir: string, backup: (target: string) => Promise<void>): Promise<{ close(): Promise<void> }> {
  const path = socketOf(dataDir);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy());
    void answer(socket, backup);
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

async function answer(socket: Socket, backup: (target: string) => Promise<void>): Promise<void> {
  let reply: Answer;
  try {
    await backup(targetOf(await lineFrom(socket)));
    reply = { done: true };
  } catch (error) {
    reply = { error: error instanceof Error ? error.message : String(error) };
  }
  if (socket.writable) socket.end(`${JSON.stringify(reply)}\n`);
}

function targetOf(line: string): string {
  const { target } = JSON.parse(line) as { readonly target?: unknown };
  if (typeof target !== 'string' || target === '') throw new Error('A backup needs a target.');
  return target;
}

/**
 * Asks the server that owns the data folder to copy its log to `target` (an absolute path). False when no server runs there.
 * @throws StoreUnavailable when it could not
 */
export async function askForBackup(dataDir: string, target: string): Promise<boolean> {
  const socket = connect(socketOf(dataDir));
  const connected = await new Promise<boolean>((done, failed) => {
    socket.once('connect', () => done(true));
    socket.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' || error.code === 'ECONNREFUSED' ? done(false) : failed(error)));
  });
  if (!connected) return false;
  socket.write(`${JSON.stringify({ target })}\n`);
  const reply = await lineFrom(socket).then(
    (line) => JSON.parse(line) as Answer,
    () => ({ error: 'The server ended before the backup was done. Run it again.' }),
  );
  socket.destroy();
  if ('error' in reply) throw new StoreUnavailable(reply.error);
  return true;
}

/** @throws when the other side ends, or says too much, before a line was whole */
async function lineFrom(socket: Socket): Promise<string> {
  let characters = 0;
  socket.on('data', (chunk: Buffer) => {
    characters += chunk.length;
    if (characters > MAX_LINE) socket.destroy();
  });
  for await (const line of createInterface({ input: socket })) return line;
  throw new Error('The connection ended.');
}
