/** What the server must be before it is used: there, of an age that has what is needed, and willing. */
import { EventStoreError, StoreUnavailable } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { CallBroken, fateOf } from './eventStoreDbErrors.ts';
import { positionOf, streamOf, uuidOf, type WireRecord } from './eventStoreDbEvents.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';
import { allRequest, streamRequest } from './eventStoreDbRequests.ts';

const OLDEST = { year: 22, month: 10 };

/** Answers the newest position of its log. @throws StoreUnavailable, EventStoreError STORE_TOO_OLD, STORE_ACCESS_DENIED */
export async function assertServer(connection: EventStoreDbConnection, patience: Patience, timeoutMs: number): Promise<bigint> {
  try {
    return await patiently(patience, () => within(timeoutMs, () => look(connection)));
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw new StoreUnavailable(`${error.message} Is it running, and is the address right (EVENTSTORE_URL: host, port, tls=true or tls=false)?`);
  }
}

async function look(connection: EventStoreDbConnection): Promise<bigint> {
  const version = await connection.serverVersion();
  if (version === null || isOlder(version)) throw tooOld(connection.label, `it is ${version === null ? 'of before 21.10' : version}`);
  const newest = await newestOf(connection);
  const again = newest && (await inItsStream(connection, newest));
  if (newest && again && positionOf(again) !== positionOf(newest)) throw tooOld(connection.label, 'it does not tell the positions of the events of a stream');
  return newest === undefined ? 0n : positionOf(newest);
}

function isOlder(version: string): boolean {
  const match = /^v?(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const [year, month] = [Number(match[1]), Number(match[2])];
  return year < OLDEST.year || (year === OLDEST.year && month < OLDEST.month);
}

function tooOld(label: string, why: string): EventStoreError {
  return new EventStoreError(
    'STORE_TOO_OLD',
    `The event store at ${label} is too old: ${why}. EventStoreDB ${OLDEST.year}.${OLDEST.month} or later is needed.`,
  );
}

/** The log's newest event. Also shows that the credentials are good for reading. */
async function newestOf(connection: EventStoreDbConnection): Promise<WireRecord | undefined> {
  let newest: WireRecord | undefined;
  for await (const message of connection.read(allRequest('end', 'backward', 1, null, 1))) newest = message.getEvent()?.getEvent() ?? newest;
  return newest;
}

/** The event as its stream shows it; undefined when that is deleted, or hides it. */
async function inItsStream(connection: EventStoreDbConnection, event: WireRecord): Promise<WireRecord | undefined> {
  let found: WireRecord | undefined;
  try {
    for await (const message of connection.read(streamRequest(streamOf(event), BigInt(event.getStreamRevision()), 'forward', 1))) {
      const record = message.getEvent()?.getEvent();
      if (record !== undefined && uuidOf(record.getId()) === uuidOf(event.getId())) found = record;
    }
  } catch (error) {
    if (fateOf(error) !== 'deleted') throw error;
  }
  return found;
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
