/** `npm run admin -- parked`: events that read models could not apply, and their retry. */
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../start/config.ts';
import { operateSystem, type SystemAnswer, type SystemRequest } from '../../start/monitor/operateSystem.ts';
import { runOnStores } from '../runOnStores.ts';
import { tableOf, toSeconds } from '../table.ts';

/** Asks the process that has the stores open. */
export const runSystemRequest = (config: Config, request: SystemRequest): Promise<SystemAnswer> =>
  runOnStores(config, { request: { system: request }, empty: 'nothing has happened yet' }, (stores) =>
    operateSystem(stores, config.DATA_DIR, request),
  );

type Options = { readonly retry?: true; readonly json?: true };

export function addParked(program: Command): Command {
  return program
    .command('parked')
    .description('events that read models could not apply; --retry has the projector try again')
    .argument('[model]', 'of one read model')
    .argument('[document]', 'of one of its documents, as the list has it')
    .option('--retry', 'ask the projector to apply what was missed')
    .option('--json', 'as JSON')
    .action(parked);
}

async function parked(
  model: string | undefined,
  documentId: string | undefined,
  { retry, json }: Options,
): Promise<void> {
  const config = loadConfig(process.env);
  if (retry) {
    const result = await runSystemRequest(config, {
      action: 'retry-parked',
      ...(model === undefined ? {} : { model }),
      ...(documentId === undefined ? {} : { documentId }),
    });
    console.log(`Retry of ${result.parked.length} requested. npm run admin -- parked shows what is left.`);
    return;
  }
  const { parked: all } = await runSystemRequest(config, { action: 'parked' });
  const records = all.filter(
    (record) =>
      (model === undefined || record.model === model) && (documentId === undefined || record.documentId === documentId),
  );
  if (json) console.log(JSON.stringify(records, null, 2));
  else if (records.length === 0) console.log('No events are parked.');
  else {
    const rows = records.map((record) => [
      record.model,
      record.documentId,
      record.eventType,
      record.position,
      toSeconds(record.parkedAt),
      record.error,
    ]);
    console.log(tableOf(['MODEL', 'DOCUMENT', 'EVENT', 'POSITION', 'PARKED', 'FAULT'], rows));
  }
}
