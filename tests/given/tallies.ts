/** Two months with tallies, and what is read of them. */
import { ERASURE } from '../../src/commands/closedStreams.ts';
import { recordTally } from '../../src/commands/tally/recordTally.ts';
import { eventsOf } from '../../src/domain/stored/eventOf.ts';
import { TALLY_TYPES, type TallyEvent } from '../../src/domain/tally/events.ts';
import type { EventStore } from '../../src/eventStore/eventStore.ts';
import { verifyLog } from '../../src/eventStore/verify/verifyLog.ts';
import { checkouts } from '../../src/reports/checkouts.ts';
import { createOldTallies } from '../../src/work/sweeps/oldTallies.ts';
import { type Product, product } from './commands.ts';
import { runReport } from './reports.ts';

/** Minutes. */
export const DAY = 24 * 60;
export const sweepOf = ({ context }: Product, store?: EventStore) =>
  createOldTallies({ context: (cause) => context(cause, store), keptDays: 90 });

export function noted(
  made: Product,
  type: TallyEvent['type'],
  userId: string,
  more: object = {},
  count = 1,
): Promise<void> {
  const at = made.now();
  return recordTally(made.context(), { type, data: { userId, count, since: at, until: at, ...more } } as TallyEvent);
}
export const ranOut = (made: Product, userId: string, count = 1) =>
  noted(made, 'SubmissionsRefused', userId, { reason: 'INSUFFICIENT_CREDITS' }, count);
async function bought(made: Product, userId: string): Promise<void> {
  const data = {
    userId,
    paymentIntentId: `pi_${userId}`,
    amount: 5_000,
    currency: 'usd',
    funds: 5_000,
    balance: 5_000,
  };
  const event = { type: 'FundsAdded', data: { ...data, quantity: 1, addedAt: made.now() } };
  const metadata = { ...(await made.log())[0]?.metadata, at: made.now() } as never;
  await made.store.append(`billing-${userId}`, [{ id: crypto.randomUUID(), ...event, metadata }], { expected: 'any' });
}

/** Two months: in the first one two users run out, one of them buys; both are refused log-ins in the second. */
export async function twoMonths(made: Product = product()): Promise<Product> {
  for (const userId of ['ann', 'bea']) await ranOut(made, userId, 3);
  made.pass(30);
  await noted(made, 'CheckoutsOpened', 'ann', { purchase: 'reports' });
  await bought(made, 'ann');
  await noted(made, 'CodesTried', 'bea', { outcome: 'valid', codes: ['FIFTEEN'] });
  made.pass(31 * DAY);
  for (const userId of ['ann', 'bea']) await noted(made, 'LogInsRefused', userId, {}, 5);
  return made;
}

export const tablesOf = async ({ store }: Pick<Product, 'store'>) =>
  (await runReport(store, checkouts)).tables.map(({ name, rows }) => [name, rows]);
export const left = async (made: Product) => eventsOf(await made.log(), ...TALLY_TYPES).map(({ stream }) => stream);

export async function faultsOf(store: EventStore): Promise<readonly unknown[]> {
  const faults: unknown[] = [];
  await verifyLog({ store, erasure: ERASURE, sealed: null, onFault: (fault) => faults.push(fault) });
  return faults;
}
