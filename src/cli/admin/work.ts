/** `npm run admin -- work`: how much background work is pending. For single items use `npm run work`. */
import type { Command } from 'commander';
import { loadConfig } from '../../start/config.ts';
import { MOST_LISTED, operateWork, operatorContext, type WorkAnswer } from '../../work/operate.ts';
import { WORK_RULES } from '../../work/rules.ts';
import { runOnStores } from '../runOnStores.ts';
import { tableOf, toSeconds } from '../table.ts';

export function addWork(program: Command): Command {
  return program
    .command('work')
    .description('how much background work is pending; npm run work shows, retries and drops its items')
    .option('--json', 'as JSON')
    .action(work);
}

/** Its field names are those of `--json`, so they stay. `more`: there are more than were counted. */
type KindCounts = {
  readonly kind: string;
  readonly pending: number;
  readonly more: boolean;
  readonly running: number;
  readonly failedBefore: number;
  /** UTC ISO. */
  readonly firstDue: string | null;
};

function cellsOf({ kind, pending, more, running, failedBefore, firstDue }: KindCounts): string[] {
  return [
    kind,
    `${pending}${more ? '+' : ''}`,
    String(running),
    String(failedBefore),
    firstDue === null ? '-' : toSeconds(firstDue),
  ];
}

/** In sequence: without a server each call opens the files itself. */
async function work({ json }: { readonly json?: true }): Promise<void> {
  const config = loadConfig(process.env);
  const kinds: KindCounts[] = [];
  for (const { kind } of WORK_RULES) {
    const request = { action: 'list', kind, limit: MOST_LISTED } as const;
    const { rows: items, more } = await runOnStores<WorkAnswer>(
      config,
      { request: { work: request }, empty: 'no work is pending' },
      (stores) => operateWork({ ...stores, context: () => operatorContext(stores.store) }, request),
    );
    const running = items.filter(({ held }) => held).length;
    const failedBefore = items.filter(({ attempts }) => attempts > 0).length;
    kinds.push({ kind, pending: items.length, more, running, failedBefore, firstDue: items[0]?.dueAt ?? null });
  }
  console.log(
    json
      ? JSON.stringify(kinds, null, 2)
      : tableOf(['KIND', 'PENDING', 'RUNNING', 'FAILED BEFORE', 'FIRST DUE'], kinds.map(cellsOf)),
  );
}
