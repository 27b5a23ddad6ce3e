/**
 * Server checks before use (available, recent enough, and accessible), and cleanup of what an earlier version left on
 * it.
 */
import { EventStoreError, StoreUnavailable } from '../eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { type RetryPolicy, withRetries } from './eventStoreDbRetry.ts';
import type { StoreLog } from './eventStoreDbSubscribe.ts';

const OLDEST = { year: 22, month: 10 };
/** Persistent subscriptions to $all that delivered events to workers before the log itself defined pending work. */
const OLD_GROUPS: ReadonlySet<string> = new Set(['audits', 'mails', 'webhooks', 'webhook-tries']);

/** @throws StoreUnavailable, EventStoreError STORE_TOO_OLD, STORE_ACCESS_DENIED */
export async function assertServer(
  connection: EventStoreDbConnection,
  retryPolicy: RetryPolicy,
  timeoutMs: number,
): Promise<void> {
  try {
    const version = await withRetries(retryPolicy, () => connection.serverVersion(timeoutMs));
    if (version !== null && !isOlder(version)) return;
    const what = version === null ? 'of before 21.10' : version;
    const text = `The event store at ${connection.label} is too old: it is ${what}. EventStoreDB ${OLDEST.year}.${OLDEST.month} or later is needed.`;
    throw new EventStoreError('STORE_TOO_OLD', text);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreUnavailable(
      `${error.message} Is it running, and is the address right (EVENTSTORE_URL: host, port, tls=true or tls=false)?`,
    );
  }
}

function isOlder(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return year < OLDEST.year || (year === OLDEST.year && month < OLDEST.month);
}

/**
 * Deletes consumer groups of an earlier version that have no connected workers. Failures are left for another time: the
 * groups do no harm.
 */
export async function removeOldGroups(connection: EventStoreDbConnection, log: StoreLog | undefined): Promise<void> {
  try {
    for (const { groupName: group, connections } of await connection.listPersistentSubscriptionsToAll()) {
      if (!OLD_GROUPS.has(group) || connections.length > 0) continue;
      await connection.deletePersistentSubscriptionToAll(group);
      log?.info({ store: connection.label, group }, 'A consumer group of an earlier version was deleted');
    }
  } catch {
    // There are none, another process was faster, or this user lacks permission.
  }
}
