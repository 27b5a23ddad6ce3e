/**
 * `npm run billing:check`: compares all bills with the payment provider's own books; works whether or not the server is
 * running. Fixes nothing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { checkBooks } from '../commands/billing/checkBooks.ts';
import type { Comparison } from '../domain/billing/books.ts';
import { DomainError } from '../domain/decider.ts';
import { EventStoreError } from '../eventStore/eventStore.ts';
import { sendRequest } from '../eventStore/folderRequests.ts';
import { PaymentFault } from '../integrations/payments/payments.ts';
import { ReadModelError } from '../readModels/readModels.ts';
import { type Config, ConfigError, loadConfig } from '../start/config.ts';
import { openPayments } from '../start/openPayments.ts';
import { openStores } from '../start/openStores.ts';

const EXIT_DIFFERENT = 1;

/**
 * Opens stores and provider if the stores are servers or no process runs here; otherwise asks the server that has them
 * open.
 */
async function compare(config: Config): Promise<Comparison> {
  if (!config.servers) {
    if (!existsSync(join(config.DATA_DIR, 'events.db')))
      throw new DomainError('NO_LOG', `There is no event log in ${config.DATA_DIR}: it has no bills.`);
    const answered = await sendRequest(config.DATA_DIR, { books: true });
    if (answered) return answered.answer as Comparison;
  }
  const log = pino({ level: 'silent' });
  const url = `http://127.0.0.1:${config.PORT}`;
  const sales = await openPayments(config, {
    log,
    now: () => new Date().toISOString(),
    url,
    appUrl: config.APP_URL ?? url,
  });
  try {
    if (!sales.payments)
      throw new DomainError('NOTHING_SOLD', 'Nothing is sold here, so there are no books to compare with.');
    const stores = await openStores(config, log);
    return await checkBooks(stores.store, sales.payments).finally(() => stores.close());
  } finally {
    await sales.close();
  }
}

try {
  const { payments, plans, differences } = await compare(loadConfig(process.env));
  for (const difference of differences) console.log(difference);
  const compared = `${payments} ${payments === 1 ? 'payment' : 'payments'} and ${plans} ${plans === 1 ? 'plan' : 'plans'} compared`;
  console.log(
    differences.length === 0
      ? `${compared}: the bills match the provider's records.`
      : `${compared}: the bills and the provider differ.`,
  );
  if (differences.length > 0) process.exitCode = EXIT_DIFFERENT;
} catch (error) {
  const isExpected = [ConfigError, DomainError, EventStoreError, PaymentFault, ReadModelError].some(
    (expected) => error instanceof expected,
  );
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error;
  console.error((error as Error).message);
  process.exitCode = EXIT_DIFFERENT;
}
