/** A running installation that is asked, hurt and read: what the history run needs of it, whatever pair of stores it is on. */
import { type EventStore, type Position, START } from '../../src/eventStore/eventStore.ts';
import type { Claim } from '../../src/readModels/claims.ts';
import type { History, LogEvent } from './history/history.ts';
import { numberOf } from './history/history.ts';
import type { Coordination } from './work/samplePlaces.ts';
import type { WorkEvent, WorkView } from './work/workLog.ts';

/** A process that may be killed, started again, paused and resumed. */
export type Target = {
  readonly name: string;
  kill(): Promise<void>;
  /** An orderly end; what went wrong with it. Absent: it is only killed. */
  stop?(): Promise<readonly string[]>;
  /** After its end. Resolves when it can be asked again. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
};

export type ReadLog = Pick<History, 'log' | 'deletedStreams'> & {
  /** What is wrong with the stores themselves: parked documents, files that are not whole. */
  readonly faults: readonly string[];
};

export type Arena = {
  /** For one line in the output. */
  readonly name: string;
  /** Of the site that jobs audit. */
  readonly site: string;
  /** Addresses of the API; a process that is away is left out. */
  urls(): readonly string[];
  readonly targets: readonly Target[];
  /** Resolves when every process says that it is ready. */
  ready(): Promise<void>;
  /** The log as it is now, while nobody asks for anything. `whole`: nothing that was under way can still come. */
  readLog(): Promise<ReadLog & { readonly whole: boolean }>;
  /** The list of what is pending and the log up to it; null: not to be had in this moment. Where one process has the files, only while it is away. */
  readWork(): Promise<WorkView | null>;
  /** Where one process has the files, and while it is away: what was written after a position, and every claim that is kept. */
  peek?(after: Position): Promise<{ readonly events: readonly WorkEvent[]; readonly claims: readonly Claim[] }>;
  /** Elsewhere: each event as soon as it is written, until the signal aborts. */
  follow?(take: (event: WorkEvent) => void, signal: AbortSignal): Promise<void>;
  /** Deletes all read models, and what coordinates work beside them, as somebody would by hand. Where one process has the files, only while it is away. */
  loseReadModels(): Promise<void>;
  /** Has all read models built anew while the rest goes on. Absent where nothing can go on beside it. */
  rebuild?(): Promise<readonly string[]>;
  /** What the processes share, to look at from outside. Absent where one process has it to itself. */
  readonly coordination?: Coordination;
  /** An orderly end of all processes of the product, then the log for the last time; what went wrong with that is among its faults. */
  finish(): Promise<ReadLog>;
  /** What processes wrote to stderr, for a run that found something. */
  output(): string;
  /** Ends everything, whatever state it is in. */
  close(): Promise<void>;
};

export const ALLOWANCE = 40;

export type ArenaOptions = {
  /** Free analyses of each account. Default 40: some are used up, and none grows without end. */
  readonly allowance?: number;
  /** The server's entry file. Default: the build. */
  readonly server?: string | undefined;
  /** More settings of the processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Beside the site: addresses that may be called. */
  readonly hosts?: readonly string[];
};

/** Everything that a store has, through its port. */
export async function readStore(store: EventStore): Promise<ReadLog> {
  const log: LogEvent[] = [];
  for (let after: Position = START; ; ) {
    const page = await store.readAll({ after, limit: 1000 });
    for (const { id, stream, revision, position, type, data } of page.events) {
      const { jobId, userId, url } = data as { jobId?: string; userId?: string; url?: string };
      const number = type === 'JobSubmitted' ? numberOf(url) : null;
      log.push({ id, stream, revision: Number(revision), position, type, jobId: jobId ?? null, userId: userId ?? null, number });
    }
    if (page.end) break;
    after = page.next;
  }
  return { log, deletedStreams: await deletedAmong(store, log), faults: [] };
}

/** Streams whose numbering has gaps or does not begin with 0, and which the store says are deleted. */
async function deletedAmong(store: EventStore, log: readonly LogEvent[]): Promise<readonly string[]> {
  const last = new Map<string, number>();
  const suspects = new Set<string>();
  for (const { stream, revision } of log) {
    if (revision !== (last.get(stream) ?? -1) + 1) suspects.add(stream);
    last.set(stream, revision);
  }
  const deleted: string[] = [];
  for (const stream of suspects) if ((await store.read(stream, { limit: 1 })).status === 'deleted') deleted.push(stream);
  return deleted;
}
