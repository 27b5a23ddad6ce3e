/** Reading one stream: its events for the port, and its records and end for the adapter itself. */
import type { ReadOptions, StreamRead } from './eventStore.ts';
import type { EventStoreDbConnection } from './eventStoreDbConnection.ts';
import { fateOf } from './eventStoreDbErrors.ts';
import { positionOf, toRecordedEvent, uuidOf, type WireRecord } from './eventStoreDbEvents.ts';
import { type Patience, patiently } from './eventStoreDbPatience.ts';
import { type Place, type ReadDirection, streamRequest } from './eventStoreDbRequests.ts';

/** The end of a stream. `position` is null when its last events were truncated. */
export type Tail =
  | { readonly status: 'missing' }
  | { readonly status: 'deleted' }
  | { readonly status: 'found'; readonly revision: bigint; readonly id: string | null; readonly position: bigint | null };

/** The records of a stream as they are, those that the port does not show included. */
export type StreamRecords =
  | { readonly status: 'missing' }
  | { readonly status: 'deleted' }
  | { readonly status: 'found'; readonly records: readonly WireRecord[] };

export type StreamReader = {
  readonly read: (stream: string, options?: ReadOptions) => Promise<StreamRead>;
  readonly tail: (stream: string) => Promise<Tail>;
  readonly records: (stream: string, from: Place, direction: ReadDirection, count: number | undefined) => Promise<StreamRecords>;
  /** The stream's metadata as JSON text; null without any. */
  readonly metadata: (stream: string) => Promise<string | null>;
};

export function createStreamReader(connection: EventStoreDbConnection, patience: Patience): StreamReader {
  async function recordsOnce(stream: string, from: Place, direction: ReadDirection, count: number | undefined): Promise<StreamRecords> {
    const records: WireRecord[] = [];
    let isMissing = false;
    try {
      for await (const message of connection.read(streamRequest(stream, from, direction, count))) {
        isMissing ||= message.hasStreamNotFound();
        const record = message.getEvent()?.getEvent();
        if (record !== undefined) records.push(record);
      }
    } catch (error) {
      const fate = fateOf(error);
      if (fate === 'deleted' || fate === 'missing') return { status: fate };
      throw error;
    }
    return isMissing ? { status: 'missing' } : { status: 'found', records };
  }

  const records: StreamReader['records'] = (stream, from, direction, count) => patiently(patience, () => recordsOnce(stream, from, direction, count));

  async function metadata(stream: string): Promise<string | null> {
    const read = await records(`$$${stream}`, 'end', 'backward', 1);
    const record = read.status === 'found' ? read.records[0] : undefined;
    return record === undefined ? null : Buffer.from(record.getData_asU8()).toString('utf8');
  }

  async function tail(stream: string): Promise<Tail> {
    const read = await records(stream, 'end', 'backward', 1);
    if (read.status !== 'found') return read;
    const [last] = read.records;
    if (last !== undefined) return { status: 'found', revision: BigInt(last.getStreamRevision()), id: uuidOf(last.getId()), position: positionOf(last) };
    // All of it is truncated; `truncate` never hides more than there is, so the first revision that would show is the next one.
    const before = truncatedBefore(await metadata(stream));
    return { status: 'found', revision: (before ?? 0n) - 1n, id: null, position: null };
  }

  async function read(stream: string, { from, direction = 'forward', limit }: ReadOptions = {}): Promise<StreamRead> {
    const place = from ?? (direction === 'forward' ? 'start' : 'end');
    const found = limit !== undefined && limit <= 0 ? ({ status: 'found', records: [] } as const) : await records(stream, place, direction, limit);
    if (found.status !== 'found') return found;
    const events = found.records.flatMap((record) => toRecordedEvent(record) ?? []);
    const reachesEnd = direction === 'forward' ? limit === undefined || found.records.length < limit : from === undefined;
    const last = reachesEnd ? found.records.at(direction === 'forward' ? -1 : 0) : undefined;
    if (last !== undefined) return { status: 'found', events, revision: BigInt(last.getStreamRevision()) };
    const end = await tail(stream);
    return end.status === 'found' ? { status: 'found', events, revision: end.revision } : end;
  }

  return { read, tail, records, metadata };
}

/** The revision before which the stream is hidden. Read from the text: as a JSON number it would be rounded beyond 2^53. */
export function truncatedBefore(metadata: string | null): bigint | null {
  const match = /"\$tb"\s*:\s*(\d+)/.exec(metadata ?? '');
  return match?.[1] === undefined ? null : BigInt(match[1]);
}
