/**
 * An event store server that the operator starts with a command of their own, so that a run can kill, pause and start
 * it again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { openEventStoreDb } from '../../src/eventStore/eventStoreDb/eventStoreDb.ts';
import type { Target } from './arena.ts';

export type EventStoreServer = Target & {
  readonly url: string;
  /** Its log, for reading from outside. */
  open(): Promise<EventStore>;
  close(): Promise<void>;
};

export type EventStoreCommand = {
  /** Runs one server in the foreground, on the same files and port each time: a shell command. */
  readonly command: string;
  readonly url: string;
};

/** How long a start may take, ms: a real server takes up to 20 s on a busy machine. */
const STARTED_MS = 120_000;
/** How long something that may be there already is waited for, ms. */
const TAKEN_MS = 3_000;
const TAKEN = 'something already answers at that address: the run must be the only one to start and kill its server';

/** @throws when it does not answer in time, or another server answers at its address */
export async function startEventStoreServer({ command, url }: EventStoreCommand): Promise<EventStoreServer> {
  let running: { readonly child: ChildProcess; readonly gone: Promise<unknown> } | null = null;
  const log = pino({ level: 'silent' });
  const open = (connectTimeoutMs = STARTED_MS) => openEventStoreDb({ url, log, connectTimeoutMs });

  function launch(): void {
    // A group of its own, so that a signal reaches what the shell has started, too.
    const child = spawn('sh', ['-c', command], { detached: true, stdio: 'ignore' });
    const mine = { child, gone: once(child, 'exit') };
    running = mine;
    // A node that must first cut off what it alone had written ends by itself with 0 when it has done so, and wants to
    // be started again.
    child.once('exit', (code) => {
      if (running !== mine) return;
      running = null;
      if (code === 0) launch();
    });
  }

  function signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    try {
      if (running?.child.pid !== undefined) process.kill(-running.child.pid, name);
    } catch {
      // It has ended by itself.
    }
  }

  async function kill(): Promise<void> {
    const killed = running;
    if (killed === null) return;
    signal('SIGKILL');
    running = null;
    await killed.gone;
  }

  async function start(): Promise<void> {
    launch();
    await (await open()).close();
  }

  const taken = await open(TAKEN_MS).catch(() => null);
  if (taken !== null) {
    await taken.close();
    throw new Error(`${url}: ${TAKEN}`);
  }
  process.once('exit', () => signal('SIGKILL'));
  await start().catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return {
    name: 'the event store',
    url,
    open,
    kill,
    start,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    close: kill,
  };
}
