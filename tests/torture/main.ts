/**
 * `npm run torture [-- --mode kill|history|work|billing] [--pair embedded|production|both] [--seed 42]`: the full run,
 * with its progress and a verdict. `kill` (default): `--cycles 200`. `history`: `--operations 100000 --faults 50`, of
 * each pair; `--out file` saves a faulty history. Both: `--clients 8`, `--members 3` of MongoDB's replica set (default
 * 1), which then step down, lose their leader and their majority, too. `work`: `--backlog 1000 --kills 100`, of each
 * pair (100 jobs on production). `history` and `work` with `--event-store 'command' --event-store-url esdb://…`: on one
 * server that the command starts, and read models in files. `billing` (or `--billing`): `--users 50 --purchases 1000
 * --kills 20`. All: `--server dist/src/main.js`.
 */
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Arena, ArenaOptions } from './arena.ts';
import { openBillingArena } from './billing/billingArena.ts';
import { printBilling } from './billing/printBilling.ts';
import { openEmbeddedArena, openEventStoreArena } from './embeddedArena.ts';
import { runHistory } from './history/historyRun.ts';
import { runKillLoop } from './killLoop.ts';
import { openProductionArena } from './productionArena.ts';
import { printWork } from './work/printWork.ts';

const { values } = parseArgs({
  options: {
    mode: { type: 'string' },
    billing: { type: 'boolean', default: false },
    pair: { type: 'string', default: 'embedded' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '8' },
    cycles: { type: 'string', default: '200' },
    operations: { type: 'string', default: '100000' },
    faults: { type: 'string', default: '50' },
    backlog: { type: 'string' },
    kills: { type: 'string' },
    users: { type: 'string', default: '50' },
    purchases: { type: 'string', default: '1000' },
    out: { type: 'string' },
    server: { type: 'string' },
    'event-store': { type: 'string' },
    'event-store-url': { type: 'string' },
    members: { type: 'string', default: '1' },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
const [clients, cycles, operations, faults] = [values.clients, values.cycles, values.operations, values.faults].map(
  Number,
) as [number, number, number, number];
const mode = values.mode ?? (values.billing ? 'billing' : 'kill');
const kills = Number(values.kills ?? (mode === 'billing' ? 20 : 100));
const backlog = values.backlog === undefined ? null : Number(values.backlog);
const [users, purchases] = [Number(values.users), Number(values.purchases)];

type OpenArena = (options?: ArenaOptions) => Promise<Arena>;
const members = Number(values.members);
const openSet: OpenArena = (options) => openProductionArena({ ...options, members });
const { 'event-store': command, 'event-store-url': eventStoreUrl } = values;
const onEventStore: OpenArena = (options) =>
  openEventStoreArena({ command: command ?? '', url: eventStoreUrl ?? '' }, options);
const PAIRS: Readonly<Record<string, readonly OpenArena[]>> = {
  embedded: [command === undefined ? openEmbeddedArena : onEventStore],
  production: [openSet],
  both: [openEmbeddedArena, openSet],
};
const { pair } = values;
const pairs = PAIRS[pair] ?? refuse('--pair is embedded, production or both.');

function refuse(why: string): never {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
if (
  ![members, seed, clients, cycles, operations, faults, kills, backlog ?? 0, users, purchases].every(
    (number) => Number.isInteger(number) && number >= 0,
  ) ||
  cycles < 1 ||
  clients < 1 ||
  users < 1 ||
  members < 1
)
  refuse(
    '--seed, --clients, --cycles, --operations, --faults, --backlog, --kills, --members, --users and --purchases take whole numbers.',
  );
if (mode !== 'kill' && mode !== 'history' && mode !== 'work' && mode !== 'billing')
  refuse('--mode is kill, history, work or billing.');
if ((command === undefined) !== (eventStoreUrl === undefined))
  refuse('--event-store and --event-store-url belong together.');
if (
  command !== undefined &&
  (pair !== 'embedded' || (mode !== 'history' && mode !== 'work') || values.server !== undefined)
)
  refuse('--event-store is for --mode history and --mode work, with read models in files, and builds its own server.');
if ((mode === 'kill' || mode === 'billing') && pair !== 'embedded')
  refuse(`--mode ${mode} is for the embedded pair, whose process is killed as a whole.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const started = Date.now();
const minutes = (): string => `${((Date.now() - started) / 60_000).toFixed(1)} min`;

async function kill(): Promise<number> {
  say(`${cycles} cycles, ${clients} clients, seed ${seed} (repeat with --seed ${seed})`);
  const result = await runKillLoop({
    cycles,
    seed,
    clients,
    ...(values.server === undefined ? {} : { server: values.server }),
    restMs: 120_000,
    onCycle: (cycle, { acknowledged, open, killedAfterMs }) => {
      if (cycle % 10 === 0 || cycle === cycles)
        say(
          `cycle ${cycle}: killed after ${killedAfterMs} ms, ${acknowledged} acknowledged, ${open} open, ${minutes()}`,
        );
    },
  });
  const starts = [...result.startsMs].sort((a, b) => a - b);
  const p95 = Math.round(starts[Math.floor((starts.length - 1) * 0.95)] ?? 0);
  say(
    `${result.kills} kills, ${result.acknowledged} acknowledged, ${result.refused} refused, ${result.jobs} jobs, ${result.events} events; restart to ready p95 ${p95} ms`,
  );
  for (const fault of result.faults.slice(0, 50)) say(`  ${fault}`);
  say(
    result.faults.length === 0
      ? 'Nothing lost, nothing doubled, every reservation ended, files whole.'
      : `${result.faults.length} faults. Seed ${seed}.`,
  );
  return result.faults.length;
}

async function history(open: OpenArena): Promise<number> {
  const arena = await open({ server: values.server });
  try {
    say(
      `${arena.name}: ${operations} operations, ${faults} faults, ${clients} clients, seed ${seed} (repeat with --mode history --seed ${seed})`,
    );
    const result = await runHistory({
      arena,
      seed,
      operations,
      faults,
      clients,
      restMs: 300_000,
      onHurt: ({ target, how, ms }, done) =>
        say(
          `fault ${done.faults}: ${target} ${how === 'paused' ? how : `${how}, away`} for ${ms} ms; ${done.operations} operations, ${minutes()}`,
        ),
    });
    const { ok, fail, unknown } = result.counts;
    say(
      `${ok} answered, ${fail} refused, ${unknown} unanswered; ${result.hurts.length} faults, ${result.jobs} jobs, ${result.events} events, ${minutes()}`,
    );
    for (const fault of result.faults.slice(0, 50)) say(`  ${fault.rule}: ${fault.text}`);
    if (result.faults.length > 0 && values.out !== undefined)
      writeFileSync(values.out, JSON.stringify({ ...result, output: arena.output() }));
    say(
      result.faults.length === 0
        ? 'Acknowledged is there once, refused is not there, no read went back, order held, every reservation ended once.'
        : `${result.faults.length} violations. Seed ${seed}.`,
    );
    return result.faults.length;
  } finally {
    await arena.close();
  }
}

let found = 0;
if (mode === 'billing')
  found = await printBilling(
    { open: openBillingArena, seed, users, purchases, kills, server: values.server, out: values.out },
    say,
  );
else if (mode === 'kill') found = await kill();
else if (mode === 'work')
  for (const open of pairs) {
    const small = open === openSet || open === onEventStore;
    // Its servers are for testing, not for speed.
    const load = small ? { backlog: backlog ?? 100, thinkingMs: 4_000 } : { backlog: backlog ?? 1_000 };
    found += await printWork(
      { ...load, open, seed, kills, restMs: 720_000, server: values.server, out: values.out },
      say,
    );
  }
else for (const open of pairs) found += await history(open);
process.exitCode = found === 0 ? 0 : 1;
