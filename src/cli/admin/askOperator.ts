/** How a command of `npm run admin` gets done, while the server runs or not. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { DomainError } from '../../domain/decider.ts';
import { askServer } from '../../eventStore/folderRequests.ts';
import type { Config } from '../../start/config.ts';
import { openStores, type Stores } from '../../start/openStores.ts';

/** Where the stores are servers, or nobody runs here, the stores are opened and `operate` does it; else the server that has them is asked. */
export async function askOperator<Answer>(config: Config, request: object, operate: (stores: Stores) => Promise<Answer>): Promise<Answer> {
  if (!config.servers) {
    if (!existsSync(join(config.DATA_DIR, 'events.db'))) throw new DomainError('NO_LOG', `There is no event log in ${config.DATA_DIR}: it has no accounts.`);
    const answered = await askServer(config.DATA_DIR, request);
    if (answered) return answered.answer as Answer;
  }
  const stores = await openStores(config, pino({ level: 'silent' }));
  try {
    return await operate(stores);
  } finally {
    await stores.close();
  }
}
