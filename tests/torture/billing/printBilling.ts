/** A storm of payments that prints its progress and figures. */
import { writeFileSync } from 'node:fs';
import { type BillingResult, type BillingRunOptions, runBillingStorm } from './billingRun.ts';

type Options = Pick<BillingRunOptions, 'open' | 'seed' | 'users' | 'purchases' | 'kills' | 'server'> & {
  /** Where to save the log and the output of the processes if there are faults. */
  readonly out?: string | undefined;
};

const counts = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

/** Returns the number of faults. */
export async function printBilling({ out, ...options }: Options, say: (line: string) => void): Promise<number> {
  const started = Date.now();
  const minutes = (): string => `${((Date.now() - started) / 60_000).toFixed(1)} min`;
  const { users, purchases, kills, seed } = options;
  say(
    `billing: ${purchases} purchases by ${users} users, ${kills} kills, seed ${seed} (repeat with --billing --seed ${seed})`,
  );
  const result = await runBillingStorm({
    ...options,
    subscribers: users,
    onKill: (nth, done) => say(`kill ${nth}: ${done} purchases, ${minutes()}`),
  });
  printFigures(result, say);
  say(`${minutes()} in all`);
  for (const fault of result.faults) say(`  ${fault}`);
  if (result.faults.length > 0 && out !== undefined) {
    const { faults, log, output, told } = result;
    writeFileSync(out, JSON.stringify({ faults, log, output, purchases: told.purchases }));
  }
  say(
    result.faults.length === 0
      ? 'Every payment is granted once, to who paid it; the bills are the provider’s books; every reservation ended; nobody had more than was paid for.'
      : `${result.faults.length} faults. Seed ${seed}.`,
  );
  return result.faults.length;
}

function printFigures({ figures, told, struck, kills }: BillingResult, say: (line: string) => void): void {
  const { analyses } = figures;
  say(
    `${figures.purchases} purchases (${counts(figures.ways)}), ${told.declined} cards declined before; ${kills} kills`,
  );
  say(
    `${dollars(figures.paid)} paid at the provider, ${dollars(figures.granted)} granted; ${told.alreadyThere} times the provider’s message was first`,
  );
  say(`${figures.plans} plans, and at the provider: ${counts(figures.drills)}`);
  say(`went wrong at the provider: ${counts(struck)}`);
  say(`events of the provider kept, by who brought them: ${counts(figures.received)}`);
  say(
    `analyses: ${analyses.reserved} reserved, ${analyses.consumed} used, ${analyses.released} given back, ${told.refused} refused; ${figures.events} events in the log`,
  );
}
