/** Clients send requests, a nemesis injects faults, everything settles, and the history is checked. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Arena } from '../arena.ts';
import { createNemesis, type Hurt } from '../nemesis.ts';
import { createRandom } from '../random.ts';
import { checkHistory } from './checkHistory.ts';
import { createRecorder, type History, type LogEvent } from './history.ts';
import { accountOf, type Board, createHistoryClient, type HistoryClient, type Seat } from './historyClient.ts';
import type { Fault } from './wishes.ts';

export type HistoryRunOptions = {
  readonly arena: Arena;
  readonly seed: number;
  /** The minimum number of requests, and the number of faults between them. */
  readonly operations: number;
  readonly faults: number;
  readonly clients?: number;
  /** How long everything may take to settle, ms. Default 120,000. */
  readonly restMs?: number;
  /** The longest pause of a client between two actions, ms. Default 100: faster clients run into rate limits. */
  readonly thinkingMs?: number;
  readonly onHurt?: (hurt: Hurt, told: { readonly operations: number; readonly faults: number }) => void;
};

export type HistoryResult = {
  readonly history: History;
  readonly faults: readonly Fault[];
  readonly hurts: readonly Hurt[];
  readonly counts: Readonly<Record<'ok' | 'fail' | 'unknown', number>>;
  readonly events: number;
  readonly jobs: number;
};

/** Accounts that all clients use at the same time. */
const SHARED_SEATS = 6;

export async function runHistory(options: HistoryRunOptions): Promise<HistoryResult> {
  const {
    arena,
    seed,
    operations: wanted,
    faults: strikes,
    clients: count = 8,
    restMs = 120_000,
    thinkingMs = 100,
    onHurt,
  } = options;
  const random = createRandom(seed);
  const recorder = createRecorder();
  let lastNumber = 0;
  const board: Board = {
    recorder,
    urls: arena.urls,
    site: arena.site,
    nextNumber: () => (lastNumber += 1),
    thinkingMs,
    jobs: new Map(),
    accounts: new Set(),
  };
  const shared: readonly Seat[] = Array.from({ length: SHARED_SEATS }, (_, index) => ({
    name: `shared-${index}`,
    generation: 0,
  }));
  const clients = Array.from({ length: count }, (_, index) =>
    createHistoryClient(index, { own: { name: `own-${index}`, generation: 0 }, shared }, random.fork(index), board),
  );
  await enterFirst(board, random.fork(count));

  const nemesis = createNemesis(arena.targets, random.fork(count + 1));
  const hurts: Hurt[] = [];
  let hurting = strikes > 0 && arena.targets.length > 0;
  const failed = new AbortController();
  let broken = false;
  const working = clients.map(async (client) => {
    while (!failed.signal.aborted && !broken && (hurting || recorder.operations.length < wanted)) await client.turn();
  });
  const hurt = async (): Promise<void> => {
    while (hurts.length < strikes && !failed.signal.aborted) {
      // Spread over the run: between two faults it is undisturbed for a while.
      const due = (wanted * (hurts.length + 1)) / (strikes + 1);
      while (recorder.operations.length < due && !failed.signal.aborted) await wait(20);
      const done = await nemesis.strike();
      hurts.push(done);
      onHurt?.(done, { operations: recorder.operations.length, faults: hurts.length });
      broken = done.faults.length > 0;
      if (broken) return;
    }
  };
  const guarded = [
    ...working,
    hurt().finally(() => {
      hurting = false;
    }),
  ].map((work) =>
    work.catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.all(guarded);

  const unready = await arena.ready().then(
    () => [],
    (error: unknown) => [String(error)],
  );
  const restless = await untilRest(arena, board, clients, restMs);
  const restFrom = recorder.operations.length;
  const [reader] = clients;
  for (const account of board.accounts) await reader?.look(account);
  const { log, deletedStreams, faults: ofStores } = await arena.finish();
  const history: History = { operations: recorder.operations, log, deletedStreams, restFrom };
  const of = (outcome: 'ok' | 'fail' | 'unknown') =>
    recorder.operations.filter((operation) => operation.outcome === outcome).length;
  return {
    history,
    faults: [
      ...[...unready, ...restless, ...ofStores, ...hurts.flatMap((each) => each.faults)].map((text) => ({
        rule: 'log' as const,
        text,
      })),
      ...checkHistory(history),
    ],
    hurts,
    counts: { ok: of('ok'), fail: of('fail'), unknown: of('unknown') },
    events: log.length,
    jobs: log.filter((event) => event.type === 'JobSubmitted').length,
  };
}

/** The first account is the admin and pays nothing, so it takes no part. */
async function enterFirst(board: Board, random: ReturnType<typeof createRandom>): Promise<void> {
  const seat = { name: 'first', generation: 0 };
  const outside = createHistoryClient(255, { own: seat, shared: [] }, random, {
    ...board,
    recorder: createRecorder(),
    accounts: new Set(),
    jobs: new Map(),
  });
  for (let tries = 0; !(await outside.look(accountOf(seat))); tries += 1)
    if (tries === 20) throw new Error('The installation does not answer.');
}

/**
 * Waits until everything is decided, every job and reservation has ended, and nothing more is written. Returns what is
 * still open when the time is up.
 */
async function untilRest(
  arena: Arena,
  board: Board,
  clients: readonly HistoryClient[],
  restMs: number,
): Promise<readonly string[]> {
  const end = Date.now() + restMs;
  let events = -1;
  for (;;) {
    const decided = (await Promise.all(clients.map((client) => client.settle()))).every(Boolean);
    const [reader] = clients;
    let ended = true;
    for (const account of board.accounts) ended = ((await reader?.look(account)) ?? false) && ended;
    let unsettled = -1;
    if (decided && ended) {
      const { log, whole } = await arena.readLog();
      unsettled = unsettledIn(log);
      if (unsettled === 0 && (whole || log.length === events)) return [];
      events = log.length;
    }
    if (Date.now() > end)
      return [
        `no rest after ${restMs} ms: ${decided ? 'all' : 'not all'} requests are decided, ${ended ? 'all' : 'not all'} jobs have ended, ${unsettled} reservations are open`,
      ];
    await wait(500);
  }
}

/** Submitted jobs whose reservation has not ended. */
function unsettledIn(log: readonly LogEvent[]): number {
  const open = new Set<string | null>();
  for (const event of log) if (event.type === 'JobSubmitted') open.add(event.jobId);
  for (const event of log)
    if (event.type === 'AnalysisConsumed' || event.type === 'AnalysisReleased') open.delete(event.jobId);
  return open.size;
}
