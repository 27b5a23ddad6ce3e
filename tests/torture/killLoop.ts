/** Clients work, the server is killed at random moments and started again, and in the end the log is compared with what the clients were told. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startDemoSite } from '../../src/demoSite/demoSite.ts';
import { type Client, createClient } from './client.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createRandom } from './random.ts';
import { judge, type Verdict } from './verdict.ts';
import { startVictim, type Victim, type VictimOptions } from './victim.ts';

export type KillLoopOptions = {
  readonly cycles: number;
  readonly seed: number;
  readonly clients?: number;
  /** How long everything may take to come to rest after the last kill, ms. Default 120,000. */
  readonly restMs?: number;
  readonly onCycle?: (cycle: number, told: { readonly acknowledged: number; readonly open: number; readonly killedAfterMs: number }) => void;
};

export type KillLoopResult = Verdict & {
  readonly seed: number;
  readonly kills: number;
  /** Starts from the spawn to the first answer, ms. */
  readonly startsMs: readonly number[];
  /** Of the last, orderly stop. */
  readonly exitCode: number | null;
};

/** Between the kill and the server's readiness, in one of ten cycles the kill comes before that. */
const EARLY_KILL = 0.1;

async function untilRest(clients: readonly Client[], ledger: Ledger, url: string, restMs: number): Promise<readonly string[]> {
  const end = Date.now() + restMs;
  for (;;) {
    await Promise.all(clients.map((client) => client.settle(url)));
    const lists = await Promise.all(clients.map((client) => client.jobs(url)));
    const active = lists.reduce((sum, list) => sum + list.active.length, 0);
    if (active === 0 && ledger.count('open') === 0) return lists.flatMap((list) => list.finished);
    if (Date.now() > end) throw new Error(`No rest after ${restMs} ms: ${active} jobs still run, ${ledger.count('open')} requests are open.`);
    await wait(200);
  }
}

/** What the lists show is what the ledger says: submitted and not deleted. */
function listFaults(ledger: Ledger, listed: readonly string[]): readonly string[] {
  const deleted = new Set(ledger.entries.filter((entry) => entry.ask.kind === 'delete' && entry.state === 'acked').map((entry) => entry.ask.jobId));
  const expected = new Set(ledger.entries.flatMap((entry) => entry.jobIds).filter((jobId) => !deleted.has(jobId)));
  const shown = new Set(listed);
  return [
    ...[...expected].filter((jobId) => !shown.has(jobId)).map((jobId) => `job ${jobId} is missing in the list`),
    ...[...shown].filter((jobId) => !expected.has(jobId)).map((jobId) => `job ${jobId} is in the list and should not be`),
    ...(shown.size === listed.length ? [] : ['a job is listed twice']),
  ];
}

export async function runKillLoop({ cycles, seed, clients: clientCount = 8, restMs = 120_000, onCycle }: KillLoopOptions): Promise<KillLoopResult> {
  const random = createRandom(seed);
  const ledger = createLedger();
  const dataDir = mkdtempSync(join(tmpdir(), 'seo-workbench-torture-'));
  const site = await startDemoSite({ port: 0, host: '127.0.0.1', slowMs: 0 });
  const options: VictimOptions = { dataDir, allowHosts: new URL(site.url).host };
  const clients = Array.from({ length: clientCount }, (_, user) => createClient(user, ledger, random.fork(user), site.url));
  const startsMs: number[] = [];
  let victim: Victim | null = null;
  let kills = 0;
  try {
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const killedAfterMs = random.between(50, 800);
      victim = startVictim(options);
      if (random.chance(EARLY_KILL)) await wait(killedAfterMs);
      else {
        const { url, startMs } = await victim.ready;
        startsMs.push(startMs);
        if (cycle === 1) await Promise.all(clients.map((client) => client.enter(url)));
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
    const { url, startMs } = await victim.ready;
    startsMs.push(startMs);
    const listed = await untilRest(clients, ledger, url, restMs);
    const exitCode = await victim.stop();
    const verdict = await judge(ledger, dataDir);
    const faults = [...verdict.faults, ...listFaults(ledger, listed), ...(exitCode === 0 ? [] : [`the orderly stop ended with ${exitCode}`])];
    return { ...verdict, faults, seed, kills, startsMs, exitCode };
  } finally {
    await victim?.kill();
    await site.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
