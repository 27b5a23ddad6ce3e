/** `npm run torture [-- --cycles 200] [--seed 42] [--clients 8] [--server dist/src/main.js]`: the kill loop in full, with its progress and a verdict. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runKillLoop } from './killLoop.ts';

const { values } = parseArgs({
  options: { cycles: { type: 'string', default: '200' }, seed: { type: 'string' }, clients: { type: 'string', default: '8' }, server: { type: 'string' } },
});
const cycles = Number(values.cycles);
const clients = Number(values.clients);
const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
if (![cycles, clients, seed].every((number) => Number.isInteger(number) && number >= 0) || cycles < 1 || clients < 1) {
  process.stderr.write('--cycles, --clients and --seed take whole numbers.\n');
  process.exit(2);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
process.stdout.write(`${cycles} cycles, ${clients} clients, seed ${seed} (repeat with --seed ${seed})\n`);
const started = Date.now();
const result = await runKillLoop({
  cycles,
  seed,
  clients,
  ...(values.server === undefined ? {} : { server: values.server }),
  restMs: 120_000,
  onCycle: (cycle, { acknowledged, open, killedAfterMs }) => {
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    if (cycle % 10 === 0 || cycle === cycles)
      process.stdout.write(`cycle ${cycle}: killed after ${killedAfterMs} ms, ${acknowledged} acknowledged, ${open} open, ${minutes} min\n`);
  },
});

const starts = [...result.startsMs].sort((a, b) => a - b);
const p95 = Math.round(starts[Math.floor((starts.length - 1) * 0.95)] ?? 0);
process.stdout.write(
  `${result.kills} kills, ${result.acknowledged} acknowledged, ${result.refused} refused, ${result.jobs} jobs, ${result.events} events; restart to ready p95 ${p95} ms\n`,
);
for (const fault of result.faults.slice(0, 50)) process.stdout.write(`  ${fault}\n`);
process.stdout.write(
  result.faults.length === 0 ? 'Nothing lost, nothing doubled, every reservation ended, files whole.\n' : `${result.faults.length} faults. Seed ${seed}.\n`,
);
process.exitCode = result.faults.length === 0 ? 0 : 1;
