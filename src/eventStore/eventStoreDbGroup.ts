/** Consumer groups as the server keeps them: made when they are missing, and what they have parked. */
import {
  eventTypeFilter,
  type Filter,
  type PersistentSubscriptionToAllSettings,
  persistentSubscriptionToAllSettingsFromDefaults,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { ConsumerOptions, EventFilter, ParkedEvent, RecordedEvent } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { fateOf } from './eventStoreDbErrors.ts';
import { createdMs, toRecordedEvent, uuidOf } from './eventStoreDbEvents.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';
import { serverFilter, streamRequest } from './eventStoreDbRequests.ts';
import type { StreamReader } from './eventStoreDbStreams.ts';

export type Parked = {
  readonly list: (group: string, limit?: number) => Promise<readonly ParkedEvent[]>;
  readonly replay: (group: string) => Promise<number>;
};

const DEFAULT_PARKED = 100;
const SEARCH_WINDOW = 500;
const SETTINGS: Partial<PersistentSubscriptionToAllSettings> = {
  startFrom: START,
  resolveLinkTos: false,
  // What is in hand is given back when its connection ends, never by time or count: this product counts failures itself, and its jobs may be long.
  messageTimeout: 24 * 60 * 60 * 1_000,
  maxRetryCount: 2_000_000_000,
  // What was acknowledged since the last checkpoint comes again after a restart of the server. A checkpoint is an event of $all, too, and counts
  // for the next one of each group: with fewer between two of them than there are groups, an idle server would write for ever.
  checkPointAfter: 1_000,
  checkPointLowerBound: 25,
  checkPointUpperBound: 1_000,
};

/** A group that is there stays as it is. */
export async function createGroup(connection: EventStoreDbConnection, { group, filter }: Pick<ConsumerOptions, 'group' | 'filter'>): Promise<void> {
  try {
    await connection.createPersistentSubscriptionToAll(group, persistentSubscriptionToAllSettingsFromDefaults(SETTINGS), { filter: groupFilter(filter) });
  } catch (error) {
    if (fateOf(error) !== 'exists') throw error;
  }
}

function groupFilter(filter: EventFilter): Filter {
  const wanted = serverFilter(filter);
  const common = { checkpointInterval: 1, maxSearchWindow: SEARCH_WINDOW };
  return 'typeRegex' in wanted
    ? eventTypeFilter({ ...common, regex: wanted.typeRegex })
    : streamNameFilter({ ...common, prefixes: [...wanted.streamPrefixes] });
}

/** What the server keeps with a parked event. */
export function parkedReason(attempts: number, reason: string): string {
  return JSON.stringify({ attempts, reason });
}

/**
 * The event as its stream has it; null when that is deleted. Until it is scavenged the server hands out events of deleted streams, and one that
 * comes through a link (what was parked) with the place of the link.
 */
export async function asItStands(reader: StreamReader, event: RecordedEvent): Promise<RecordedEvent | null> {
  const read = await reader.records(event.stream, event.revision, 'forward', 1);
  const record = read.status === 'found' ? read.records[0] : undefined;
  return uuidOf(record?.getId()) === event.id ? toRecordedEvent(record) : null;
}

export function createParked(connection: EventStoreDbConnection, reader: StreamReader, patience: Patience): Parked {
  async function read(group: string, limit: number): Promise<{ readonly parked: readonly ParkedEvent[]; readonly links: number }> {
    const parked: ParkedEvent[] = [];
    let links = 0;
    try {
      for await (const message of connection.read(streamRequest(`$persistentsubscription-$all::${group}-parked`, 'start', 'forward', undefined, true))) {
        const wire = message.getEvent();
        const link = wire?.getLink();
        if (wire === undefined || link === undefined) continue;
        links += 1;
        const event = toRecordedEvent(wire.getEvent());
        // Its stream was deleted meanwhile.
        if (event === null) continue;
        if (parked.length >= limit) break;
        parked.push({ event, parkedAt: new Date(createdMs(link)).toISOString(), ...reasonOf(link.getCustomMetadata_asU8()) });
      }
    } catch (error) {
      const fate = fateOf(error);
      if (fate !== 'missing' && fate !== 'deleted') throw error;
    }
    return { parked, links };
  }

  async function list(group: string, limit: number): Promise<readonly ParkedEvent[]> {
    const found: ParkedEvent[] = [];
    for (const one of (await read(group, limit)).parked) {
      const event = await asItStands(reader, one.event);
      if (event !== null) found.push({ ...one, event });
    }
    return found;
  }

  return {
    list: (group, limit = DEFAULT_PARKED) => patiently(patience, () => list(group, limit)),
    replay: (group) =>
      patiently(patience, async () => {
        const { parked, links } = await read(group, Number.POSITIVE_INFINITY);
        if (links > 0) await connection.replayParkedMessagesToAll(group);
        return parked.length;
      }),
  };
}

function reasonOf(metadata: Uint8Array): Pick<ParkedEvent, 'attempts' | 'reason'> {
  const stored = (parse(Buffer.from(metadata).toString('utf8')) as { reason?: unknown } | null)?.reason;
  // The server sets a line of its own before what it was told.
  const text = typeof stored === 'string' ? stored.replace(/^Client explicitly NAK'ed message\.\s*/, '') : '';
  const told = parse(text);
  if (typeof told === 'object' && told !== null && 'attempts' in told && 'reason' in told)
    return { attempts: Number(told.attempts), reason: String(told.reason) };
  // Parked by hand, or by the server itself.
  return { attempts: 1, reason: text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
