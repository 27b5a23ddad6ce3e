/** A work run that prints its progress and figures. */
import { writeFileSync } from 'node:fs';
import { runWorkTorture, type WorkResult, type WorkRunOptions } from './workRun.ts';

type Options = Pick<WorkRunOptions, 'open' | 'seed' | 'backlog' | 'kills' | 'thinkingMs' | 'restMs' | 'server'> & {
  /** Where to save the log and the output of the processes if there are faults. */
  readonly out?: string | undefined;
};

const PROGRESS_EVERY = 10;
/** Up to this many kills, each one is printed. */
const FEW = 30;

const counts = (all: Readonly<Record<string, number>>): string =>
  Object.entries(all)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

/** Returns the number of faults. */
export async function printWork({ out, ...options }: Options, say: (line: string) => void): Promise<number> {
  const started = Date.now();
  const minutes = (): string => `${((Date.now() - started) / 60_000).toFixed(1)} min`;
  say(
    `work: ${options.backlog} audits wait, ${options.kills} kills, seed ${options.seed} (repeat with --mode work --seed ${options.seed})`,
  );
  const result = await runWorkTorture({
    ...options,
    onHarm: ({ what, ms }, { kills, acknowledged }) => {
      if (options.kills <= FEW || kills % PROGRESS_EVERY === 0 || !what.endsWith('killed'))
        say(`${what} after ${ms} ms: ${kills} kills, ${acknowledged} acknowledged, ${minutes()}`);
    },
  });
  printFigures(result, say);
  say(`${minutes()} in all`);
  for (const fault of result.faults.slice(0, 50)) say(`  ${fault}`);
  if (result.faults.length > 0 && out !== undefined)
    writeFileSync(
      out,
      JSON.stringify({ faults: result.faults, places: result.places, ...result.facts }, (_key, value) =>
        value instanceof Set ? [...value] : value,
      ),
    );
  say(
    result.faults.length === 0
      ? 'Everything pending is done, once; the list is what the log leaves pending; no reservation is open; nothing due stood beside a free place.'
      : `${result.faults.length} faults. Seed ${options.seed}.`,
  );
  return result.faults.length;
}

function printFigures({ figures, replies, places, ...run }: WorkResult, say: (line: string) => void): void {
  const { audits, mails, deliveries, innocents } = figures;
  say(
    `${run.kills} kills, ${run.pauses} pauses, ${run.rebuilds} rebuilds; the list was compared with the log ${run.compared} times in between`,
  );
  say(`${replies.acknowledged} acknowledged: ${counts(Object.fromEntries([...replies.words].sort()))}`);
  say(
    `${figures.jobs} jobs (${counts(figures.ends)}), ${audits.begun} begun, ${audits.begunAgain} of them again; ${figures.events} events in the log`,
  );
  say(
    `mails: ${mails.sent} sent, ${mails.arrived} arrived, ${mails.arrivedAgain} of them again; dropped: ${counts(mails.dropped)}`,
  );
  say(
    `deliveries: ${deliveries.delivered} delivered, ${deliveries.failed} failed, ${deliveries.arrived} arrived, ${deliveries.arrivedAgain} of them again`,
  );
  say(`${figures.setAside} events set aside; ${innocents.length} given up by kills${innocents.length > 0 ? ':' : ''}`);
  for (const { what, id, givenBack } of innocents)
    say(`  ${what} ${id}${givenBack === null ? '' : givenBack ? ', given back' : ', NOT given back'}`);
  const [longest] = places.longest;
  for (const seen of longest?.beside ?? []) say(`  beside it: ${seen}`);
  say(
    `longest that something due stood beside a free place: ${longest ? `${longest.ms} ms (${longest.kind})` : 'never'}, looked at over ${Math.round(places.judgedMs / 1000)} s; ` +
      `at rest ${run.restedAfterMs === null ? 'never' : `${Math.round(run.restedAfterMs / 1000)} s`} after the last harm`,
  );
}
