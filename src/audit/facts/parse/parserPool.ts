/**
 * Parses pages in processes of their own, so that a slow or hostile page never blocks or ends this one. The queue is
 * kept here: a process that is ended loses its page and is replaced.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { PARSER_MEMORY_MB } from '../../memory.ts';
import { startHelper } from '../../processes/helperProcess.ts';
import type { PageFacts } from '../pageFacts.ts';
import type { ParseInput, ParsePage } from './parsePage.ts';
import type { ParseReply } from './parserWorker.ts';
import { createStringSharing } from './sharedStrings.ts';

/** After so many pages that timed out or ended their process, no more of their owner's are tried. */
const MOST_LOST = 3;
/** After so many pages that used up this share of their time, the others of their owner get less. */
const MOST_SLOW = 10;
const SLOW_SHARE = 0.4;
const HURRIED_SHARE = 0.25;

/**
 * timeout: took too long; crashed: the process died (out of memory); failed: the parser threw; closed: the pool was
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
  readonly processes: number;
  /** Per page, ms; default 10,000. On timeout the process is replaced. */
  readonly timeoutMs?: number;
  /** Memory of each process; default 384. A page that needs more is given up, and the process is replaced. */
  readonly memoryMb?: number;
  /** How long a process waits for another page before it ends, ms; default 60,000. */
  readonly idleMs?: number;
  /** Module that the processes run; default: the parser. */
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
type Parser = { readonly child: ChildProcess; task: Task | null; timer: NodeJS.Timeout | null; since: number };

export function createParserPool({
  processes,
  timeoutMs = 10_000,
  memoryMb = PARSER_MEMORY_MB,
  idleMs = 60_000,
  entry = workerEntry(),
  now = () => performance.now(),
}: ParserPoolOptions): ParserPool {
  const idle: Parser[] = [];
  const all = new Set<Parser>();
  /** By owner, whose turn it is first: the pages of one audit hold up those of another as little as they can. */
  const waiting = new Map<object, Task[]>();
  const lost = new WeakMap<object, number>();
  const slow = new WeakMap<object, number>();
  const nobody = {};
  const shareStrings = createStringSharing();
  let closed = false;

  /** Null if no process can be started. */
  function start(): Parser | null {
    let child: ChildProcess;
    try {
      child = startHelper(entry, memoryMb);
    } catch {
      return null;
    }
    const parser: Parser = { child, task: null, timer: null, since: 0 };
    all.add(parser);
    hold(child, false);
    child.on('message', (reply: ParseReply) => {
      const task = finish(parser);
      rest(parser);
      if ('facts' in reply) {
        shareStrings(reply.facts);
        task?.resolve(reply.facts);
      } else task?.reject(new PageParseError('failed', `The page could not be parsed: ${reply.error}`));
      next();
    });
    const crashed = (): void => lose(parser, new PageParseError('crashed', 'The parser stopped on this page'));
    child.on('error', crashed);
    child.on('exit', crashed);
    return parser;
  }

  /** Until it has another page; one that waits for long only takes memory. */
  function rest(parser: Parser): void {
    idle.push(parser);
    if (parser.timer !== null) clearTimeout(parser.timer);
    parser.timer = setTimeout(() => lose(parser, new PageParseError('closed', 'No page for long')), idleMs);
    parser.timer.unref();
  }

  function finish(parser: Parser): Task | null {
    const { task } = parser;
    if (parser.timer !== null) clearTimeout(parser.timer);
    if (task !== null && now() - parser.since > timeoutMs * SLOW_SHARE) count(slow, task.owner);
    parser.timer = null;
    parser.task = null;
    hold(parser.child, false);
    return task;
  }

  /** Discards the process and fails its page; the next page gets a new one. */
  function lose(parser: Parser, error: PageParseError): void {
    if (!all.delete(parser)) return;
    const at = idle.indexOf(parser);
    if (at >= 0) idle.splice(at, 1);
    const task = finish(parser);
    if (task !== null && error.failure !== 'closed') count(lost, task.owner);
    task?.reject(error);
    parser.child.kill('SIGKILL');
    next();
  }

  function next(): void {
    while (!closed && waiting.size > 0) {
      if (idle.length === 0 && all.size >= processes) return;
      const task = take();
      const parser = idle.pop() ?? start();
      if (parser === null) {
        task.reject(new PageParseError('crashed', 'No parser could be started for this page'));
        continue;
      }
      if (isGivenUp(task.owner)) {
        rest(parser);
        task.reject(new PageParseError('timeout', GIVEN_UP));
      } else give(parser, task);
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

  function give(parser: Parser, task: Task): void {
    if (parser.timer !== null) clearTimeout(parser.timer);
    parser.task = task;
    parser.since = now();
    hold(parser.child, true);
    const most = (slow.get(task.owner) ?? 0) >= MOST_SLOW ? timeoutMs * HURRIED_SHARE : timeoutMs;
    parser.timer = setTimeout(
      () => lose(parser, new PageParseError('timeout', `The page took more than ${most} ms to parse`)),
      most,
    );
    // One that has just died says so by its exit.
    parser.child.send(task.input, () => undefined);
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
      const ended = ending.map(({ child }) =>
        child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null,
      );
      for (const parser of ending) lose(parser, new PageParseError('closed', 'The parser is closed'));
      for (const { child } of ending) child.ref();
      await Promise.all(ended);
    },
  };
}

/** Whether this process lives on for it. */
function hold(child: ChildProcess, isBusy: boolean): void {
  if (isBusy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function workerEntry(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './parserWorker.ts' : './parserWorker.js', import.meta.url);
}
