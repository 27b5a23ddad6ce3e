/** How terminal programs reach the stores, whether or not the server is running. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DomainError } from '../domain/decider.ts';
import { sendRequest } from '../eventStore/folderRequests.ts';
import type { Config } from '../start/config.ts';
import type { Stores } from '../start/openStores.ts';

/**
 * Opens the stores if they are servers or no process runs here; otherwise asks the server that has them open. `empty`:
 * the message if there is no log.
 * @throws DomainError NO_LOG; errors of `operate`
 */
export async function runOnStores<Answer>(
  config: Config,
  { request, empty }: { readonly request: object; readonly empty: string },
  operate: (stores: Stores) => Promise<Answer>,
): Promise<Answer> {
  if (!config.servers) {
    if (!existsSync(join(config.DATA_DIR, 'events.db')))
      throw new DomainError('NO_LOG', `There is no event log in ${config.DATA_DIR}: ${empty}.`);
    const answered = await sendRequest(config.DATA_DIR, request);
    if (answered) return answered.answer as Answer;
  }
  // Much to load, and not needed beside a running server.
  const [{ openStores }, { default: pino }] = await Promise.all([import('../start/openStores.ts'), import('pino')]);
  const stores = await openStores(config, pino({ level: 'silent' }));
  try {
    return await operate(stores);
  } finally {
    await stores.close();
  }
}
