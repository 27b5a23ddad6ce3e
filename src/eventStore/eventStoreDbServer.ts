/** What the server must be before it is used: there, of an age that has what is needed, and willing. */
import { EventStoreError, StoreUnavailable } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { CallBroken } from './eventStoreDbErrors.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';

const OLDEST = { year: 22, month: 10 };

/** @throws StoreUnavailable, EventStoreError STORE_TOO_OLD, STORE_ACCESS_DENIED */
export async function assertServer(connection: EventStoreDbConnection, patience: Patience, timeoutMs: number): Promise<void> {
  try {
    const version = await patiently(patience, () => within(timeoutMs, () => connection.serverVersion()));
    if (version !== null && !isOlder(version)) return;
    const what = version === null ? 'of before 21.10' : version;
    const text = `The event store at ${connection.label} is too old: it is ${what}. EventStoreDB ${OLDEST.year}.${OLDEST.month} or later is needed.`;
    throw new EventStoreError('STORE_TOO_OLD', text);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreUnavailable(`${error.message} Is it running, and is the address right (EVENTSTORE_URL: host, port, tls=true or tls=false)?`);
  }
}

function isOlder(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return year < OLDEST.year || (year === OLDEST.year && month < OLDEST.month);
}

/** The question for the version has no deadline of its own. */
async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallBroken(`nothing came for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
