/**
 * A running installation to send requests to, break and read: the interface that the history run needs, on either pair
 * of stores.
 */
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
  /** A clean shutdown; returns its failures. Absent: it is only killed. */
  stop?(): Promise<readonly string[]>;
  /** Starts it again after its end. Resolves when it answers again. */
  start(): Promise<void>;
  pause(): void;
  resume(): void;
};

export type ReadLog = Pick<History, 'log' | 'deletedStreams'> & {
  /** Faults of the stores themselves: parked documents, corrupt files. */
  readonly faults: readonly string[];
};

export type Arena = {
  /** Its name in the output. */
  readonly name: string;
  /** Of the site that jobs audit. */
  readonly site: string;
  /** Addresses of the API, without processes that are down. */
  urls(): readonly string[];
  readonly targets: readonly Target[];
  /** Resolves when every process reports that it is ready. */
  ready(): Promise<void>;
  /** The current log, while there are no requests. `whole`: nothing that was in progress can still be written. */
  readLog(): Promise<ReadLog & { readonly whole: boolean }>;
  /**
   * The list of pending work and the log up to it; null: not available right now. If one process has the files, only
   * while it is down.
   */
  readWork(): Promise<WorkView | null>;
  /** If one process has the files, and while it is down: the events after a position, and every stored claim. */
  peek?(after: Position): Promise<{ readonly events: readonly WorkEvent[]; readonly claims: readonly Claim[] }>;
  /** Elsewhere: each event as soon as it is written, until the signal aborts. */
  follow?(take: (event: WorkEvent) => void, signal: AbortSignal): Promise<void>;
  /**
   * Deletes all read models and the coordination data beside them, as someone would by hand: while everything runs; if
   * one process has the files, while it is down.
   */
  loseReadModels(): Promise<void>;
  /** Rebuilds all read models while everything else keeps running. Absent where nothing can run meanwhile. */
  rebuild?(): Promise<readonly string[]>;
  /** The shared state of the processes, for outside inspection. Absent where a single process owns it. */
  readonly coordination?: Coordination;
  /**
   * A clean shutdown of all processes of the product, then a last read of the log; its faults include failures of the
   * shutdown.
   */
  finish(): Promise<ReadLog>;
  /** The stderr of the processes, for a run with faults. */
  output(): string;
  /** Ends everything, in any state. */
  close(): Promise<void>;
};

export const ALLOWANCE = 40;

export type ArenaOptions = {
  /** Free audits of each account. Default 40: some are used up, and no account grows forever. */
  readonly allowance?: number;
  /** The server's entry file. Default: the build. */
  readonly server?: string | undefined;
  /** More settings of the processes. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of MongoDB's replica set. Default: one. */
  readonly members?: number;
  /** Addresses besides the site that may be called. */
  readonly hosts?: readonly string[];
};

/** Everything in a store, read through its port. */
export async function readStore(store: EventStore): Promise<ReadLog> {
  const log: LogEvent[] = [];
  for (let after: Position = START; ; ) {
    const page = await store.readAll({ after, limit: 1000 });
    for (const { id, stream, revision, position, type, data } of page.events) {
      const { jobId, userId, url } = data as { jobId?: string; userId?: string; url?: string };
      const number = type === 'JobSubmitted' ? numberOf(url) : null;
      log.push({
        id,
        stream,
        revision: Number(revision),
        position,
        type,
        jobId: jobId ?? null,
        userId: userId ?? null,
        number,
      });
    }
    if (page.end) break;
    after = page.next;
  }
  return { log, deletedStreams: await deletedAmong(store, log), faults: [] };
}

/** Streams whose numbering has gaps or does not start at 0, and which the store reports as deleted. */
async function deletedAmong(store: EventStore, log: readonly LogEvent[]): Promise<readonly string[]> {
  const last = new Map<string, number>();
  const suspects = new Set<string>();
  for (const { stream, revision } of log) {
    if (revision !== (last.get(stream) ?? -1) + 1) suspects.add(stream);
    last.set(stream, revision);
  }
  const deleted: string[] = [];
  for (const stream of suspects)
    if ((await store.read(stream, { limit: 1 })).status === 'deleted') deleted.push(stream);
  return deleted;
}
