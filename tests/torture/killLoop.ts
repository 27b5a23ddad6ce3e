/**
 * Clients work, the server is killed at random moments and restarted, and in the end the log is compared with the
 * answers to the clients.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startDemoSite } from '../../src/demoSite/demoSite.ts';
import type { RunningServer } from '../given/product/processes.ts';
import { type Client, createClient, Unanswered } from './history/client.ts';
import { createLedger, type Ledger } from './history/ledger.ts';
import { createRandom } from './random.ts';
import { judge, type Verdict } from './verdict.ts';
import { startVictim, type VictimOptions } from './victim.ts';

export type KillLoopOptions = {
  readonly cycles: number;
  readonly seed: number;
  readonly clients?: number;
  /** The server's entry file. Default: the build that `npm start` runs. */
  readonly server?: string;
  /** How long everything may take to settle after the last kill, ms. Default 120,000. */
  readonly restMs?: number;
  readonly onCycle?: (
    cycle: number,
    told: { readonly acknowledged: number; readonly open: number; readonly killedAfterMs: number },
  ) => void;
};

export type KillLoopResult = Verdict & {
  readonly seed: number;
  readonly kills: number;
  /** Start times from the spawn to the first answer, ms. */
  readonly startsMs: readonly number[];
  /** The exit code of the last, clean shutdown. */
  readonly exitCode: number | null;
};

/** In one of ten cycles, the kill may come before the server is ready. */
const EARLY_KILL = 0.1;

type Rest = { readonly listed: readonly string[]; readonly faults: readonly string[] };

/**
 * Waits until every request is answered and every job has ended; or returns a fault about the rest when the time is up.
 */
async function untilRest(clients: readonly Client[], ledger: Ledger, url: string, restMs: number): Promise<Rest> {
  const end = Date.now() + restMs;
  let active: readonly string[] = [];
  let finished: readonly string[] = [];
  for (;;) {
    try {
      await Promise.all(clients.map((client) => client.settle(url)));
      const lists = await Promise.all(clients.map((client) => client.jobs(url)));
      active = lists.flatMap((list) => list.active);
      finished = lists.flatMap((list) => list.finished);
      if (active.length === 0 && ledger.count('open') === 0) return { listed: finished, faults: [] };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
    }
    if (Date.now() > end) {
      const fault = `no rest after ${restMs} ms: ${active.length} jobs still run, ${ledger.count('open')} requests are open`;
      return { listed: [...active, ...finished], faults: [fault] };
    }
    await wait(500);
  }
}

/** The lists match the ledger: submitted and not deleted. */
function listFaults(ledger: Ledger, listed: readonly string[]): readonly string[] {
  const deleted = new Set(
    ledger.entries
      .filter((entry) => entry.ask.kind === 'delete' && entry.state === 'acked')
      .map((entry) => entry.ask.jobId),
  );
  const expected = new Set(ledger.entries.flatMap((entry) => entry.jobIds).filter((jobId) => !deleted.has(jobId)));
  const shown = new Set(listed);
  return [
    ...[...expected].filter((jobId) => !shown.has(jobId)).map((jobId) => `job ${jobId} is missing in the list`),
    ...[...shown]
      .filter((jobId) => !expected.has(jobId))
      .map((jobId) => `job ${jobId} is in the list and should not be`),
    ...(shown.size === listed.length ? [] : ['a job is listed twice']),
  ];
}

export async function runKillLoop({
  cycles,
  seed,
  clients: clientCount = 8,
  server,
  restMs = 120_000,
  onCycle,
}: KillLoopOptions): Promise<KillLoopResult> {
  const random = createRandom(seed);
  const ledger = createLedger();
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  const options: VictimOptions = { dataDir, allowHosts: new URL(site.url).host, server };
  const clients = Array.from({ length: clientCount }, (_, user) =>
    createClient(user, ledger, random.fork(user), site.url),
  );
  const startsMs: number[] = [];
  let victim: RunningServer | null = null;
  let kills = 0;
  let entered = false;
  try {
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const killedAfterMs = random.between(50, 800);
      victim = startVictim(options);
      if (random.chance(EARLY_KILL) && entered) await wait(killedAfterMs);
      else {
        const { url, ms: startMs } = await victim.started;
        startsMs.push(startMs);
        if (!entered) await Promise.all(clients.map((client) => client.enter(url)));
        entered = true;
        const dead = new AbortController();
        const working = Promise.all(clients.map((client) => client.work(url, dead.signal)));
        await wait(killedAfterMs);
        await victim.kill();
        dead.abort();
        await working;
      }
      await victim.kill();
      kills += 1;
      onCycle?.(cycle, { acknowledged: ledger.count('acked'), open: ledger.count('open'), killedAfterMs });
    }
    victim = startVictim(options);
    const { url, ms: startMs } = await victim.started;
    startsMs.push(startMs);
    const rest = await untilRest(clients, ledger, url, restMs);
    const exitCode = await victim.stop();
    const verdict = await judge(ledger, dataDir);
    const faults = [
      ...verdict.faults,
      ...rest.faults,
      ...listFaults(ledger, rest.listed),
      ...(exitCode === 0 ? [] : [`the orderly stop ended with ${exitCode}`]),
    ];
    return { ...verdict, faults, seed, kills, startsMs, exitCode };
  } finally {
    await victim?.kill();
    await site.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
