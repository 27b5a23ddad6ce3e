/** An event in the log, and EventStoreDB's own names. */

export type StoredEvent = {
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  /** Commit and prepare position in one: they are equal for events written over gRPC. */
  readonly position: bigint;
  readonly type: string;
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  /** Milliseconds since 1970. */
  readonly created: number;
};

export type ProposedEvent = Pick<StoredEvent, 'id' | 'type' | 'json' | 'data' | 'metadata'>;

/** The revision of a tombstone and the `$tb` of a soft deletion: the largest signed 64-bit number. */
export const DELETED = 9_223_372_036_854_775_807n;

export const METADATA_TYPE = '$metadata';
export const LINK_TYPE = '$>';
export const TOMBSTONE_TYPE = '$streamDeleted';

const EMPTY = new Uint8Array(0);
const utf8 = new TextEncoder();
const text = new TextDecoder();

export function isMetaStream(stream: string): boolean {
  return stream.startsWith('$$');
}

export function metaStreamOf(stream: string): string {
  return `$$${stream}`;
}

/** The size that counts against the append limit. */
export function sizeOf(event: ProposedEvent): number {
  return event.data.length + event.metadata.length + event.type.length * 2;
}

/** The size of an event in the log: the distance to the next position. */
export function lengthInLog(stream: string, event: ProposedEvent): bigint {
  return BigInt(88 + stream.length + sizeOf(event));
}

export function jsonEvent(type: string, data: unknown, metadata?: unknown): ProposedEvent {
  return {
    id: crypto.randomUUID(),
    type,
    json: true,
    data: utf8.encode(JSON.stringify(data)),
    metadata: metadata === undefined ? EMPTY : utf8.encode(JSON.stringify(metadata)),
  };
}

export function tombstoneEvent(): ProposedEvent {
  return { id: crypto.randomUUID(), type: TOMBSTONE_TYPE, json: false, data: EMPTY, metadata: EMPTY };
}

/** A link is `revision@stream`, not JSON. */
export function linkTarget(event: StoredEvent): { stream: string; revision: bigint } | null {
  const match = /^(-?\d+)@(.+)$/s.exec(text.decode(event.data));
  return match?.[1] && match[2] ? { revision: BigInt(match[1]), stream: match[2] } : null;
}

/** The event's JSON with integers beyond 2^53 as bigints; undefined when it is not JSON. */
export function jsonOf(event: Pick<StoredEvent, 'data'>): unknown {
  try {
    return JSON.parse(text.decode(event.data).replace(/:\s*(\d{16,})(?=\s*[,}])/g, ':"$1"'));
  } catch {
    return undefined;
  }
}
