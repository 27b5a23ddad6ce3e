/**
 * Processes for work on what hostile sites send. Unlike a thread, one that needs too much memory ends alone: of a
 * thread, a single large allocation beyond its limit ends the whole process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { sourceLoader } from './sourceLoader.ts';

/** Nothing of the environment is for them: neither secrets nor options of Node. */
const ENVIRONMENT = ['PATH', 'SystemRoot', 'TZ'] as const;

/**
 * Starts a process that runs the module `entry`, with at most `memoryMb` for its objects. Messages go by
 * `process.send`, as plain data and bytes. It ends with this process, however that ends.
 * @throws when no process can be started, such as for lack of file descriptors
 */
export function startHelper(entry: URL, memoryMb: number): ChildProcess {
  const env = Object.fromEntries(
    ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  const program = `${endingWith(process.pid)}${sourceLoader(entry)}await import(${JSON.stringify(entry.href)});`;
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${memoryMb}`, '--input-type=module', '--eval', program],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env,
      windowsHide: true,
    },
  );
  if (child.pid !== undefined) return child;
  // A signal to one that was not started would go to this process and its whole group.
  child.on('error', () => undefined);
  throw new Error('No helper process could be started');
}

/** A thread of its own looks for the parent: the main one may be busy forever. */
function endingWith(parent: number): string {
  const watch = `setInterval(() => { if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL'); }, 1000);`;
  return `import { Worker } from 'node:worker_threads'; new Worker(${JSON.stringify(watch)}, { eval: true }).unref();`;
}

/** Whether it ended for lack of memory. */
export function isOutOfMemory(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGABRT' || code === 134;
}
