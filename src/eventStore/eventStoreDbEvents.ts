/** The wire's events as the port's, and which of them the port shows. */
import type * as Shared from '@eventstore/db-client/generated/shared_pb.js';
import type * as Streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventFilter, RecordedEvent } from './eventStore.ts';
import { toPosition } from './positions.ts';

export type WireRecord = Streams.ReadResp.ReadEvent.RecordedEvent;

/** Before 1970 in .NET's calendar, and its ticks of 100 ns. */
const TICKS_PER_MS = 10_000n;

/** Null for what this product cannot have written (binary data, links, the store's own): it is passed over, wherever it turns up. */
export function toRecordedEvent(record: WireRecord | undefined): RecordedEvent | null {
  if (record === undefined) return null;
  const header = record.getMetadataMap();
  const type = header.get('type') ?? '';
  const stream = streamOf(record);
  if (type === '' || isSystemName(type) || isSystemName(stream) || header.get('content-type') !== 'application/json') return null;
  const data = parseObject(record.getData_asU8());
  if (data === null) return null;
  const metadata = parseObject(record.getCustomMetadata_asU8()) ?? { actor: 'unknown', at: new Date(createdMs(record)).toISOString() };
  return {
    id: uuidOf(record.getId()),
    type,
    data,
    metadata: metadata as RecordedEvent['metadata'],
    stream,
    revision: BigInt(record.getStreamRevision()),
    position: toPosition(positionOf(record)),
  };
}

export function positionOf(record: WireRecord): bigint {
  return BigInt(record.getCommitPosition());
}

export function streamOf(record: WireRecord): string {
  return Buffer.from(record.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
}

/** When the server took it, in ms since 1970. */
export function createdMs(record: WireRecord): number {
  const ticks = record.getMetadataMap().get('created') ?? '';
  return /^\d+$/.test(ticks) ? Number(BigInt(ticks) / TICKS_PER_MS) : 0;
}

export function uuidOf(id: Shared.UUID | undefined): string {
  const structured = id?.getStructured();
  if (id === undefined || structured === undefined) return id?.getString() ?? '';
  const hex = [structured.getMostSignificantBits(), structured.getLeastSignificantBits()]
    .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
    .join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export function isSystemName(name: string): boolean {
  return name.startsWith('$');
}

/** What the server leaves over of a filter: it takes types or stream prefixes, not both. */
export function passes(event: RecordedEvent, filter: EventFilter | undefined): boolean {
  if (filter?.types !== undefined && !filter.types.includes(event.type)) return false;
  return filter?.streamPrefixes === undefined || filter.streamPrefixes.some((prefix) => event.stream.startsWith(prefix));
}

function parseObject(bytes: Uint8Array): object | null {
  if (bytes.length === 0) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
