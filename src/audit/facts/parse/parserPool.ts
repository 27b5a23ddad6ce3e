/**
 * Parses pages in worker threads, so that a slow or hostile page never blocks the main thread. The queue is kept here
 * rather than in the threads: a thread that is terminated loses its page and is replaced.
 */
import { Worker } from 'node:worker_threads';
import { THREAD_MEMORY_MB } from '../../memory.ts';
import type { PageFacts } from '../pageFacts.ts';
import type { ParseInput, ParsePage } from './parsePage.ts';
import type { ParseReply } from './parserWorker.ts';
import { runnable } from './runnable.ts';
import { createStringSharing } from './sharedStrings.ts';

/** After so many pages that timed out or killed their thread, no more of their owner's are tried. */
const MOST_LOST = 3;
/** After so many pages that used up this share of their time, the others of their owner get less. */
const MOST_SLOW = 10;
const SLOW_SHARE = 0.4;
const HURRIED_SHARE = 0.25;

/**
 * timeout: took too long; crashed: the thread died (out of memory); failed: the parser threw; closed: the pool was
 * closed.
 */
export type ParseFailure = 'timeout' | 'crashed' | 'failed' | 'closed';

export class PageParseError extends Error {
  readonly failure: ParseFailure;
  constructor(failure: ParseFailure, message: string) {
    super(message);
    this.name = 'PageParseError';
    this.failure = failure;
  }
}

const GIVEN_UP = 'Too many pages of this site could not be parsed';

export type ParserPool = { readonly parse: ParsePage; readonly close: () => Promise<void> };

export type ParserPoolOptions = {
  readonly threads: number;
  /** Per page, ms; default 10,000. On timeout the thread is replaced. */
  readonly timeoutMs?: number;
  /** Memory of each thread; default 384. A page that needs more is given up, and the thread is replaced. */
  readonly memoryMb?: number;
  /** Module that the threads run; default: the parser. */
  readonly entry?: URL;
  /** Ms, monotonic. */
  readonly now?: () => number;
};

type Task = {
  readonly owner: object;
  readonly input: ParseInput;
  readonly resolve: (facts: PageFacts) => void;
  readonly reject: (error: PageParseError) => void;
};
type Thread = { readonly worker: Worker; task: Task | null; timer: NodeJS.Timeout | null; since: number };

export function createParserPool({
  threads,
  timeoutMs = 10_000,
  memoryMb = THREAD_MEMORY_MB,
  entry = workerEntry(),
  now = () => performance.now(),
}: ParserPoolOptions): ParserPool {
  const idle: Thread[] = [];
  const all = new Set<Thread>();
  /** By owner, whose turn it is first: the pages of one audit hold up those of another as little as they can. */
  const waiting = new Map<object, Task[]>();
  const lost = new WeakMap<object, number>();
  const slow = new WeakMap<object, number>();
  const nobody = {};
  const shareStrings = createStringSharing();
  let closed = false;

  function start(): Thread {
    const worker = new Worker(runnable(entry), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    const thread: Thread = { worker, task: null, timer: null, since: 0 };
    all.add(thread);
    worker.unref();
    worker.on('message', (reply: ParseReply) => {
      const task = finish(thread);
      idle.push(thread);
      if ('facts' in reply) {
        shareStrings(reply.facts);
        task?.resolve(reply.facts);
      } else task?.reject(new PageParseError('failed', `The page could not be parsed: ${reply.error}`));
      next();
    });
    worker.on('error', (error) =>
      lose(thread, new PageParseError('crashed', `The parser stopped on this page: ${error.message}`)),
    );
    worker.on('exit', () => lose(thread, new PageParseError('crashed', 'The parser stopped on this page')));
    return thread;
  }

  function finish(thread: Thread): Task | null {
    const { task } = thread;
    if (thread.timer !== null) clearTimeout(thread.timer);
    if (task !== null && now() - thread.since > timeoutMs * SLOW_SHARE) count(slow, task.owner);
    thread.timer = null;
    thread.task = null;
    thread.worker.unref();
    return task;
  }

  /** Discards the thread and fails its page; the next page gets a new thread. */
  function lose(thread: Thread, error: PageParseError): void {
    if (!all.delete(thread)) return;
    const at = idle.indexOf(thread);
    if (at >= 0) idle.splice(at, 1);
    const task = finish(thread);
    if (task !== null && error.failure !== 'closed') count(lost, task.owner);
    task?.reject(error);
    void thread.worker.terminate();
    next();
  }

  function next(): void {
    while (!closed && waiting.size > 0) {
      const thread = idle.pop() ?? (all.size < threads ? start() : null);
      if (thread === null) return;
      const task = take();
      if (isGivenUp(task.owner)) {
        idle.push(thread);
        task.reject(new PageParseError('timeout', GIVEN_UP));
      } else give(thread, task);
    }
  }

  /** Only called while there is one. */
  function take(): Task {
    const [owner, tasks] = waiting.entries().next().value as [object, Task[]];
    const task = tasks.shift() as Task;
    waiting.delete(owner);
    if (tasks.length > 0) waiting.set(owner, tasks);
    return task;
  }

  /** Pages that belong to nobody are not judged by each other. */
  function count(pages: WeakMap<object, number>, owner: object): void {
    if (owner !== nobody) pages.set(owner, (pages.get(owner) ?? 0) + 1);
  }

  const isGivenUp = (owner: object): boolean => (lost.get(owner) ?? 0) >= MOST_LOST;

  function give(thread: Thread, task: Task): void {
    thread.task = task;
    thread.since = now();
    thread.worker.ref();
    const most = (slow.get(task.owner) ?? 0) >= MOST_SLOW ? timeoutMs * HURRIED_SHARE : timeoutMs;
    thread.timer = setTimeout(
      () => lose(thread, new PageParseError('timeout', `The page took more than ${most} ms to parse`)),
      most,
    );
    const body = ownBuffer(task.input.body);
    thread.worker.postMessage({ ...task.input, body }, [body.buffer]);
  }

  return {
    parse: (input, owner = nobody) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new PageParseError('closed', 'The parser is closed'));
        if (isGivenUp(owner)) return reject(new PageParseError('timeout', GIVEN_UP));
        const tasks = waiting.get(owner);
        const task = { owner, input, resolve, reject };
        if (tasks) tasks.push(task);
        else waiting.set(owner, [task]);
        next();
      }),
    close: async () => {
      closed = true;
      for (const task of [...waiting.values()].flat())
        task.reject(new PageParseError('closed', 'The parser is closed'));
      waiting.clear();
      const ending = [...all];
      for (const thread of ending) lose(thread, new PageParseError('closed', 'The parser is closed'));
      await Promise.all(ending.map((thread) => thread.worker.terminate()));
    },
  };
}

/** Copies bytes that share their ArrayBuffer, because a transfer detaches the whole buffer. */
function ownBuffer(body: Uint8Array): Uint8Array<ArrayBuffer> {
  if (body.buffer instanceof ArrayBuffer && body.byteOffset === 0 && body.byteLength === body.buffer.byteLength)
    return body as Uint8Array<ArrayBuffer>;
  return new Uint8Array(body);
}

function workerEntry(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './parserWorker.ts' : './parserWorker.js', import.meta.url);
}
