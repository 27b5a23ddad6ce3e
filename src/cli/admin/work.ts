/** `npm run admin -- work`: how much background work is pending. For single items use `npm run work`. */
import type { Command } from 'commander';
import { loadConfig } from '../../start/config.ts';
import { MOST_LISTED, operateWork, operatorContext, type WorkAnswer } from '../../work/operate.ts';
import { WORK_RULES } from '../../work/rules.ts';
import { askStores } from '../askStores.ts';
import { tableOf, toSeconds } from '../table.ts';

export function addWork(program: Command): Command {
  return program.command('work').description('how much background work is pending; npm run work shows, retries and drops its items').action(work);
}

/** In sequence: without a server each call opens the files itself. */
async function work(): Promise<void> {
  const config = loadConfig(process.env);
  const rows: string[][] = [];
  for (const { kind } of WORK_RULES) {
    const request = { action: 'list', kind, limit: MOST_LISTED } as const;
    const { rows: items, more } = await askStores<WorkAnswer>(config, { request: { work: request }, empty: 'no work is pending' }, (stores) =>
      operateWork({ ...stores, context: () => operatorContext(stores.store) }, request),
    );
    const running = items.filter(({ held }) => held).length;
    const failing = items.filter(({ attempts }) => attempts > 0).length;
    rows.push([kind, `${items.length}${more ? '+' : ''}`, String(running), String(failing), items[0] ? toSeconds(items[0].dueAt) : '-']);
  }
  console.log(tableOf(['KIND', 'PENDING', 'RUNNING', 'FAILED BEFORE', 'FIRST DUE'], rows));
}
